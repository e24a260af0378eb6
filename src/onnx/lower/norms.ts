import { floatAttribute, intAttribute, stringAttribute } from '../attribute.ts'
import type { Lowering } from './lower.ts'

/** Sum of input, skip and bias, which is an output too; then the norm. */
const skipNorm =
  (simplified: boolean): Lowering =>
  (node, { b, has }) => {
    const [x = '', skip = '', scale = ''] = node.inputs
    const beta = simplified ? undefined : node.inputs[3]
    const bias = node.inputs[simplified ? 3 : 4]
    const pair = b.op('Add', [x, skip])
    const sum = has(bias) ? b.op('Add', [pair, bias]) : pair
    const epsilon = floatAttribute(node, 'epsilon', 1e-12)
    const op = simplified ? 'SimplifiedLayerNormalization' : 'LayerNormalization'
    const inputs = has(beta) ? [sum, scale, beta] : [sum, scale]
    return [b.op(op, inputs, { axis: -1, epsilon }), '', '', sum]
  }

/** Channels last in the runtime's operator; by InstanceNormalization over groups, as PyTorch exports it. */
const groupNorm: Lowering = (node, { b }) => {
  const [x = '', scale = '', bias = ''] = node.inputs
  const groups = intAttribute(node, 'groups', 1)
  const last = intAttribute(node, 'channels_last', 1) === 1
  const first = last ? b.transpose(x, [0, 3, 1, 2]) : x
  const flat = b.reshape(first, [0, groups, -1])
  const one = b.constant(new Array<number>(groups).fill(1))
  const zero = b.constant(new Array<number>(groups).fill(0))
  const epsilon = floatAttribute(node, 'epsilon', 1e-5)
  const normal = b.op('InstanceNormalization', [flat, one, zero], { epsilon })
  const shaped = b.op('Reshape', [normal, b.op('Shape', [first])])
  const channels = (v: string): string => b.reshape(v, [-1, 1, 1])
  const affine = b.op('Add', [b.op('Mul', [shaped, channels(scale)]), channels(bias)])
  const active =
    intAttribute(node, 'activation', 0) === 1
      ? b.op('Mul', [affine, b.op('Sigmoid', [affine])])
      : affine
  return [last ? b.transpose(active, [0, 2, 3, 1]) : active]
}

/** Rotation by positions, in halves or in pairs; `[batch, heads, tokens, size]` or `[batch, tokens, width]`. */
const rotary: Lowering = (node, { b }) => {
  const [x = '', positions = '', cos = '', sin = ''] = node.inputs
  const heads = intAttribute(node, 'num_heads', 0)
  const part = intAttribute(node, 'rotary_embedding_dim', 0)
  if (stringAttribute(node, 'scale', '') !== '' || part !== 0) return []
  const turned = rotate(b, {
    x,
    positions,
    cos,
    sin,
    pairs: intAttribute(node, 'interleaved', 0) === 1,
    heads,
  })
  return [turned]
}

interface Rotation {
  readonly x: string
  readonly positions: string
  /** [positions, size/2] */
  readonly cos: string
  readonly sin: string
  readonly pairs: boolean
  /** 0: x has heads of its own already. */
  readonly heads: number
}

/** Rotated heads [batch, heads, tokens, size], in the layout that x came in. */
export function rotate(b: Parameters<Lowering>[1]['b'], rotation: Rotation): string {
  const { x, positions, cos, sin, pairs, heads } = rotation
  const apart = heads === 0 ? x : b.transpose(b.reshape(x, [0, 0, heads, -1]), [0, 2, 1, 3])
  // One row for each token, the same for all heads.
  const table = (cache: string): string =>
    b.unsqueeze(b.op('Gather', [cache, positions], { axis: 0 }), [1])
  const [c, s] = [table(cos), table(sin)]
  const even = b.opset >= 18 ? { axis: -1, num_outputs: 2 } : { axis: -1 }
  const far = 2 ** 31 - 1
  const [left = '', right = ''] = pairs
    ? [0, 1].map((start) => b.slice(apart, [start], [far], [-1], [2]))
    : b.ops('Split', [apart], 2, even)
  const mul = (p: string, q: string): string => b.op('Mul', [p, q])
  const first = b.op('Sub', [mul(left, c), mul(right, s)])
  const second = b.op('Add', [mul(right, c), mul(left, s)])
  const joined = pairs
    ? b.op('Reshape', [
        b.concat([b.unsqueeze(first, [-1]), b.unsqueeze(second, [-1])], -1),
        b.op('Shape', [apart]),
      ])
    : b.concat([first, second], -1)
  return heads === 0 ? joined : b.reshape(b.transpose(joined, [0, 2, 1, 3]), [0, 0, -1])
}

/** Normalisations and rotations that the runtime fused. */
export const normLowerings: Readonly<Record<string, Lowering>> = {
  'com.microsoft.SkipLayerNormalization': skipNorm(false),
  'com.microsoft.SkipSimplifiedLayerNormalization': skipNorm(true),
  'com.microsoft.GroupNorm': groupNorm,
  'com.microsoft.RotaryEmbedding': rotary,
}
