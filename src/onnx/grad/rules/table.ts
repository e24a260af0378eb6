import type { GradRule } from '../rule.ts'
import { activationRules } from './activations.ts'
import { convRules } from './conv.ts'
import { elementwiseRules } from './elementwise.ts'
import { indexRules } from './index-rules.ts'
import { normaliseRules } from './normalise.ts'
import { poolRules } from './pool.ts'
import { productRules } from './products.ts'
import { reduceRules } from './reduce.ts'
import { resizeRules } from './resize.ts'
import { shapeRules } from './shape.ts'

/** Element by element: their rules take gradients that still broadcast to the output. */
const elementwise = (
  'Abs Add Atan Cast Clip Cos Div Dropout Elu Erf Exp Gelu HardSigmoid HardSwish Identity LeakyRelu Log ' +
  'Max Mean Min Mish Mul Neg PRelu Pow Reciprocal Relu Selu Sigmoid Sin Softplus Softsign Sqrt Sub Sum Tan ' +
  'Tanh Where'
).split(' ')

/** Operators of ONNX through which a gradient passes; contrib and fused ones are lowered to them first. */
export type DifferentiableOp =
  | keyof typeof elementwiseRules
  | keyof typeof activationRules
  | 'AveragePool'
  | 'BatchNormalization'
  | 'Concat'
  | 'Conv'
  | 'ConvTranspose'
  | 'CumSum'
  | 'DepthToSpace'
  | 'Einsum'
  | 'Expand'
  | 'Flatten'
  | 'Gather'
  | 'GatherElements'
  | 'GatherND'
  | 'Gemm'
  | 'GlobalAveragePool'
  | 'GlobalMaxPool'
  | 'GroupNormalization'
  | 'InstanceNormalization'
  | 'LayerNormalization'
  | 'LogSoftmax'
  | 'LpNormalization'
  | 'MatMul'
  | 'MaxPool'
  | 'Pad'
  | 'RMSNormalization'
  | 'ReduceL1'
  | 'ReduceL2'
  | 'ReduceLogSum'
  | 'ReduceLogSumExp'
  | 'ReduceMax'
  | 'ReduceMean'
  | 'ReduceMin'
  | 'ReduceSum'
  | 'ReduceSumSquare'
  | 'Reshape'
  | 'Resize'
  | 'RotaryEmbedding'
  | 'ScatterElements'
  | 'ScatterND'
  | 'SimplifiedLayerNormalization'
  | 'Slice'
  | 'Softmax'
  | 'SpaceToDepth'
  | 'Split'
  | 'Squeeze'
  | 'Tile'
  | 'TopK'
  | 'Transpose'
  | 'Trilu'
  | 'Unsqueeze'

/** A rule for each operator; a gap does not compile. */
export const gradRules: { readonly [K in DifferentiableOp]: GradRule } = {
  ...elementwiseRules,
  ...activationRules,
  ...reduceRules,
  ...normaliseRules,
  ...productRules,
  ...shapeRules,
  ...indexRules,
  ...convRules,
  ...poolRules,
  ...resizeRules,
}

/** Those whose rules take gradients that are not yet expanded to the output. */
export const lazyOps: ReadonlySet<string> = new Set(elementwise)

/** Operators whose results do not change with small changes of their operands: gradients end there. */
export const flatOps: ReadonlySet<string> = new Set(
  (
    'ArgMax ArgMin Ceil ConstantOfShape Equal EyeLike Floor Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual ' +
    'NonZero Not OneHot Round Shape Sign Size'
  ).split(' '),
)

/** The rule of an operator of ONNX itself; undefined when it has none. */
export function ruleOf(op: string, domain: string): GradRule | undefined {
  if (domain !== '' && domain !== 'ai.onnx') return undefined
  return Object.hasOwn(gradRules, op) ? gradRules[op as DifferentiableOp] : undefined
}
