import { intAttribute, intsAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import { sizeOf } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { reachOf, windowAttributes, windowOf } from '../window.ts'
import type { Window } from '../window.ts'
import { outputOf } from './elementwise.ts'

const maxPool: GradRule = (node, out, g) => {
  if (intAttribute(node, 'storage_order', 0) === 1) g.refuse(node, 'for column-major indices')
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const [, places] = g.outputsOf(node, 2)
  // Places are flat over the whole tensor; windows may overlap, hence the addition.
  const index = g.reshape({ name: places ?? '', type: 'int64', dims: dy.dims }, [sizeOf(dy.dims)])
  const flat = g.reshape(dy, [sizeOf(dy.dims)])
  const dims = [sizeOf(x.dims)]
  const dx = g.node('ScatterElements', [g.zeros(dims, x), index, flat], dims, {
    axis: 0,
    reduction: 'add',
  })
  return [g.reshape(dx, x.dims)]
}

/** How many cells each window of one axis counts: without padding unless it is included. */
function countsOf(w: Window, k: number, n: number, m: number, padded: boolean): number[] {
  const [begin, end] = [w.begins[k] ?? 0, w.ends[k] ?? 0]
  const [low, high] = padded ? [-begin, n + end] : [0, n]
  return upTo(m).map((i) => {
    const start = i * (w.strides[k] ?? 1) - begin
    const taps = upTo(w.kernel[k] ?? 1).map((t) => start + t * (w.dilations[k] ?? 1))
    return taps.filter((c) => c >= low && c < high).length
  })
}

const averagePool: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const y = g.value(outputOf(node))
  const [batch = 1, channels = 1, ...space] = x.dims
  const result = y.dims.slice(2)
  const kernel = intsAttribute(node, 'kernel_shape') ?? []
  const w = { ...windowOf(node, kernel, space, result), group: channels }
  const padded = intAttribute(node, 'count_include_pad', 0) === 1
  const shares = result.map((m, k) => {
    const counts = countsOf(w, k, space[k] ?? 1, m, padded)
    const dims = [1, 1, ...result.map((_, j) => (j === k ? m : 1))]
    return g.constant(
      counts.map((c) => 1 / c),
      dims,
      x,
    )
  })
  const dy = shares.reduce<Value>((d, share) => g.mul(d, share), first(out))
  // The ends that make exactly `result` windows: ceil_mode may reach further than the pads say.
  const ends = result.map(
    (m, k) => (m - 1) * (w.strides[k] ?? 1) + reachOf(w, k) - (w.begins[k] ?? 0) - (space[k] ?? 1),
  )
  const ones = g.constant(
    new Array<number>(channels * sizeOf(kernel)).fill(1),
    [channels, 1, ...kernel],
    x,
  )
  // Cells that no window reaches are zeros behind what the transposed convolution gives.
  const dims = [batch, channels, ...space.map((n, k) => n + Math.min(0, ends[k] ?? 0))]
  const reached = { ...w, ends: ends.map((e) => Math.max(0, e)) }
  const dx = g.node('ConvTranspose', [dy, ones], dims, windowAttributes(reached))
  return [
    g.pad(
      dx,
      x.dims.map(() => 0),
      [0, 0, ...ends.map((e) => Math.max(0, -e))],
    ),
  ]
}

const globalAverage: GradRule = (node, out, g) => {
  const area = sizeOf(g.value(inputOf(node, 0)).dims.slice(2))
  return [g.times(first(out), 1 / area)]
}

/** Ties share equally. */
const globalMax: GradRule = (node: Node, out, g: GradBuilder) => {
  const x = g.value(inputOf(node, 0))
  const axes = upTo(x.dims.length).slice(2)
  const hit = g.cast(g.compare('Equal', x, g.value(outputOf(node))), x.type)
  return [g.mul(g.div(first(out), g.sum(hit, axes)), hit)]
}

/** Pooling. */
export const poolRules = {
  MaxPool: maxPool,
  AveragePool: averagePool,
  GlobalAveragePool: globalAverage,
  GlobalMaxPool: globalMax,
} satisfies Record<string, GradRule>
