import type { Node } from '../../graph.ts'
import { tensorNumbers } from '../../tensor.ts'
import type { GradBuilder, GradRule } from '../rule.ts'
import { first, inputOf } from '../rule.ts'
import type { Value } from '../value.ts'

/** The gradient of input `i`, made only when wanted, summed to its dims. */
export function back(node: Node, g: GradBuilder, i: number, make: () => Value): Value | null {
  const name = inputOf(node, i)
  if (name === '' || !g.wanted(name)) return null
  return g.unbroadcast(make(), g.value(outputOf(node)).dims, g.value(name).dims)
}

export function outputOf(node: Node): string {
  return node.outputs[0] ?? ''
}

const shared =
  (factor: (node: Node) => number): GradRule =>
  (node, out, g) =>
    node.inputs.map((_, i) => back(node, g, i, () => g.times(first(out), factor(node))))

const mul: GradRule = (node, out, g) => {
  const dy = first(out)
  const [a, b] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  if (a.name === b.name) return [g.times(g.mul(dy, a), 2), null]
  return [back(node, g, 0, () => g.mul(dy, b)), back(node, g, 1, () => g.mul(dy, a))]
}

const div: GradRule = (node, out, g) => {
  const b = g.value(inputOf(node, 1))
  const da = g.div(first(out), b)
  return [
    back(node, g, 0, () => da),
    back(node, g, 1, () => g.neg(g.mul(da, g.value(outputOf(node))))),
  ]
}

const pow: GradRule = (node, out, g) => {
  const dy = first(out)
  const [a, b] = [g.value(inputOf(node, 0)), g.value(inputOf(node, 1))]
  const constant = g.constantOf(b.name)
  const p =
    constant !== undefined && b.dims.every((d) => d === 1) ? tensorNumbers(constant)[0] : undefined
  const slope = (): Value => {
    if (p === 2) return g.times(a, 2)
    if (p === 1) return g.scalar(1, a)
    const exponent = g.cast(b, a.type)
    const power = g.node('Pow', [a, g.plus(exponent, -1)], g.value(outputOf(node)).dims)
    // 0 · a^−1 is 0 wherever the exponent is 0, also at a = 0.
    return g.where(
      g.compare('Equal', exponent, g.scalar(0, a)),
      g.scalar(0, a),
      g.mul(exponent, power),
    )
  }
  const y = g.value(outputOf(node))
  const growth = (): Value => {
    const log = g.map('Log', a)
    return g.where(g.compare('Equal', a, g.scalar(0, a)), g.scalar(0, a), g.mul(y, log))
  }
  return [back(node, g, 0, () => g.mul(dy, slope())), back(node, g, 1, () => g.mul(dy, growth()))]
}

/** dy times a slope that the rule writes from the operand and the result. */
const unary =
  (slope: (x: Value, y: Value, g: GradBuilder, node: Node) => Value): GradRule =>
  (node, out, g) => [
    g.mul(first(out), slope(g.value(inputOf(node, 0)), g.value(outputOf(node)), g, node)),
  ]

const where: GradRule = (node, out, g) => {
  const dy = first(out)
  const mask = g.value(inputOf(node, 0))
  const zero = g.scalar(0, dy)
  return [
    null,
    back(node, g, 1, () => g.where(mask, dy, zero)),
    back(node, g, 2, () => g.where(mask, zero, dy)),
  ]
}

/** Ties share equally. */
const extreme: GradRule = (node, out, g) => {
  const y = g.value(outputOf(node))
  if (node.inputs.length === 1) return [first(out)]
  const hits = node.inputs.map((name) => g.cast(g.compare('Equal', g.value(name), y), y.type))
  const share = g.div(first(out), hits.reduce(g.add))
  return hits.map((hit, i) => back(node, g, i, () => g.mul(share, hit)))
}

const dropout: GradRule = (node, out, g) => {
  const training = g.constantOf(inputOf(node, 2))
  if (inputOf(node, 2) !== '' && (training === undefined || tensorNumbers(training)[0] !== 0)) {
    g.refuse(node, 'in training form: feed the noise as a mask')
  }
  return [first(out)]
}

const square = (g: GradBuilder, x: Value): Value => g.mul(x, x)

/** Element by element, and smooth. */
export const elementwiseRules = {
  Add: shared(() => 1),
  Sum: shared(() => 1),
  Mean: shared((node) => 1 / node.inputs.length),
  Sub: (node, out, g) => [
    back(node, g, 0, () => first(out)),
    back(node, g, 1, () => g.neg(first(out))),
  ],
  Mul: mul,
  Div: div,
  Pow: pow,
  Neg: (_, out, g) => [g.neg(first(out))],
  Identity: (_, out) => [first(out)],
  Dropout: dropout,
  Cast: (node, out, g) => [g.cast(first(out), g.value(inputOf(node, 0)).type)],
  Where: where,
  Max: extreme,
  Min: extreme,
  Exp: unary((_, y) => y),
  Log: (node, out, g) => [g.div(first(out), g.value(inputOf(node, 0)))],
  Sqrt: (node, out, g) => [g.div(g.times(first(out), 0.5), g.value(outputOf(node)))],
  Reciprocal: unary((_, y, g) => g.neg(square(g, y))),
  Sin: unary((x, _, g) => g.map('Cos', x)),
  Cos: unary((x, _, g) => g.neg(g.map('Sin', x))),
  Tan: unary((_, y, g) => g.plus(square(g, y), 1)),
  Atan: unary((x, _, g) => g.map('Reciprocal', g.plus(square(g, x), 1))),
  Sigmoid: unary((_, y, g) => g.sub(y, square(g, y))),
  Tanh: unary((_, y, g) => g.sub(g.scalar(1, y), square(g, y))),
  Softplus: unary((x, _, g) => g.map('Sigmoid', x)),
  Softsign: unary((x, _, g) => {
    const r = g.map('Reciprocal', g.plus(g.map('Abs', x), 1))
    return square(g, r)
  }),
  Erf: unary((x, _, g) => g.times(g.map('Exp', g.neg(square(g, x))), 2 / Math.sqrt(Math.PI))),
} satisfies Record<string, GradRule>
