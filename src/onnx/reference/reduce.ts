import { floatAttribute, intAttribute, intsAttribute } from '../attribute.ts'
import type { Node } from '../graph.ts'
import type { Kernel } from './evaluate.ts'
import { at, axisOf, coordsOf, count, expandTo, fold, nd, reshape, zip } from './nd.ts'
import type { Nd } from './nd.ts'

const sum = (v: readonly number[]): number => v.reduce((s, x) => s + x, 0)
const mean = (v: readonly number[]): number => sum(v) / v.length
const variance = (v: readonly number[]): number => mean(v.map((x) => (x - mean(v)) ** 2))
const logSumExp = (v: readonly number[]): number => {
  const top = Math.max(...v)
  return top + Math.log(sum(v.map((x) => Math.exp(x - top))))
}

function axesOf(node: Node, x: Nd, axes?: Nd): readonly number[] {
  const given = axes === undefined ? intsAttribute(node, 'axes') : [...axes.data]
  if (given !== undefined && given.length > 0) return given
  return intAttribute(node, 'noop_with_empty_axes', 0) === 1 ? [] : x.dims.map((_, k) => k)
}

const reduction =
  (f: (values: readonly number[]) => number): Kernel =>
  (node, [x, axes]) => [fold(x, axesOf(node, x, axes), f, intAttribute(node, 'keepdims', 1) === 1)]

const argument =
  (best: (...values: number[]) => number): Kernel =>
  (node, [x]) => {
    const axis = intAttribute(node, 'axis', 0)
    const keep = intAttribute(node, 'keepdims', 1) === 1
    return [{ ...fold(x, [axis], (v) => v.indexOf(best(...v)), keep), type: 'int64' }]
  }

/** x − mean, over √(variance + ε), within the groups along `axes`. */
function standard(x: Nd, axes: readonly number[], epsilon: number): [Nd, Nd, Nd] {
  const mu = fold(x, axes, mean)
  const r = fold(x, axes, (v) => 1 / Math.sqrt(variance(v) + epsilon))
  return [zip([x, mu, r], (v, m, k) => (v - m) * k), mu, r]
}

const channels = (v: Nd, rank: number): Nd =>
  reshape(v, [v.data.length, ...new Array<number>(rank - 2).fill(1)])

const affine = (x: Nd, scale?: Nd, bias?: Nd): Nd =>
  zip([x, scale ?? nd([], () => 1), bias ?? nd([], () => 0)], (v, s, b) => v * s + b)

const layerNorm: Kernel = (node, [x, scale, bias]) => {
  const axis = axisOf(intAttribute(node, 'axis', -1), x.dims.length)
  const axes = x.dims.map((_, k) => k).slice(axis)
  const [xhat, mu, r] = standard(x, axes, floatAttribute(node, 'epsilon', 1e-5))
  return [affine(xhat, scale, bias), mu, r]
}

const rmsNorm: Kernel = (node, [x, scale]) => {
  const axis = axisOf(intAttribute(node, 'axis', -1), x.dims.length)
  const axes = x.dims.map((_, k) => k).slice(axis)
  const epsilon = floatAttribute(node, 'epsilon', 1e-5)
  const r = fold(x, axes, (v) => 1 / Math.sqrt(mean(v.map((e) => e * e)) + epsilon))
  return [
    affine(
      zip([x, r], (v, k) => v * k),
      scale,
    ),
    r,
  ]
}

const instanceNorm: Kernel = (node, [x, scale, bias]) => {
  const rank = x.dims.length
  const axes = x.dims.map((_, k) => k).slice(2)
  const [xhat] = standard(x, axes, floatAttribute(node, 'epsilon', 1e-5))
  return [affine(xhat, channels(scale, rank), channels(bias, rank))]
}

const groupNorm: Kernel = (node, [x, scale, bias]) => {
  const groups = intAttribute(node, 'num_groups', 1)
  const [n, c] = x.dims as [number, number]
  const flat = reshape(x, [n, groups, count(x.dims) / n / groups])
  const [xhat] = standard(flat, [2], floatAttribute(node, 'epsilon', 1e-5))
  const full = reshape(xhat, x.dims)
  // Until opset 20 there was a scale for each group.
  const each = (v: Nd): Nd =>
    channels(
      nd([c], (i) => at(v, Math.floor((i * v.data.length) / c))),
      x.dims.length,
    )
  return [affine(full, each(scale), each(bias))]
}

const batchNorm: Kernel = (node, [x, scale, bias, mu, v]) => {
  const rank = x.dims.length
  const epsilon = floatAttribute(node, 'epsilon', 1e-5)
  if (intAttribute(node, 'training_mode', 0) === 1) {
    const axes = x.dims.map((_, k) => k).filter((k) => k !== 1)
    const keep = floatAttribute(node, 'momentum', 0.9)
    const [xhat] = standard(x, axes, epsilon)
    const running = (old: Nd, now: Nd): Nd =>
      zip([old, reshape(now, old.dims)], (a, b) => keep * a + (1 - keep) * b)
    return [
      affine(xhat, channels(scale, rank), channels(bias, rank)),
      running(mu, fold(x, axes, mean)),
      running(v, fold(x, axes, variance)),
    ]
  }
  const xhat = zip(
    [x, channels(mu, rank), channels(v, rank)],
    (a, m, s) => (a - m) / Math.sqrt(s + epsilon),
  )
  return [affine(xhat, channels(scale, rank), channels(bias, rank))]
}

function softmax(node: Node, x: Nd, log: boolean): Nd {
  const axis = intAttribute(node, 'axis', -1)
  const lse = expandTo(fold(x, [axis], logSumExp), x.dims)
  return zip([x, lse], (v, s) => (log ? v - s : Math.exp(v - s)))
}

const cumsum: Kernel = (node, [x, axis]) => {
  const k = axisOf(at(axis, 0), x.dims.length)
  const reverse = intAttribute(node, 'reverse', 0) === 1
  const exclusive = intAttribute(node, 'exclusive', 0) === 1
  const n = x.dims[k] ?? 1
  const inner = count(x.dims.slice(k + 1))
  return [
    nd(x.dims, (i) => {
      const here = coordsOf(i, x.dims)[k] ?? 0
      let total = 0
      for (let j = 0; j < n; j++) {
        const before = reverse ? j > here : j < here
        if (before || (j === here && !exclusive)) total += at(x, i + (j - here) * inner)
      }
      return total
    }),
  ]
}

const lpNormalization: Kernel = (node, [x]) => {
  const p = intAttribute(node, 'p', 2)
  const norm = (v: readonly number[]): number => sum(v.map((e) => Math.abs(e) ** p)) ** (1 / p)
  return [zip([x, fold(x, [intAttribute(node, 'axis', -1)], norm)], (v, s) => v / s)]
}

/** Folds along axes, and what normalises by them. */
export const reductions: Readonly<Record<string, Kernel>> = {
  ReduceSum: reduction(sum),
  ReduceMean: reduction(mean),
  ReduceMax: reduction((v) => Math.max(...v)),
  ReduceMin: reduction((v) => Math.min(...v)),
  ReduceProd: reduction((v) => v.reduce((p, x) => p * x, 1)),
  ReduceSumSquare: reduction((v) => sum(v.map((x) => x * x))),
  ReduceL1: reduction((v) => sum(v.map(Math.abs))),
  ReduceL2: reduction((v) => Math.hypot(...v)),
  ReduceLogSum: reduction((v) => Math.log(sum(v))),
  ReduceLogSumExp: reduction(logSumExp),
  ArgMax: argument(Math.max),
  ArgMin: argument(Math.min),
  Softmax: (node, [x]) => [softmax(node, x, false)],
  LogSoftmax: (node, [x]) => [softmax(node, x, true)],
  LayerNormalization: layerNorm,
  RMSNormalization: rmsNorm,
  SimplifiedLayerNormalization: rmsNorm,
  InstanceNormalization: instanceNorm,
  GroupNormalization: groupNorm,
  BatchNormalization: batchNorm,
  LpNormalization: lpNormalization,
  CumSum: cumsum,
}
