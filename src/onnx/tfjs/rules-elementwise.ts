import type { Rule } from './context.ts'
import { emit } from './context.ts'
import { activation } from './rules-convolution.ts'

/** The same operation under another name. */
const direct =
  (op: string): Rule =>
  (context) => [emit(context, op, context.inputs())]

const square: Rule = (context) => {
  const x = context.input(0)
  return [emit(context, 'Mul', [x, x])]
}

const rsqrt: Rule = (context) => [
  emit(context, 'Reciprocal', [emit(context, 'Sqrt', context.inputs())]),
]

const squaredDifference: Rule = (context) => {
  const difference = emit(context, 'Sub', context.inputs())
  return [emit(context, 'Mul', [difference, difference])]
}

const relu6: Rule = (context) => [activation(context, 'Relu6', context.input(0))]
const leakyRelu: Rule = (context) => [activation(context, 'LeakyRelu', context.input(0))]
const softmax: Rule = (context) => [emit(context, 'Softmax', context.inputs(), { axis: -1 })]

/** Equal to flooring only for whole numbers that are not negative, which heat-map indices are. */
const floorMod: Rule = (context) => [emit(context, 'Mod', context.inputs())]

/** Rules of operations element by element. */
export const elementwiseRules: Readonly<Record<string, Rule>> = {
  Add: direct('Add'),
  AddV2: direct('Add'),
  AddN: direct('Sum'),
  BiasAdd: direct('Add'),
  Sub: direct('Sub'),
  Mul: direct('Mul'),
  RealDiv: direct('Div'),
  FloorDiv: direct('Div'),
  FloorMod: floorMod,
  Maximum: direct('Max'),
  Minimum: direct('Min'),
  Square: square,
  SquaredDifference: squaredDifference,
  Sqrt: direct('Sqrt'),
  Rsqrt: rsqrt,
  Reciprocal: direct('Reciprocal'),
  Exp: direct('Exp'),
  Log: direct('Log'),
  Neg: direct('Neg'),
  Abs: direct('Abs'),
  Floor: direct('Floor'),
  Relu: direct('Relu'),
  Relu6: relu6,
  LeakyRelu: leakyRelu,
  Prelu: direct('PRelu'),
  Elu: direct('Elu'),
  Sigmoid: direct('Sigmoid'),
  Tanh: direct('Tanh'),
  Softmax: softmax,
  Equal: direct('Equal'),
  Greater: direct('Greater'),
  Identity: (context) => [context.input(0)],
}
