import { floatAttribute, intAttribute, stringAttribute } from '../attribute.ts'
import { elementTypeOf, isFloat } from '../element-types.ts'
import type { Kernel } from './evaluate.ts'
import { map, zip } from './nd.ts'

const unary =
  (f: (x: number) => number): Kernel =>
  (_, [x]) => [map(x, f)]

const binary =
  (f: (a: number, b: number) => number): Kernel =>
  (_, xs) => [zip(xs, f)]

const many =
  (f: (...values: number[]) => number): Kernel =>
  (_, xs) => [zip(xs, f)]

const compare =
  (f: (a: number, b: number) => boolean): Kernel =>
  (_, xs) => [zip(xs, (a, b) => Number(f(a, b)), 'bool')]

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))
const softplus = (x: number): number => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))

/**
 * The error function to about 1e-16: its series near zero, the continued fraction of erfc far away.
 *
 * @source Abramowitz and Stegun 7.1.6 and 7.1.14
 */
export function erf(x: number): number {
  const a = Math.abs(x)
  if (a < 2.5) {
    let term = a
    let sum = a
    for (let n = 1; n < 80; n++) {
      term *= (2 * a * a) / (2 * n + 1)
      sum += term
    }
    return (Math.sign(x) * 2 * sum * Math.exp(-a * a)) / Math.sqrt(Math.PI)
  }
  let fraction = 0
  for (let n = 100; n >= 1; n--) fraction = n / 2 / (a + fraction)
  return Math.sign(x) * (1 - Math.exp(-a * a) / ((a + fraction) * Math.sqrt(Math.PI)))
}

const gelu: Kernel = (node, [x]) => {
  const tanh = stringAttribute(node, 'approximate', 'none') === 'tanh'
  const inner = (v: number): number =>
    tanh ? Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)) : erf(v / Math.SQRT2)
  return [map(x, (v) => (v / 2) * (1 + inner(v)))]
}

const roundEven = (x: number): number => {
  const r = Math.round(x)
  return Math.abs(x % 1) === 0.5 && r % 2 !== 0 ? r - 1 : r
}

/** Element by element, with the defaults of the ONNX operators. */
export const elementwise: Readonly<Record<string, Kernel>> = {
  Add: binary((a, b) => a + b),
  Sub: binary((a, b) => a - b),
  Mul: binary((a, b) => a * b),
  Div: (_, xs) => {
    const whole = !isFloat(xs[0].type)
    return [zip(xs, (a, b) => (whole ? Math.trunc(a / b) : a / b))]
  },
  Mod: (node, xs) => {
    const c = intAttribute(node, 'fmod', 0) === 1
    return [zip(xs, (a, b) => (c ? a % b : a - b * Math.floor(a / b)))]
  },
  Pow: binary((a, b) => a ** b),
  Sum: many((...v) => v.reduce((s, x) => s + x, 0)),
  Mean: many((...v) => v.reduce((s, x) => s + x, 0) / v.length),
  Max: many(Math.max),
  Min: many(Math.min),
  PRelu: binary((a, b) => (a < 0 ? a * b : a)),
  Neg: unary((x) => -x),
  Identity: unary((x) => x),
  Dropout: unary((x) => x),
  Exp: unary(Math.exp),
  Log: unary(Math.log),
  Sqrt: unary(Math.sqrt),
  Reciprocal: unary((x) => 1 / x),
  Sin: unary(Math.sin),
  Cos: unary(Math.cos),
  Tan: unary(Math.tan),
  Atan: unary(Math.atan),
  Sigmoid: unary(sigmoid),
  Tanh: unary(Math.tanh),
  Softplus: unary(softplus),
  Softsign: unary((x) => x / (1 + Math.abs(x))),
  Mish: unary((x) => x * Math.tanh(softplus(x))),
  Erf: unary(erf),
  Gelu: gelu,
  Relu: unary((x) => Math.max(x, 0)),
  Abs: unary(Math.abs),
  Floor: unary(Math.floor),
  Ceil: unary(Math.ceil),
  Round: unary(roundEven),
  Sign: unary(Math.sign),
  Not: unary((x) => Number(x === 0)),
  LeakyRelu: (node, [x]) => {
    const alpha = floatAttribute(node, 'alpha', 0.01)
    return [map(x, (v) => (v < 0 ? alpha * v : v))]
  },
  Elu: (node, [x]) => {
    const alpha = floatAttribute(node, 'alpha', 1)
    return [map(x, (v) => (v < 0 ? alpha * Math.expm1(v) : v))]
  },
  Selu: (node, [x]) => {
    const alpha = floatAttribute(node, 'alpha', 1.6732632423543772)
    const gamma = floatAttribute(node, 'gamma', 1.0507009873554805)
    return [map(x, (v) => gamma * (v <= 0 ? alpha * Math.expm1(v) : v))]
  },
  HardSigmoid: (node, [x]) => {
    const [a, b] = [floatAttribute(node, 'alpha', 0.2), floatAttribute(node, 'beta', 0.5)]
    return [map(x, (v) => Math.max(0, Math.min(1, a * v + b)))]
  },
  HardSwish: unary((x) => x * Math.max(0, Math.min(1, x / 6 + 0.5))),
  Clip: (_, [x, low, high]) => {
    const [from, to] = [low?.data[0] ?? -Infinity, high?.data[0] ?? Infinity]
    return [map(x, (v) => Math.min(to, Math.max(from, v)))]
  },
  Cast: (node, [x]) => {
    const to = elementTypeOf(intAttribute(node, 'to', 1)) ?? 'float32'
    const change =
      to === 'bool' ? (v: number) => Number(v !== 0) : isFloat(to) ? (v: number) => v : Math.trunc
    return [map(x, change, to)]
  },
  Where: (_, [c, a, b]) => [zip([c, a, b], (k, x, y) => (k !== 0 ? x : y), a.type)],
  Equal: compare((a, b) => a === b),
  Less: compare((a, b) => a < b),
  LessOrEqual: compare((a, b) => a <= b),
  Greater: compare((a, b) => a > b),
  GreaterOrEqual: compare((a, b) => a >= b),
  And: compare((a, b) => a !== 0 && b !== 0),
  Or: compare((a, b) => a !== 0 || b !== 0),
  IsNaN: (_, [x]) => [map(x, (v) => Number(Number.isNaN(v)), 'bool')],
}
