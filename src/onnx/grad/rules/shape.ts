import { intAttribute, intsAttribute, stringAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import { tensorNumbers } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { axisOf, upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { outputOf } from './elementwise.ts'

/** The whole numbers of a constant input; undefined when it was left out. */
export function constantInts(node: Node, i: number, g: GradBuilder): number[] | undefined {
  const name = inputOf(node, i)
  if (name === '') return undefined
  const tensor = g.constantOf(name)
  if (tensor === undefined) return g.refuse(node, `for an input ${i} that is not constant`)
  return [...tensorNumbers(tensor)]
}

const reshapeBack: GradRule = (node, out, g) => [
  g.reshape(first(out), g.value(inputOf(node, 0)).dims),
]

const transpose: GradRule = (node, out, g) => {
  const dy = first(out)
  const rank = dy.dims.length
  const perm = intsAttribute(node, 'perm') ?? upTo(rank).reverse()
  return [
    g.transpose(
      dy,
      upTo(rank).map((k) => perm.indexOf(k)),
    ),
  ]
}

const expand: GradRule = (node, out, g) => {
  const dy = first(out)
  return [g.unbroadcast(dy, dy.dims, g.value(inputOf(node, 0)).dims)]
}

const tile: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const y = first(out)
  // Each axis as (repeat, size): the repeats are summed.
  const split = x.dims.flatMap((d, k) => [(y.dims[k] ?? 1) / d, d])
  const repeats = upTo(x.dims.length).map((k) => 2 * k)
  return [g.reshape(g.sum(g.reshape(y, split), repeats), x.dims)]
}

const concat: GradRule = (node, out, g) => {
  const dy = first(out)
  const axis = axisOf(intAttribute(node, 'axis', 0), dy.dims.length)
  let start = 0
  return node.inputs.map((name) => {
    const from = start
    start += g.value(name).dims[axis] ?? 0
    return g.wanted(name) ? g.slice(dy, axis, from, start) : null
  })
}

const split: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const parts = node.outputs.map((name, i) => {
    const dy = out[i] ?? null
    if (dy !== null) return dy
    const part = g.value(name)
    return g.zeros(part.dims, part)
  })
  return [g.concat(parts, axis)]
}

/** Starts, steps and counts along every axis of a slice with constant bounds. */
function sliceOf(
  node: Node,
  x: Value,
  y: Value,
  g: GradBuilder,
): { readonly start: number[]; readonly step: number[] } {
  const starts = constantInts(node, 1, g) ?? []
  const axes = constantInts(node, 3, g) ?? upTo(starts.length)
  const steps = constantInts(node, 4, g) ?? starts.map(() => 1)
  const start = x.dims.map(() => 0)
  const step = x.dims.map(() => 1)
  axes.forEach((a, j) => {
    const k = axisOf(a, x.dims.length)
    const d = x.dims[k] ?? 1
    const by = steps[j] ?? 1
    const s = starts[j] ?? 0
    const from = s < 0 ? s + d : s
    start[k] = Math.max(0, Math.min(by > 0 ? d : d - 1, from))
    step[k] = by
  })
  return { start: start.map((s, k) => ((y.dims[k] ?? 0) === 0 ? 0 : s)), step }
}

/** Rows along an axis in the order from last to first. */
function reversed(x: Value, axis: number, g: GradBuilder): Value {
  const order = upTo(x.dims[axis] ?? 1).reverse()
  return g.node('Gather', [x, g.ints(order)], x.dims, { axis })
}

/** x with `step` − 1 zeros behind each row of an axis. */
function spread(x: Value, axis: number, step: number, g: GradBuilder): Value {
  const dims = [...x.dims.slice(0, axis + 1), 1, ...x.dims.slice(axis + 1)]
  const wide = g.reshape(x, dims)
  const ends = dims.map((_, k) => (k === axis + 1 ? step - 1 : 0))
  const padded = g.pad(
    wide,
    dims.map(() => 0),
    ends,
  )
  return g.reshape(padded, x.dims.with(axis, (x.dims[axis] ?? 1) * step))
}

const slice: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  let d = first(out)
  const { start, step } = sliceOf(node, x, d, g)
  step.forEach((by, k) => {
    const m = d.dims[k] ?? 1
    if (by < 0) {
      d = reversed(d, k, g)
      start[k] = (start[k] ?? 0) + (m - 1) * by
    }
    if (Math.abs(by) > 1) d = spread(d, k, Math.abs(by), g)
  })
  const ends = x.dims.map((n, k) => n - (start[k] ?? 0) - (d.dims[k] ?? 1))
  return [g.pad(d, start, ends)]
}

const pad: GradRule = (node, out, g) => {
  const mode = stringAttribute(node, 'mode', 'constant')
  if (mode !== 'constant') g.refuse(node, `in mode "${mode}"`)
  if (g.wanted(inputOf(node, 2))) g.refuse(node, 'for its fill')
  const x = g.value(inputOf(node, 0))
  const pads = constantInts(node, 1, g) ?? []
  const axes = (constantInts(node, 3, g) ?? upTo(x.dims.length)).map((a) =>
    axisOf(a, x.dims.length),
  )
  const begins = x.dims.map(() => 0)
  const ends = x.dims.map(() => 0)
  axes.forEach((k, j) => {
    begins[k] = -(pads[j] ?? 0)
    ends[k] = -(pads[j + axes.length] ?? 0)
  })
  return [g.pad(first(out), begins, ends)]
}

/** Blocks of depth and blocks of space are the same six axes in two orders. */
const blocks =
  (toSpace: boolean): GradRule =>
  (node, out, g) => {
    const x = g.value(inputOf(node, 0))
    const b = intAttribute(node, 'blocksize', 1)
    const dcr = stringAttribute(node, 'mode', 'DCR') === 'DCR'
    const deep = toSpace ? x : first(out)
    const [n = 1, c = 1, h = 1, w = 1] = deep.dims
    const rest = c / b / b
    if (!toSpace) {
      const six = dcr ? [n, b, b, rest, h, w] : [n, rest, b, b, h, w]
      const perm = dcr ? [0, 3, 4, 1, 5, 2] : [0, 1, 4, 2, 5, 3]
      return [g.reshape(g.transpose(g.reshape(deep, six), perm), x.dims)]
    }
    const six = g.reshape(first(out), [n, rest, h, b, w, b])
    return [g.reshape(g.transpose(six, dcr ? [0, 3, 5, 1, 2, 4] : [0, 1, 3, 5, 2, 4]), x.dims)]
  }

const cumSum: GradRule = (node, out, g) => {
  const dy = first(out)
  const axis = g.value(inputOf(node, 1))
  const attributes = {
    reverse: 1 - intAttribute(node, 'reverse', 0),
    exclusive: intAttribute(node, 'exclusive', 0),
  }
  return [g.node('CumSum', [dy, axis], dy.dims, attributes)]
}

const trilu: GradRule = (node, out, g) => {
  const dy = first(out)
  const k = inputOf(node, 1)
  const inputs = k === '' ? [dy] : [dy, g.value(k)]
  return [g.node('Trilu', inputs, dy.dims, { upper: intAttribute(node, 'upper', 1) })]
}

/** Rotation is orthogonal up to its tables: back with the sine turned round. */
const rotary: GradRule = (node, out, g) => {
  const dy = first(out)
  const [cos, sin] = [g.value(inputOf(node, 1)), g.value(inputOf(node, 2))]
  const positions = inputOf(node, 3)
  const rest = positions === '' ? [] : [g.value(positions)]
  const dims = g.value(outputOf(node)).dims
  return [
    g.node('RotaryEmbedding', [dy, cos, g.neg(sin), ...rest], dims, {
      interleaved: intAttribute(node, 'interleaved', 0),
      num_heads: intAttribute(node, 'num_heads', 0),
      rotary_embedding_dim: intAttribute(node, 'rotary_embedding_dim', 0),
    }),
  ]
}

/** What moves elements about. */
export const shapeRules = {
  Reshape: reshapeBack,
  Flatten: reshapeBack,
  Squeeze: reshapeBack,
  Unsqueeze: reshapeBack,
  Transpose: transpose,
  Expand: expand,
  Tile: tile,
  Concat: concat,
  Split: split,
  Slice: slice,
  Pad: pad,
  DepthToSpace: blocks(true),
  SpaceToDepth: blocks(false),
  CumSum: cumSum,
  Trilu: trilu,
  RotaryEmbedding: rotary,
} satisfies Record<string, GradRule>
