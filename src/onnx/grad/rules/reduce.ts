import { intAttribute, intsAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import { sizeOf, tensorNumbers } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import { axisOf, upTo } from '../value.ts'
import type { Value } from '../value.ts'
import { outputOf } from './elementwise.ts'

/** The axes a reduction folds, from the attribute or the constant input. */
export function reducedAxes(node: Node, g: GradBuilder): readonly number[] {
  const rank = g.value(inputOf(node, 0)).dims.length
  const name = inputOf(node, 1)
  const constant = name === '' ? undefined : g.constantOf(name)
  if (name !== '' && constant === undefined) g.refuse(node, 'for axes that are not constant')
  const axes = constant === undefined ? intsAttribute(node, 'axes') : [...tensorNumbers(constant)]
  if (axes === undefined || axes.length === 0) {
    return intAttribute(node, 'noop_with_empty_axes', 0) === 1 ? [] : upTo(rank)
  }
  return axes.map((axis) => axisOf(axis, rank))
}

interface Reduced {
  readonly x: Value
  /** Result and its gradient, the folded axes kept with size 1. */
  readonly y: Value
  readonly dy: Value
  readonly axes: readonly number[]
  /** How many elements were folded into one. */
  readonly size: number
}

const reduction =
  (rule: (reduced: Reduced, g: GradBuilder) => Value): GradRule =>
  (node, out, g) => {
    const x = g.value(inputOf(node, 0))
    const axes = reducedAxes(node, g)
    const kept = x.dims.map((d, k) => (axes.includes(k) ? 1 : d))
    const size = sizeOf(axes.map((k) => x.dims[k] ?? 1))
    const y = g.reshape(g.value(outputOf(node)), kept)
    return [rule({ x, y, dy: g.reshape(first(out), kept), axes, size }, g)]
  }

/** Ties share equally. */
const extreme = reduction(({ x, y, dy, axes }, g) => {
  const hit = g.cast(g.compare('Equal', x, y), x.type)
  return g.mul(g.div(dy, g.sum(hit, axes)), hit)
})

const softmax: GradRule = (node, out, g) => {
  const y = g.value(outputOf(node))
  const axes = [axisOf(intAttribute(node, 'axis', -1), y.dims.length)]
  const dy = first(out)
  return [g.mul(y, g.sub(dy, g.sum(g.mul(dy, y), axes)))]
}

/** Logarithm of a probability that is nothing beside 1 in float32: e^-44 is below 2^-63. */
const NOTHING = -44

/**
 * Probabilities that are nothing count as 0. Kept, a loss that is almost 0 would send subnormal numbers
 * through the whole backward pass, which processors work on 50 times more slowly.
 */
const logSoftmax: GradRule = (node, out, g) => {
  const y = g.value(outputOf(node))
  const axes = [axisOf(intAttribute(node, 'axis', -1), y.dims.length)]
  const dy = first(out)
  const nothing = g.compare('Less', y, g.scalar(NOTHING, y))
  const p = g.where(nothing, g.scalar(0, y), g.map('Exp', y))
  return [g.sub(dy, g.mul(p, g.sum(dy, axes)))]
}

/** Folds along axes. Sums and means stay of size 1 there: they are expanded only when someone must. */
export const reduceRules = {
  ReduceSum: reduction(({ dy }) => dy),
  ReduceMean: reduction(({ dy, size }, g) => g.times(dy, 1 / size)),
  ReduceSumSquare: reduction(({ x, dy }, g) => g.mul(g.times(dy, 2), x)),
  ReduceL1: reduction(({ x, dy }, g) => g.mul(dy, g.map('Sign', x))),
  ReduceL2: reduction(({ x, y, dy }, g) => {
    const zero = g.compare('Equal', y, g.scalar(0, y))
    return g.where(zero, g.scalar(0, y), g.mul(x, g.div(dy, y)))
  }),
  ReduceLogSum: reduction(({ y, dy }, g) => g.div(dy, g.map('Exp', y))),
  ReduceLogSumExp: reduction(({ x, y, dy }, g) => g.mul(dy, g.map('Exp', g.sub(x, y)))),
  ReduceMax: extreme,
  ReduceMin: extreme,
  Softmax: softmax,
  LogSoftmax: logSoftmax,
} satisfies Record<string, GradRule>
