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
export { lower, lowerGraph } from './lower/lower.ts'
export { prepare } from './lower/prepare.ts'
export type { Gradient, GradientOptions } from './grad/gradient.ts'
export { gradient } from './grad/gradient.ts'
export { recompute, recomputeWithout } from './grad/recompute.ts'
export type { DifferentiableOp } from './grad/rules/table.ts'
export { flatOps, gradRules, ruleOf } from './grad/rules/table.ts'
export type { ContrastiveOptions, CrossEntropyOptions } from './grad/losses/classify.ts'
export {
  contrastive,
  crossEntropy,
  languageModel,
  normalised,
  similarities,
} from './grad/losses/classify.ts'
export type { DenoisingTarget, Noised } from './grad/losses/denoise.ts'
export { meanSquare, noised, scaledLinearAlphas } from './grad/losses/denoise.ts'
export type { FocalOptions } from './grad/losses/detect.ts'
export { binaryCrossEntropy, boxGiou, boxL1, corners, focal, rowsAt } from './grad/losses/detect.ts'
export type { MaskLossOptions } from './grad/losses/mask.ts'
export { dice, maskLoss } from './grad/losses/mask.ts'
export type { MatchingCosts, MatchingProblem } from './grad/losses/matching.ts'
export { assign, giouOf, matchQueries } from './grad/losses/matching.ts'
export { sumOf, times, total, weightedMean } from './grad/losses/reduce.ts'
export type { AdamOptions, AdamState } from './optim/adam.ts'
export { adam, adamw, addDecay, scaleByAdam } from './optim/adam.ts'
export type { ClipOptions } from './optim/clip.ts'
export { clipByGlobalNorm, globalNorms } from './optim/clip.ts'
export type { Floats, Optimizer, Params } from './optim/optimizer.ts'
export { applyUpdates, chain, scale } from './optim/optimizer.ts'
export type { Rate, Schedule } from './optim/schedule.ts'
export { cosine, descend, linear, rateAt, stepDecay, warmup } from './optim/schedule.ts'
export type { SgdOptions } from './optim/sgd.ts'
export { momentum, sgd } from './optim/sgd.ts'
export type { Injection, Prompted } from './prompts/inject.ts'
export { inject } from './prompts/inject.ts'
export type { Injected, PromptInput } from './prompts/key-value.ts'
export type { AttentionSite, LocateOptions } from './prompts/locate.ts'
export { layerOutput, locate } from './prompts/locate.ts'
export { cutFrozen } from './prompts/prefix.ts'
export type { OpenPromptedOptions, PromptedModel } from './prompts/prompted.ts'
export { isNothing, openPrompted } from './prompts/prompted.ts'
export type {
  PrefixCache,
  TuneData,
  TuneLoss,
  TuneOptions,
  TuneReport,
  TuneResult,
  TuneStep,
} from './prompts/tune.ts'
export { tune } from './prompts/tune.ts'
export { promptKey } from './prompts/prompt-key.ts'
export type { Checkpoint } from './optim/checkpoint.ts'
export { decodeCheckpoint, encodeCheckpoint } from './optim/checkpoint.ts'
export type { GraphOptimizer, StepGraph, StepGraphOptions } from './optim/step-graph.ts'
export { stepGraph } from './optim/step-graph.ts'
export type { TrainOptions, TrainReport, Trained } from './optim/train.ts'
export { train, withWeights } from './optim/train.ts'
