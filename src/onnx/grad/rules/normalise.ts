import { floatAttribute, intAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import { sizeOf } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { axisOf, upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { back } from './elementwise.ts'

interface Standard {
  /** (x − mean)·r */
  readonly xhat: Value
  /** 1/√(variance + ε) */
  readonly r: Value
}

/** Mean and scale computed again, where the operator does not give them. */
function standardise(x: Value, axes: readonly number[], epsilon: number, g: GradBuilder): Standard {
  const centred = g.sub(x, g.mean(x, axes))
  const variance = g.mean(g.mul(centred, centred), axes)
  const r = g.map('Reciprocal', g.map('Sqrt', g.plus(variance, epsilon)))
  return { xhat: g.mul(centred, r), r }
}

/** r⊙(d − mean(d) − x̂⊙mean(d⊙x̂)), d the gradient of x̂. */
function throughStandard(d: Value, s: Standard, axes: readonly number[], g: GradBuilder): Value {
  const slope = g.mul(s.xhat, g.mean(g.mul(d, s.xhat), axes))
  return g.mul(s.r, g.sub(g.sub(d, g.mean(d, axes)), slope))
}

const layerNorm: GradRule = (node, out, g) => {
  if ((out[1] ?? null) !== null || (out[2] ?? null) !== null) g.refuse(node, 'of its statistics')
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const axis = axisOf(intAttribute(node, 'axis', -1), x.dims.length)
  const axes = upTo(x.dims.length).slice(axis)
  const kept = x.dims.map((d, k) => (k < axis ? d : 1))
  const statistic = (name: string | undefined): Value => ({
    name: name ?? '',
    type: x.type,
    dims: kept,
  })
  const standard = (): Standard => {
    // The runtime gives statistics in float32 whatever the type: for doubles they are computed again.
    if (x.type !== 'float32') return standardise(x, axes, floatAttribute(node, 'epsilon', 1e-5), g)
    const [, mean, inverse] = g.outputsOf(node, 3)
    const r = statistic(inverse)
    return { xhat: g.mul(g.sub(x, statistic(mean)), r), r }
  }
  const s = g.wanted(x.name) || g.wanted(inputOf(node, 1)) ? standard() : undefined
  const scaled = g.mul(dy, g.value(inputOf(node, 1)))
  return [
    s !== undefined && g.wanted(x.name) ? throughStandard(scaled, s, axes, g) : null,
    s === undefined ? null : back(node, g, 1, () => g.mul(dy, s.xhat)),
    back(node, g, 2, () => dy),
  ]
}

const rmsNorm: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const axis = axisOf(intAttribute(node, 'axis', -1), x.dims.length)
  const axes = upTo(x.dims.length).slice(axis)
  const square = g.mean(g.mul(x, x), axes)
  const epsilon = floatAttribute(node, 'epsilon', 1e-5)
  const r = g.map('Reciprocal', g.map('Sqrt', g.plus(square, epsilon)))
  const xhat = g.mul(x, r)
  const d = g.mul(dy, g.value(inputOf(node, 1)))
  return [
    g.mul(r, g.sub(d, g.mul(xhat, g.mean(g.mul(d, xhat), axes)))),
    back(node, g, 1, () => g.mul(dy, xhat)),
  ]
}

/** A value per channel as [1, C, 1, ...]. */
function channels(v: Value, rank: number, g: GradBuilder): Value {
  return g.reshape(v, [1, sizeOf(v.dims), ...upTo(rank - 2).map(() => 1)])
}

/** Gradients of scale and bias per channel: sums over batch and space. */
function channelSums(node: Node, dy: Value, xhat: Value, g: GradBuilder): (Value | null)[] {
  const axes = upTo(dy.dims.length).filter((k) => k !== 1)
  const each = (i: number, make: () => Value): Value | null => {
    const name = inputOf(node, i)
    return g.wanted(name) ? g.reshape(g.sum(make(), axes), g.value(name).dims) : null
  }
  return [each(1, () => g.mul(dy, xhat)), each(2, () => dy)]
}

const instanceNorm: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const axes = upTo(x.dims.length).slice(2)
  const s = standardise(x, axes, floatAttribute(node, 'epsilon', 1e-5), g)
  const d = g.mul(first(out), channels(g.value(inputOf(node, 1)), x.dims.length, g))
  return [throughStandard(d, s, axes, g), ...channelSums(node, first(out), s.xhat, g)]
}

const groupNorm: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const [n = 1, c = 1] = x.dims
  const groups = intAttribute(node, 'num_groups', 1)
  const scale = g.value(inputOf(node, 1))
  const grouped = [n, groups, sizeOf(x.dims) / n / groups]
  const s = standardise(g.reshape(x, grouped), [2], floatAttribute(node, 'epsilon', 1e-5), g)
  if (sizeOf(scale.dims) === c && g.builder.opset >= 21) {
    const d = g.mul(dy, channels(scale, x.dims.length, g))
    const dx = throughStandard(g.reshape(d, grouped), s, [2], g)
    return [g.reshape(dx, x.dims), ...channelSums(node, dy, g.reshape(s.xhat, x.dims), g)]
  }
  // Until opset 20 scale and bias are per group.
  const flat = g.reshape(dy, grouped)
  const d = g.mul(flat, g.reshape(scale, [1, groups, 1]))
  return [g.reshape(throughStandard(d, s, [2], g), x.dims), ...channelSums(node, flat, s.xhat, g)]
}

const batchNorm: GradRule = (node, out, g) => {
  const x = g.value(inputOf(node, 0))
  const dy = first(out)
  const rank = x.dims.length
  const epsilon = floatAttribute(node, 'epsilon', 1e-5)
  const scale = channels(g.value(inputOf(node, 1)), rank, g)
  if (intAttribute(node, 'training_mode', 0) === 1) {
    const axes = upTo(rank).filter((k) => k !== 1)
    const s = standardise(x, axes, epsilon, g)
    return [throughStandard(g.mul(dy, scale), s, axes, g), ...channelSums(node, dy, s.xhat, g)]
  }
  if (g.wanted(inputOf(node, 3)) || g.wanted(inputOf(node, 4))) g.refuse(node, 'of its statistics')
  const [mean, variance] = [3, 4].map((i) => channels(g.value(inputOf(node, i)), rank, g)) as [
    Value,
    Value,
  ]
  const r = g.map('Reciprocal', g.map('Sqrt', g.plus(variance, epsilon)))
  const xhat = g.mul(g.sub(x, mean), r)
  return [g.mul(dy, g.mul(scale, r)), ...channelSums(node, dy, xhat, g)]
}

const lpNormalization: GradRule = (node, out, g) => {
  if (intAttribute(node, 'p', 2) !== 2) g.refuse(node, 'for p = 1')
  const x = g.value(inputOf(node, 0))
  const axes = [axisOf(intAttribute(node, 'axis', -1), x.dims.length)]
  const norm = g.reduce('ReduceL2', x, axes)
  const y = g.div(x, norm)
  return [g.div(g.sub(first(out), g.mul(y, g.sum(g.mul(first(out), y), axes))), norm)]
}

/** Normalisations; x̂ is computed from x, never from (y − β)/γ, whose γ may be near zero. */
export const normaliseRules = {
  LayerNormalization: layerNorm,
  RMSNormalization: rmsNorm,
  SimplifiedLayerNormalization: rmsNorm,
  InstanceNormalization: instanceNorm,
  GroupNormalization: groupNorm,
  BatchNormalization: batchNorm,
  LpNormalization: lpNormalization,
} satisfies Record<string, GradRule>
