import { floatAttribute, stringAttribute } from '../../attribute.ts'
import type { Node } from '../../graph.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import type { Value } from '../value.ts'
import { back, outputOf } from './elementwise.ts'

const operand = (node: Node, g: GradBuilder): Value => g.value(inputOf(node, 0))

const positive = (x: Value, g: GradBuilder): Value => g.compare('Greater', x, g.scalar(0, x))

/** Φ(a) + a·φ(a). */
function exactGelu(a: Value, g: GradBuilder): Value {
  const phi = g.times(g.plus(g.map('Erf', g.times(a, Math.SQRT1_2)), 1), 0.5)
  const bell = g.map('Exp', g.times(g.mul(a, a), -0.5))
  return g.add(phi, g.mul(a, g.times(bell, 1 / Math.sqrt(2 * Math.PI))))
}

/** (1 + t)/2 + (a/2)(1 − t²)√(2/π)(1 + 0.134145a²), with t = tanh √(2/π)(a + 0.044715a³). */
function tanhGelu(a: Value, g: GradBuilder): Value {
  const k = Math.sqrt(2 / Math.PI)
  const square = g.mul(a, a)
  const t = g.map('Tanh', g.times(g.mul(a, g.plus(g.times(square, 0.044715), 1)), k))
  const rise = g.times(g.plus(g.times(square, 0.134145), 1), k / 2)
  const bend = g.sub(g.scalar(1, a), g.mul(t, t))
  return g.add(g.times(g.plus(t, 1), 0.5), g.mul(g.mul(a, bend), rise))
}

const gelu: GradRule = (node, out, g) => {
  const tanh = stringAttribute(node, 'approximate', 'none') === 'tanh'
  const a = operand(node, g)
  return [g.mul(first(out), tanh ? tanhGelu(a, g) : exactGelu(a, g))]
}

/** dy, times a slope where the operand is not above zero. */
const below =
  (slope: (node: Node, g: GradBuilder) => Value): GradRule =>
  (node, out, g) => {
    const dy = first(out)
    return [g.where(positive(operand(node, g), g), dy, g.mul(dy, slope(node, g)))]
  }

const pRelu: GradRule = (node, out, g) => {
  const dy = first(out)
  const x = operand(node, g)
  const mask = positive(x, g)
  return [
    back(node, g, 0, () => g.where(mask, dy, g.mul(dy, g.value(inputOf(node, 1))))),
    back(node, g, 1, () => g.where(mask, g.scalar(0, dy), g.mul(dy, x))),
  ]
}

const clip: GradRule = (node, out, g) => {
  const [low, high] = [inputOf(node, 1), inputOf(node, 2)]
  if (g.wanted(low) || g.wanted(high)) g.refuse(node, 'for its bounds')
  const x = operand(node, g)
  const masks = [
    ...(low === '' ? [] : [g.compare('GreaterOrEqual', x, g.value(low))]),
    ...(high === '' ? [] : [g.compare('LessOrEqual', x, g.value(high))]),
  ]
  const [one, two] = masks
  if (one === undefined) return [first(out)]
  return [g.masked(first(out), two === undefined ? one : g.compare('And', one, two))]
}

const hardSigmoid: GradRule = (node, out, g) => {
  const y = g.value(outputOf(node))
  const inside = g.compare(
    'And',
    g.compare('Greater', y, g.scalar(0, y)),
    g.compare('Less', y, g.scalar(1, y)),
  )
  return [g.masked(g.times(first(out), floatAttribute(node, 'alpha', 0.2)), inside)]
}

const hardSwish: GradRule = (node, out, g) => {
  const x = operand(node, g)
  const dy = first(out)
  const slope = g.mul(dy, g.plus(g.times(x, 1 / 3), 0.5))
  const upper = g.where(g.compare('Less', x, g.scalar(3, x)), slope, dy)
  return [g.masked(upper, g.compare('Greater', x, g.scalar(-3, x)))]
}

const mish: GradRule = (node, out, g) => {
  const x = operand(node, g)
  const t = g.map('Tanh', g.map('Softplus', x))
  const slope = g.mul(g.mul(x, g.map('Sigmoid', x)), g.sub(g.scalar(1, x), g.mul(t, t)))
  return [g.mul(first(out), g.add(t, slope))]
}

const selu: GradRule = (node, out, g) => {
  const alpha = floatAttribute(node, 'alpha', 1.6732632423543772)
  const gamma = floatAttribute(node, 'gamma', 1.0507009873554805)
  const dy = first(out)
  const slope = g.plus(g.value(outputOf(node)), gamma * alpha)
  return [g.where(positive(operand(node, g), g), g.times(dy, gamma), g.mul(dy, slope))]
}

/** Activations; at a kink they do as PyTorch does. */
export const activationRules = {
  Gelu: gelu,
  Relu: (node, out, g) => [g.masked(first(out), positive(g.value(outputOf(node)), g))],
  LeakyRelu: below((node, g) => g.scalar(floatAttribute(node, 'alpha', 0.01), operand(node, g))),
  Elu: below((node, g) => g.plus(g.value(outputOf(node)), floatAttribute(node, 'alpha', 1))),
  Selu: selu,
  PRelu: pRelu,
  Clip: clip,
  HardSigmoid: hardSigmoid,
  HardSwish: hardSwish,
  Mish: mish,
  Abs: (node, out, g) => [g.mul(first(out), g.map('Sign', operand(node, g)))],
} satisfies Record<string, GradRule>
