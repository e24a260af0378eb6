import { floatAttribute, intAttribute, intsAttribute } from '../attribute.ts'
import type { Builder } from '../builder.ts'
import type { Node } from '../graph.ts'
import type { LowerContext, Lowering } from './lower.ts'
import { rotate } from './norms.ts'

/** Low enough to hide a key, high enough that a row hidden whole is no NaN. */
const hidden = -1e9

interface Core {
  /** [batch, heads, tokens, size] */
  readonly q: string
  readonly k: string
  readonly v: string
  /** Added to the scores. */
  readonly bias?: readonly string[]
  readonly scale: number | undefined
  readonly softcap?: number
  readonly causal?: boolean
}

/** softmax(scale·q·kᵀ + bias)·v, with 1/√size as scale where none is given. */
function core(
  b: Builder,
  { q, k, v, bias = [], scale, softcap = 0, causal = false }: Core,
): string {
  const product = b.op('MatMul', [q, b.transpose(k, [0, 1, 3, 2])])
  const factor =
    scale === undefined ? b.op('Reciprocal', [b.op('Sqrt', [sizeOf(b, q)])]) : b.scalar(scale)
  let scores = b.op('Mul', [product, factor])
  if (softcap > 0) {
    const cap = b.scalar(softcap)
    scores = b.op('Mul', [b.op('Tanh', [b.op('Div', [scores, cap])]), cap])
  }
  const all = causal ? [...bias, causalBias(b, q, k)] : bias
  const masked = all.reduce((sum, term) => b.op('Add', [sum, term]), scores)
  return b.op('MatMul', [b.op('Softmax', [masked], { axis: -1 }), v])
}

/** The last size of a value as float32. */
function sizeOf(b: Builder, x: string): string {
  return b.cast(dimOf(b, x, 3), 'float32')
}

/** One size of a value, no axes, int64. */
function dimOf(b: Builder, x: string, axis: number): string {
  return b.op('Gather', [b.op('Shape', [x]), b.constant([axis], [], 'int64')], { axis: 0 })
}

/** 0 where a query may look, else very low; queries are the last of the keys. */
function causalBias(b: Builder, q: string, k: string): string {
  const [zero, one] = [0, 1].map((i) => b.constant([i], [], 'int64')) as [string, string]
  const [queries, keys] = [dimOf(b, q, 2), dimOf(b, k, 2)]
  const offset = b.op('Sub', [keys, queries])
  const row = b.op('Add', [b.unsqueeze(b.op('Range', [zero, queries, one]), [1]), offset])
  const column = b.unsqueeze(b.op('Range', [zero, keys, one]), [0])
  return b.op('Where', [b.op('LessOrEqual', [column, row]), b.scalar(0), b.scalar(hidden)])
}

/** A truth mask (1: look) as what is added to the scores. */
function maskBias(b: Builder, mask: string): string {
  const seen = b.op('Greater', [b.cast(mask, 'float32'), b.scalar(0.5)])
  return b.op('Where', [seen, b.scalar(0), b.scalar(hidden)])
}

const split = (b: Builder, x: string, heads: number): string =>
  b.transpose(b.reshape(x, [0, 0, heads, -1]), [0, 2, 1, 3])

const join = (b: Builder, x: string): string => b.reshape(b.transpose(x, [0, 2, 1, 3]), [0, 0, -1])

/** Heads repeated so that grouped queries find theirs: [batch, few, tokens, size] to [batch, heads, ...]. */
function repeated(b: Builder, x: string, times: number): string {
  if (times === 1) return x
  const wide = b.op('Expand', [b.unsqueeze(x, [2]), b.ints([1, 1, times, 1, 1])])
  const shape = b.op('Shape', [x])
  const part = (axis: number): string => b.op('Gather', [shape, b.ints([axis])], { axis: 0 })
  return b.op('Reshape', [wide, b.concat([part(0), b.ints([-1]), part(2), part(3)], 0)])
}

const scaleOf = (node: Node, name = 'scale'): number | undefined => {
  const scale = floatAttribute(node, name, 0)
  return scale === 0 ? undefined : scale
}

/** The earlier keys or values in front, where there are some. */
const behind = ({ b, has }: LowerContext, past: string | undefined, now: string): string =>
  has(past) ? b.concat([past, now], 2) : now

/** com.microsoft Attention: one packed product, past in one tensor [2, ...]. */
const packed: Lowering = (node, context) => {
  const { b, has } = context
  const [x = '', weights = '', bias, mask, past, extra] = node.inputs
  const heads = intAttribute(node, 'num_heads', 1)
  const product = b.op('MatMul', [x, weights])
  const all = has(bias) ? b.op('Add', [product, bias]) : product
  const sizes = intsAttribute(node, 'qkv_hidden_sizes')
  const even = b.opset >= 18 ? { num_outputs: 3 } : {}
  const parts =
    sizes === undefined ? b.ops('Split', [all], 3, { axis: -1, ...even }) : b.split(all, -1, sizes)
  const [q = '', k0 = '', v0 = ''] = parts.map((part) => split(b, part, heads))
  const before = (i: number): string | undefined =>
    has(past) ? b.squeeze(b.slice(past, [i], [i + 1], [0]), [0]) : undefined
  const [k, v] = [behind(context, before(0), k0), behind(context, before(1), v0)]
  const y = core(b, {
    q,
    k,
    v,
    scale: scaleOf(node),
    causal: intAttribute(node, 'unidirectional', 0) === 1,
    // The mask is one of keys, [batch, tokens].
    bias: [
      ...(has(mask) ? [b.unsqueeze(maskBias(b, mask), [1, 2])] : []),
      ...(has(extra) ? [extra] : []),
    ],
  })
  const present = (): string => b.concat([b.unsqueeze(k, [0]), b.unsqueeze(v, [0])], 0)
  return [join(b, y), has(node.outputs[1]) ? present() : '']
}

/** com.microsoft MultiHeadAttention with separate query, key and value. */
const multiHead: Lowering = (node, context) => {
  const { b, has } = context
  const [query = '', key = '', value = '', bias, mask, extra, pastKey, pastValue] = node.inputs
  // Packed forms hold no key and value of their own.
  if (!has(key) || !has(value)) return []
  const heads = intAttribute(node, 'num_heads', 1)
  const even = b.opset >= 18 ? { num_outputs: 3 } : {}
  const biases = has(bias) ? b.ops('Split', [bias], 3, { axis: 0, ...even }) : []
  const [q = '', k0 = '', v0 = ''] = [query, key, value].map((x, i) => {
    const part = biases[i]
    return split(b, part === undefined ? x : b.op('Add', [x, part]), heads)
  })
  const [k, v] = [behind(context, pastKey, k0), behind(context, pastValue, v0)]
  const y = core(b, {
    q,
    k,
    v,
    scale: scaleOf(node),
    causal: intAttribute(node, 'unidirectional', 0) === 1,
    bias: [
      ...(has(mask) ? [b.unsqueeze(maskBias(b, mask), [1, 2])] : []),
      ...(has(extra) ? [extra] : []),
    ],
  })
  return [join(b, y), k, v]
}

/** com.microsoft GroupQueryAttention: fewer keys than queries, causal, rotated inside where asked. */
const grouped: Lowering = (node, context) => {
  const { b, has } = context
  const [query = '', key = '', value = '', pastKey, pastValue, lengths = '', , cos, sin] =
    node.inputs
  if (!has(key) || !has(value)) return []
  const [heads, few] = [intAttribute(node, 'num_heads', 1), intAttribute(node, 'kv_num_heads', 1)]
  const window = intAttribute(node, 'local_window_size', -1)
  if (window !== -1) return []
  let [q, k0] = [split(b, query, heads), split(b, key, few)]
  if (intAttribute(node, 'do_rotary', 0) === 1 && has(cos) && has(sin)) {
    const tokens = dimOf(b, q, 2)
    const start = has(pastKey) ? dimOf(b, pastKey, 2) : b.constant([0], [], 'int64')
    const end = b.op('Add', [start, tokens])
    const positions = b.unsqueeze(b.op('Range', [start, end, b.constant([1], [], 'int64')]), [0])
    const pairs = intAttribute(node, 'rotary_interleaved', 0) === 1
    const turn = (x: string): string => rotate(b, { x, positions, cos, sin, pairs, heads: 0 })
    ;[q, k0] = [turn(q), turn(k0)]
  }
  const [k, v] = [behind(context, pastKey, k0), behind(context, pastValue, split(b, value, few))]
  // Keys behind the length of a row are padding: the input says the last valid place.
  const place = b.op('Range', [
    b.constant([0], [], 'int64'),
    dimOf(b, k, 2),
    b.constant([1], [], 'int64'),
  ])
  const last = b.reshape(b.cast(lengths, 'int64'), [-1, 1, 1, 1])
  const valid = b.op('LessOrEqual', [place, last])
  const y = core(b, {
    q,
    k: repeated(b, k, heads / few),
    v: repeated(b, v, heads / few),
    scale: scaleOf(node),
    softcap: floatAttribute(node, 'softcap', 0),
    causal: true,
    bias: [b.op('Where', [valid, b.scalar(0), b.scalar(hidden)])],
  })
  return [join(b, y), k, v]
}

/** Attention of ONNX 23, with heads apart or in the last axis. */
const standard: Lowering = (node, context) => {
  const { b, has } = context
  const [query = '', key = '', value = '', mask, pastKey, pastValue] = node.inputs
  const heads = intAttribute(node, 'q_num_heads', 0)
  const few = intAttribute(node, 'kv_num_heads', heads)
  // Without head counts the operands have four axes; how many are grouped is then not known here.
  const apart = heads === 0
  const [q, k0, v0] = apart
    ? [query, key, value]
    : ([split(b, query, heads), split(b, key, few), split(b, value, few)] as const)
  const [k, v] = [behind(context, pastKey, k0), behind(context, pastValue, v0)]
  const times = apart ? 1 : heads / few
  const bias = has(mask) ? [mask] : []
  const y = core(b, {
    q,
    k: repeated(b, k, times),
    v: repeated(b, v, times),
    scale: scaleOf(node),
    softcap: floatAttribute(node, 'softcap', 0),
    causal: intAttribute(node, 'is_causal', 0) === 1,
    bias,
  })
  return [apart ? y : join(b, y), k, v]
}

/** Attentions as products and softmax. */
export const attentionLowerings: Readonly<Record<string, Lowering>> = {
  Attention: standard,
  'com.microsoft.Attention': packed,
  'com.microsoft.MultiHeadAttention': multiHead,
  'com.microsoft.GroupQueryAttention': grouped,
}
