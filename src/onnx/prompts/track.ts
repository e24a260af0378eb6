import { UserFault } from '../../base/index.ts'
import { intAttribute, intsAttribute } from '../attribute.ts'
import type { Node, Shapes } from '../graph.ts'
import { initializerOf, nodeTitle } from '../graph.ts'
import { sizeOf, tensorNumbers } from '../tensor.ts'
import type { Rewrite } from './rewrite.ts'

/** How many tokens an axis gains, or to which single row it shrinks. */
export type TokenChange =
  { readonly kind: 'more'; readonly count: number } | { readonly kind: 'row'; readonly row: number }

export interface TrackOptions {
  /** Axes that changed already, by the value that readers see (counted from the front). */
  readonly starts: ReadonlyMap<string, readonly number[]>
  readonly change: TokenChange
  /** Nodes that are followed; default all below. */
  readonly within?: ReadonlySet<Node>
}

type Axes = readonly number[]

interface Tracker {
  readonly edit: Rewrite
  readonly shapes: Shapes
  readonly change: TokenChange
  readonly axes: Map<string, Axes>
}

const elementwise = new Set(
  (
    'Add Sub Mul Div Pow Max Min Where Sigmoid Tanh Erf Gelu Relu Exp Log Sqrt Neg Abs Reciprocal Cast Identity Clip ' +
    'Softplus Elu LeakyRelu HardSigmoid HardSwish Cos Sin Dropout PRelu Sum Not'
  ).split(' '),
)
const normal = new Set(
  'Softmax LogSoftmax LayerNormalization RMSNormalization SimplifiedLayerNormalization'.split(' '),
)

/**
 * Follows token axes that changed their size through the nodes below and corrects what was baked in:
 * the sizes in Reshape and Expand, masks and position tables beside them.
 *
 * @returns the changed axes of each value reached
 * @throws UserFault `E_PROMPT_TOKENS` where a token axis is lost, naming the node
 */
export function trackTokens(
  edit: Rewrite,
  shapes: Shapes,
  options: TrackOptions,
): ReadonlyMap<string, Axes> {
  const tracker: Tracker = { edit, shapes, change: options.change, axes: new Map(options.starts) }
  for (const node of edit.graph.nodes) {
    if (options.within !== undefined && !options.within.has(node)) continue
    if (!node.inputs.some((name) => (tracker.axes.get(name) ?? []).length > 0)) continue
    const found = through(tracker, node)
    node.outputs.forEach((name) => {
      // Started values keep what was said of them: the edit has them read something else.
      if (name !== '' && !options.starts.has(name)) tracker.axes.set(name, found)
    })
  }
  return tracker.axes
}

function lost(node: Node): UserFault {
  return new UserFault('E_PROMPT_TOKENS', `The token axis is lost at ${nodeTitle(node)}.`, {
    fields: { node: nodeTitle(node) },
    cure: 'Use the key/value form of the injection, which touches no token count.',
  })
}

function through(t: Tracker, node: Node): Axes {
  const axes = t.axes.get(node.inputs[0] ?? '') ?? []
  if (node.domain !== '') throw lost(node)
  if (elementwise.has(node.op)) return throughElementwise(t, node)
  if (normal.has(node.op)) {
    const rank = rankOf(t, node.inputs[0])
    const axis = (intAttribute(node, 'axis', -1) + rank) % rank
    const folded = node.op.includes('oftmax') ? false : axes.some((k) => k >= axis)
    if (folded) throw lost(node)
    return axes
  }
  if (node.op.startsWith('Reduce')) return throughReduce(t, node, axes)
  switch (node.op) {
    case 'MatMul':
      return throughMatMul(t, node)
    case 'Gemm':
      if (axes.length !== 1 || axes[0] !== 0 || intAttribute(node, 'transA', 0) === 1)
        throw lost(node)
      return axes
    case 'Transpose': {
      const rank = rankOf(t, node.inputs[0])
      const perm =
        intsAttribute(node, 'perm') ?? Array.from({ length: rank }, (_, k) => rank - 1 - k)
      return axes.map((k) => perm.indexOf(k))
    }
    case 'Reshape':
    case 'Squeeze':
    case 'Unsqueeze':
    case 'Flatten':
      return throughReshape(t, node, axes)
    case 'Expand':
      return throughExpand(t, node, axes)
    case 'Concat':
      return throughConcat(t, node)
    case 'Split':
    case 'Gather':
    case 'Slice':
      return throughSelection(t, node, axes)
    default:
      throw lost(node)
  }
}

function dimsOf(t: Tracker, name: string | undefined): readonly number[] {
  return t.shapes.get(name ?? '')?.dims ?? []
}

function rankOf(t: Tracker, name: string | undefined): number {
  return dimsOf(t, name).length
}

/** The size of an axis of `size` tokens after the change. */
export function changedSize(change: TokenChange, size: number): number {
  return change.kind === 'more' ? size + change.count : 1
}

function throughElementwise(t: Tracker, node: Node): Axes {
  const rank = rankOf(t, node.outputs[0])
  const fromEnd = new Set(
    node.inputs.flatMap((name) => (t.axes.get(name) ?? []).map((k) => k - rankOf(t, name))),
  )
  node.inputs.forEach((name, i) => {
    if (name === '') return
    const dims = dimsOf(t, name)
    const own = (t.axes.get(name) ?? []).map((k) => k - dims.length)
    for (const k of fromEnd) {
      const size = dims.at(k)
      if (own.includes(k) || dims.length + k < 0 || size === undefined || size === 1) continue
      t.edit.readInput(node, i, resized(t, node, i, dims.length + k, size))
    }
  })
  return [...fromEnd].map((k) => k + rank)
}

/** What new tokens get from a table or mask beside them: nothing added, nothing scaled, nothing hidden. */
function neutralOf(t: Tracker, node: Node, i: number): number | undefined {
  if (node.op === 'Add' || node.op === 'Sub' || node.op === 'Sum') return 0
  if (node.op === 'Mul' || node.op === 'Div') return 1
  if (node.op === 'Where' && i === 0) return t.axes.has(node.inputs[1] ?? '') ? 1 : 0
  return undefined
}

/** An operand of a node with one axis brought to the changed size. */
function resized(t: Tracker, node: Node, i: number, axis: number, size: number): string {
  const name = node.inputs[i] ?? ''
  const write = t.edit.builder
  if (t.change.kind === 'row') return write.slice(name, [t.change.row], [t.change.row + 1], [axis])
  const fill = neutralOf(t, node, i)
  const known = t.shapes.get(name)
  if (fill === undefined || known === undefined) throw lost(node)
  const dims = known.dims.with(axis, changedSize(t.change, size) - size)
  const values = new Array<number>(sizeOf(dims)).fill(fill)
  return write.concat([name, write.constant(values, dims, known.type)], axis)
}

function throughReduce(t: Tracker, node: Node, axes: Axes): Axes {
  const rank = rankOf(t, node.inputs[0])
  const tensor = initializerOf(t.edit.graph, node.inputs[1] ?? '')
  const given = tensor === undefined ? intsAttribute(node, 'axes') : [...tensorNumbers(tensor)]
  const folded = (given ?? []).map((k) => (k + rank) % rank)
  if (folded.length === 0 || axes.some((k) => folded.includes(k))) throw lost(node)
  if (intAttribute(node, 'keepdims', 1) === 1) return axes
  return axes.map((k) => k - folded.filter((f) => f < k).length)
}

function throughMatMul(t: Tracker, node: Node): Axes {
  const [a = '', b = ''] = node.inputs
  const fromEnd = (name: string): number[] =>
    (t.axes.get(name) ?? []).map((k) => k - rankOf(t, name))
  const [left, right] = [fromEnd(a), fromEnd(b)]
  if (rankOf(t, a) < 2 || rankOf(t, b) < 2 || left.includes(-1) !== right.includes(-2))
    throw lost(node)
  const kept = new Set([...left.filter((k) => k !== -1), ...right.filter((k) => k !== -2)])
  return [...kept].map((k) => k + rankOf(t, node.outputs[0]))
}

function throughReshape(t: Tracker, node: Node, axes: Axes): Axes {
  const from = dimsOf(t, node.inputs[0])
  const to = dimsOf(t, node.outputs[0])
  const found = axes.map((k) => {
    const before = sizeOf(from.slice(0, k))
    const place = to.findIndex((d, j) => d === from[k] && sizeOf(to.slice(0, j)) === before)
    if (place < 0) throw lost(node)
    return place
  })
  if (node.op === 'Reshape') {
    const dims = to.map((d, k) => (found.includes(k) ? changedSize(t.change, d) : d))
    t.edit.readInput(node, 1, t.edit.builder.ints(dims))
  }
  return found
}

function throughExpand(t: Tracker, node: Node, axes: Axes): Axes {
  const to = dimsOf(t, node.outputs[0])
  const shift = to.length - rankOf(t, node.inputs[0])
  const found = axes.map((k) => k + shift)
  const dims = to.map((d, k) => (found.includes(k) ? changedSize(t.change, d) : d))
  t.edit.readInput(node, 1, t.edit.builder.ints(dims))
  return found
}

function throughConcat(t: Tracker, node: Node): Axes {
  const all = node.inputs.map((name) => t.axes.get(name) ?? [])
  const first = all.find((axes) => axes.length > 0) ?? []
  const rank = rankOf(t, node.outputs[0])
  const joined = (intAttribute(node, 'axis', 0) + rank) % rank
  const same = all.every(
    (axes) => axes.length === first.length && axes.every((k) => first.includes(k)),
  )
  if (!same && !first.every((k) => k === joined)) throw lost(node)
  return first
}

/** Selections along other axes leave the tokens alone. */
function throughSelection(t: Tracker, node: Node, axes: Axes): Axes {
  const rank = rankOf(t, node.inputs[0])
  const numbers = (i: number): readonly number[] | undefined => {
    const tensor = initializerOf(t.edit.graph, node.inputs[i] ?? '')
    return tensor === undefined ? undefined : [...tensorNumbers(tensor)]
  }
  if (node.op === 'Slice') {
    const cut = numbers(3) ?? (numbers(1) ?? []).map((_, k) => k)
    const whole = cut.every(
      (axis, j) => !axes.includes((axis + rank) % rank) || isWhole(numbers, j, t, node),
    )
    if (!whole) throw lost(node)
    return axes
  }
  const axis = (intAttribute(node, 'axis', 0) + rank) % rank
  if (axes.includes(axis)) throw lost(node)
  if (node.op === 'Split') return axes
  const grown = rankOf(t, node.inputs[1]) - 1
  return axes.map((k) => (k > axis ? k + grown : k))
}

/** A slice that takes everything, as exports of "all tokens" are written. */
function isWhole(
  numbers: (i: number) => readonly number[] | undefined,
  j: number,
  t: Tracker,
  node: Node,
): boolean {
  const size = dimsOf(t, node.inputs[0])[numbers(3)?.[j] ?? j] ?? 0
  return numbers(1)?.[j] === 0 && (numbers(2)?.[j] ?? 0) > size && (numbers(4)?.[j] ?? 1) === 1
}
