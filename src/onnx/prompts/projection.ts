import { UserFault } from '../../base/index.ts'
import { intAttribute, intsAttribute } from '../attribute.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { initializerOf, nodeTitle, producerOf } from '../graph.ts'
import { sizeOf, tensorNumbers } from '../tensor.ts'
import { constantsOf, movingInputs, upstreamOf } from './flow.ts'

/** How queries, keys or values come from a layer: one product with constant weights, then movements. */
export interface Projection {
  /** The MatMul or Gemm. */
  readonly node: Node
  /** What it multiplies. */
  readonly source: string
  /** Operations with constants right behind the product, channels last: biases, scales. */
  readonly affine: readonly Node[]
  /** From the operand of the attention up to the product: movements and scales. */
  readonly moves: readonly Node[]
  /** The last value that still has its channels in the last axis. */
  readonly output: string
}

const movements = new Set(
  'Reshape Transpose Squeeze Unsqueeze Flatten Identity Cast Split Slice Gather Expand Tile'.split(
    ' ',
  ),
)
const scalings = new Set(['Mul', 'Div', 'Add', 'Sub'])

/** The projection that an operand of an attention comes from; undefined when there is none of this form. */
export function projectionOf(
  graph: Graph,
  shapes: Shapes,
  operand: string,
): Projection | undefined {
  const constant = constantsOf(graph)
  const path: Node[] = []
  let value = operand
  for (;;) {
    const node = producerOf(graph, value)
    if (node === undefined || node.domain !== '') return undefined
    const weights = node.inputs[1] ?? ''
    const product = node.op === 'MatMul' || node.op === 'Gemm'
    if (product && constant.has(weights) && shapes.get(weights)?.dims.length === 2) {
      return split(graph, shapes, node, path, operand)
    }
    const moving = movingInputs(graph, node)
    if (movements.has(node.op)) value = node.inputs[0] ?? ''
    else if (scalings.has(node.op) && moving.length === 1) value = moving[0] ?? ''
    else {
      const before = beforeRotation(graph, shapes, node)
      if (before === undefined) return undefined
      value = before
      continue
    }
    path.push(node)
  }
}

/** Constant operations before the first movement belong to the product; what is behind moves. */
function split(
  graph: Graph,
  shapes: Shapes,
  node: Node,
  path: readonly Node[],
  operand: string,
): Projection {
  const affine: Node[] = []
  const moves = [...path]
  const channels = shapes.get(node.outputs[0] ?? '')?.dims.at(-1) ?? 0
  for (let last = moves.at(-1); last !== undefined && scalings.has(last.op); last = moves.at(-1)) {
    if (shapes.get(last.outputs[0] ?? '')?.dims.at(-1) !== channels) break
    affine.push(last)
    moves.pop()
  }
  const end = affine.at(-1) ?? node
  return {
    node,
    source: node.inputs[0] ?? '',
    affine,
    moves,
    output: moves.length === 0 && affine.length === 0 ? operand : (end.outputs[0] ?? ''),
  }
}

/**
 * The value before a rotation by positions: the nearest of the same dims that every operand of the
 * node comes from. Prompts have no position, so theirs passes it by.
 */
function beforeRotation(graph: Graph, shapes: Shapes, node: Node): string | undefined {
  const dims = shapes.get(node.outputs[0] ?? '')?.dims ?? []
  const rotary = node.op === 'RotaryEmbedding'
  if (rotary) return node.inputs[0]
  if (node.op !== 'Add' && node.op !== 'Concat') return undefined
  const near = node.inputs.map((name) => nearAncestors(graph, name, 10))
  const [first, ...rest] = near
  for (const name of first ?? []) {
    const same = shapes.get(name)?.dims
    const fits =
      same !== undefined && same.length === dims.length && same.every((d, k) => d === dims[k])
    if (fits && rest.every((others) => others.includes(name))) return name
  }
  return undefined
}

/** Values up to `depth` nodes above, nearest first. */
function nearAncestors(graph: Graph, value: string, depth: number): string[] {
  const found = [value]
  let front = [value]
  for (let i = 0; i < depth; i++) {
    front = front.flatMap((name) => {
      const node = producerOf(graph, name)
      return node === undefined || node.op === 'MatMul' ? [] : movingInputs(graph, node)
    })
    for (const name of front) if (!found.includes(name)) found.push(name)
  }
  return found
}

/** The coordinates in the first input that an element of a movement's output came from. */
export function sourceCoords(
  graph: Graph,
  shapes: Shapes,
  node: Node,
  output: string,
  at: readonly number[],
): number[] {
  const from = shapes.get(node.inputs[0] ?? '')?.dims ?? []
  const to = shapes.get(output)?.dims ?? []
  const rank = from.length
  const constantInput = (i: number): readonly number[] | undefined => {
    const tensor = initializerOf(graph, node.inputs[i] ?? '')
    return tensor === undefined ? undefined : [...tensorNumbers(tensor)]
  }
  switch (node.op) {
    case 'Transpose': {
      const perm = intsAttribute(node, 'perm') ?? from.map((_, k) => rank - 1 - k)
      return from.map((_, k) => at[perm.indexOf(k)] ?? 0)
    }
    case 'Expand':
    case 'Tile':
      return from.map((d, k) => (at[k + at.length - rank] ?? 0) % d)
    case 'Split': {
      const axis = (intAttribute(node, 'axis', 0) + rank) % rank
      const before = node.outputs.slice(0, node.outputs.indexOf(output))
      const start = before.reduce((n, name) => n + (shapes.get(name)?.dims[axis] ?? 0), 0)
      return from.map((_, k) => (at[k] ?? 0) + (k === axis ? start : 0))
    }
    case 'Slice': {
      const starts = constantInput(1) ?? []
      const axes = constantInput(3) ?? starts.map((_, k) => k)
      const steps = constantInput(4) ?? starts.map(() => 1)
      return from.map((d, k) => {
        const j = axes.findIndex((axis) => (axis + rank) % rank === k)
        if (j < 0) return at[k] ?? 0
        const start = starts[j] ?? 0
        return Math.min(d, start < 0 ? start + d : start) + (at[k] ?? 0) * (steps[j] ?? 1)
      })
    }
    case 'Gather': {
      const axis = (intAttribute(node, 'axis', 0) + rank) % rank
      const index = constantInput(1)
      if (index === undefined) throw lost(node)
      const inner = shapes.get(node.inputs[1] ?? '')?.dims.length ?? 0
      const row = index[inner === 0 ? 0 : (at[axis] ?? 0)] ?? 0
      return [
        ...at.slice(0, axis),
        (row + (from[axis] ?? 1)) % (from[axis] ?? 1),
        ...at.slice(axis + inner),
      ]
    }
    case 'Reshape':
    case 'Flatten':
    case 'Squeeze':
    case 'Unsqueeze':
      return unflat(flat(at, to), from)
    default:
      return [...at]
  }
}

function flat(at: readonly number[], dims: readonly number[]): number {
  return at.reduce((sum, c, k) => sum * (dims[k] ?? 1) + c, 0)
}

function unflat(index: number, dims: readonly number[]): number[] {
  return dims.map((d, k) => Math.floor(index / sizeOf(dims.slice(k + 1))) % d)
}

function lost(node: Node): UserFault {
  return new UserFault(
    'E_PROMPT_PATH',
    `The way of keys and values is lost at ${nodeTitle(node)}.`,
    {
      fields: { node: nodeTitle(node) },
      cure: 'Use the token form of the injection, or an export with ordinary head splits.',
    },
  )
}

/** How the heads lie in an operand of an attention: what a prompt's rows must be made to look like. */
export interface HeadLayout {
  /** Heads of one picture. */
  readonly heads: number
  readonly headSize: number
  /** For head h and place e of it, the channel of the projection: heads × headSize. */
  readonly channels: readonly number[]
  /** Factor that the operand has against the projection. */
  readonly scale: number
  /** Leading axes of the operand: batch and heads, apart or in one. */
  readonly lead: readonly number[]
  readonly tokens: number
}

/**
 * Follows single elements of an operand back to the projection.
 *
 * @param tokenAxis  of the operand, from its end: −1 for keys, −2 for values
 * @param batch  pictures in a run
 */
export function headLayout(
  graph: Graph,
  shapes: Shapes,
  projection: Projection,
  operand: string,
  tokenAxis: -1 | -2,
  batch: number,
): HeadLayout {
  const dims = shapes.get(operand)?.dims ?? []
  const lead = dims.slice(0, -2)
  const tokens = dims.at(tokenAxis) ?? 1
  const headSize = dims.at(tokenAxis === -1 ? -2 : -1) ?? 1
  const rows = sizeOf(lead)
  if (rows % batch !== 0) throw oddLayout(projection, dims)
  const heads = rows / batch
  const names = [operand, ...projection.moves.map((node) => movingInputs(graph, node)[0] ?? '')]
  const trace = (row: number, token: number, place: number): number[] => {
    let at = [...unflat(row, lead), ...(tokenAxis === -1 ? [place, token] : [token, place])]
    projection.moves.forEach((node, i) => {
      if (!scalings.has(node.op)) at = sourceCoords(graph, shapes, node, names[i] ?? '', at)
    })
    return at
  }
  const channels: number[] = []
  for (let h = 0; h < heads; h++) {
    for (let e = 0; e < headSize; e++) channels.push(trace(h, 0, e).at(-1) ?? 0)
  }
  // Batch outermost: the first head of the next picture must come from the channel of the first head.
  if (batch > 1 && trace(heads, 0, 0).at(-1) !== channels[0]) throw oddLayout(projection, dims)
  return { heads, headSize, channels, scale: scaleOf(graph, projection), lead, tokens }
}

function oddLayout(projection: Projection, dims: readonly number[]): UserFault {
  return new UserFault(
    'E_PROMPT_LAYOUT',
    `Heads of [${dims.join(', ')}] behind ${nodeTitle(projection.node)} are not picture by picture.`,
    { cure: 'Use the token form of the injection.' },
  )
}

/** The product of the scalar factors among the movements. */
function scaleOf(graph: Graph, projection: Projection): number {
  let scale = 1
  for (const node of projection.moves) {
    if (!scalings.has(node.op)) continue
    const other = node.inputs.find((name) => constantsOf(graph).has(name)) ?? ''
    const tensor = initializerOf(graph, other)
    const numbers = tensor === undefined ? [] : [...tensorNumbers(tensor)]
    const [factor] = numbers
    if (factor === undefined || numbers.length > 1 || (node.op !== 'Mul' && node.op !== 'Div')) {
      throw lost(node)
    }
    scale = node.op === 'Mul' ? scale * factor : scale / factor
  }
  return scale
}

/** True when a value is among those that a projection's weights come from. */
export function weightsDependOn(graph: Graph, projection: Projection, name: string): boolean {
  return upstreamOf(graph, [projection.node.inputs[1] ?? '']).has(name)
}
