export type { ElementType, TypedArray } from './element-types.ts'
export { byteLengthOf, elementTypes, isFloat } from './element-types.ts'
export type { FileRange, Storage, Tensor } from './tensor.ts'
export {
  fromBfloat16,
  fromFloat16,
  sizeOf,
  tensorArray,
  tensorBytes,
  tensorNumbers,
  tensorOf,
  toBfloat16,
  toFloat16,
} from './tensor.ts'
export type { Attribute, AttributeShorthand } from './attribute.ts'
export {
  attributeOf,
  attributesOf,
  floatAttribute,
  floatsAttribute,
  graphAttribute,
  intAttribute,
  intsAttribute,
  stringAttribute,
  stringsAttribute,
  tensorAttribute,
} from './attribute.ts'
export type { Dim, Graph, Model, Node, Shapes, TensorType, ValueInfo } from './graph.ts'
export {
  consumersOf,
  graphOf,
  initializerOf,
  modelOf,
  nodeOf,
  nodeTitle,
  opsetOf,
  producerOf,
  valueInfo,
  withGraph,
  withNode,
  withParts,
} from './graph.ts'
export type { Builder, OpOptions, ReduceOp } from './builder.ts'
export { builder } from './builder.ts'
export type { ReadOptions } from './read-model.ts'
export { readModel } from './read-model.ts'
export type { LeanModel } from './write-model.ts'
export { writeLean, writeModel } from './write-model.ts'
export type { OpenSessionOptions } from './open-session.ts'
export { openSession } from './open-session.ts'
export { SessionHost } from './session-host.ts'
export type { SessionOptions, SessionPreset } from './session-options.ts'
export type { RunOptions, RunTensor, RunTensors, Session } from './session.ts'
export type { ConvertTfjsOptions, TfjsFiles } from './tfjs/convert.ts'
export { convertTfjs, tfjsConverterVersion, tfjsOperators } from './tfjs/convert.ts'
export { readWeights as readTfjsWeights } from './tfjs/weights.ts'
export type { GraphProblem } from './verify.ts'
export { checkModel, problemsOf, shapeProblemsOf, verify } from './verify.ts'
export { inlineConstants } from './edit/constants.ts'
export type { Halves } from './edit/cut.ts'
export { cut } from './edit/cut.ts'
export type { MergeOptions } from './edit/merge.ts'
export { merge } from './edit/merge.ts'
export { liftOpset } from './edit/opset.ts'
export { inOrder } from './edit/order.ts'
export { withInputShapes, withOutputs } from './edit/outputs.ts'
export type { PruneOptions } from './edit/prune.ts'
export { prune } from './edit/prune.ts'
export { rename } from './edit/rename.ts'
export type { SpliceOptions } from './edit/splice.ts'
export { splice } from './edit/splice.ts'
export type { InferOptions, ShapeOptions, Specialised } from './shapes.ts'
export { foldShapes, inferShapes, specialise } from './shapes.ts'
export type { SaveOptions } from './save-model.ts'
export { saveModel } from './save-model.ts'
export type { ModelSummary, OperatorCount } from './describe-model.ts'
export { describeModel, operatorCounts } from './describe-model.ts'
export type { TextOptions } from './text.ts'
export { graphText, modelText, valueText } from './text.ts'
