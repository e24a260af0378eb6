import { intAttribute, stringAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import { sizeOf, tensorNumbers } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { around, axisOf } from '../value.ts'
import type { Value } from '../value.ts'

/** Up to here a constant one-hot matrix is cheaper than a scatter. */
const oneHotUpTo = 1 << 18

/** dy added onto zeros at the rows that `index` names along `axis`; dims [before, rows, behind]. */
function scatterRows(dy: Value, index: Value, rows: number, g: GradBuilder): Value {
  const [before = 1, count = 1, behind = 1] = dy.dims
  const spread = g.expand(g.reshape(index, [1, count, 1]), [before, count, behind])
  const dims = [before, rows, behind]
  return g.node('ScatterElements', [g.zeros(dims, dy), spread, dy], dims, {
    axis: 1,
    reduction: 'add',
  })
}

const gather: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const index = g.value(inputOf(node, 1))
  const axis = axisOf(intAttribute(node, 'axis', 0), x.dims.length)
  const [before, rows, behind] = around(x.dims, axis)
  const count = sizeOf(index.dims)
  const dy = g.reshape(first(out), [before, count, behind])
  const constant = g.constantOf(index.name)
  if (constant === undefined || count * rows > oneHotUpTo) {
    return [g.reshape(scatterRows(dy, index, rows, g), x.dims)]
  }
  const places = [...tensorNumbers(constant)].map((i) => axisOf(i, rows))
  const one = places.length === 1 ? places[0] : undefined
  if (one !== undefined) {
    return [g.reshape(g.pad(dy, [0, one, 0], [0, rows - one - 1, 0]), x.dims)]
  }
  const oneHot = new Array<number>(rows * count).fill(0)
  places.forEach((row, k) => (oneHot[row * count + k] = 1))
  return [g.reshape(g.matmul(g.constant(oneHot, [rows, count], dy), dy), x.dims)]
}

const gatherElements: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const index = g.value(inputOf(node, 1))
  const axis = intAttribute(node, 'axis', 0)
  const zeros = g.zeros(x.dims, x)
  return [g.node('ScatterElements', [zeros, index, first(out)], x.dims, { axis, reduction: 'add' })]
}

/** Indices of GatherND made linear: one number for each row of x, whose other axes are flat. */
function linearRows(x: Value, index: Value, batch: number, g: GradBuilder): Value {
  const width = index.dims.at(-1) ?? 1
  const indexed = x.dims.slice(batch, batch + width)
  const sizes = g.ints(indexed)
  const positive = g.where(g.compare('Less', index, g.ints([0], [])), g.add(index, sizes), index)
  const strides = indexed.map((_, k) => sizeOf(indexed.slice(k + 1)))
  const weighted = g.mul(positive, g.ints(strides))
  const rows = g.reshape(g.sum(weighted, [index.dims.length - 1]), index.dims.slice(0, -1))
  if (batch === 0) return g.reshape(rows, [sizeOf(rows.dims)])
  const lead = index.dims.slice(0, batch)
  const offsets = Array.from({ length: sizeOf(lead) }, (_, i) => i * sizeOf(indexed))
  const dims = [...lead, ...index.dims.slice(batch, -1).map(() => 1)]
  return g.reshape(g.add(rows, g.ints(offsets, dims)), [sizeOf(rows.dims)])
}

const gatherNd: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const index = g.value(inputOf(node, 1))
  const batch = intAttribute(node, 'batch_dims', 0)
  const inner = sizeOf(x.dims.slice(batch + (index.dims.at(-1) ?? 1)))
  const rows = linearRows(x, index, batch, g)
  const dy = g.reshape(first(out), [1, sizeOf(rows.dims), inner])
  return [g.reshape(scatterRows(dy, rows, sizeOf(x.dims) / inner, g), x.dims)]
}

/** Refuses reductions whose gradient depends on who won. */
function additive(node: Node, g: GradBuilder): boolean {
  const reduction = stringAttribute(node, 'reduction', 'none')
  if (reduction !== 'none' && reduction !== 'add') g.refuse(node, `with reduction "${reduction}"`)
  return reduction === 'add'
}

const scatterElements: GradRule = (node, out, g) => {
  const dy = first(out)
  const index = g.value(inputOf(node, 1))
  const axis = intAttribute(node, 'axis', 0)
  const kept = additive(node, g)
    ? dy
    : g.node('ScatterElements', [dy, index, g.zeros(index.dims, dy)], dy.dims, { axis })
  return [kept, null, g.node('GatherElements', [dy, index], index.dims, { axis })]
}

const scatterNd: GradRule = (node, out, g) => {
  const dy = first(out)
  const index = g.value(inputOf(node, 1))
  const updates = g.value(inputOf(node, 2))
  // Without a reduction: adding by ScatterND races between threads; writing zeros twice does no harm.
  const kept = additive(node, g)
    ? dy
    : g.node('ScatterND', [dy, index, g.zeros(updates.dims, dy)], dy.dims)
  return [kept, null, g.node('GatherND', [dy, index], updates.dims)]
}

const topK: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const [, places] = g.outputsOf(node, 2)
  const index: Value = { name: places ?? '', type: 'int64', dims: dy.dims }
  const axis = intAttribute(node, 'axis', -1)
  return [
    g.node('ScatterElements', [g.zeros(x.dims, x), index, dy], x.dims, { axis, reduction: 'add' }),
  ]
}

/** What reads and writes by index. ScatterElements is serial and right; ScatterND never adds. */
export const indexRules = {
  Gather: gather,
  GatherElements: gatherElements,
  GatherND: gatherNd,
  ScatterElements: scatterElements,
  ScatterND: scatterNd,
  TopK: topK,
} satisfies Record<string, GradRule>
