export type { AnswerForm, ArgSpec, ArgType, Family, Kind, Signature } from './signature.ts'
export type { ListValue, Value } from './value.ts'
export type { ArgTrace, CallStep, ModelStamp, Notice, PromptUse, ToolResult } from './step.ts'
export type {
  ArgNode,
  ArmNode,
  ForNode,
  Ident,
  IfNode,
  Program,
  Span,
  Statement,
  StepNode,
  StringNode,
  ValueNode,
} from './syntax.ts'
export { stepsOf } from './syntax.ts'
export type { Diagnostic, Severity } from './diagnostic.ts'
export { diagnosticLine, mayRun, programFault } from './diagnostic.ts'
export { parse } from './parse.ts'
export { print, printStep, printValue } from './print.ts'
export type { CheckOptions } from './check.ts'
export { check } from './check.ts'
export { FAMILIES, offeredBy, offers } from './families.ts'
export { LANGUAGE_SIGNATURES } from './catalogue.ts'
export { describeSignature, signatureLine } from './describe.ts'
export { display } from './display.ts'
export { isImage, isList, isObject, kindName, kindOf } from './kind.ts'
export type { State } from './state.ts'
export { stateOf } from './state.ts'
export { substitute } from './substitute.ts'
export type { EvaluateOptions } from './evaluate.ts'
export { evaluate, evaluateCondition } from './evaluate.ts'
export { equal, numberLike } from './scalar.ts'
export type { Answer } from './answer.ts'
export { answerForm, answerText } from './answer.ts'
export type { CallContext, CallTool } from './call-tool.ts'
export type { RunLimits } from './run-limits.ts'
export { RUN_LIMITS } from './run-limits.ts'
export type { ReplayOptions } from './record.ts'
export { sameValue } from './record.ts'
export type { ProgramRun, ReplayRunOptions, RunOptions, RunOutcome } from './run.ts'
export { replay, runProgram } from './run.ts'
export type { CallStepJson, ImageLoader, ImageRef, ValueJson } from './value-json.ts'
export {
  imageRef,
  imageRefs,
  stepFromJson,
  stepToJson,
  valueFromJson,
  valueToJson,
} from './value-json.ts'
export type { RationaleOptions } from './rationale.ts'
export { rationale } from './rationale.ts'
export type { Thumbnail, ThumbnailRequest } from './rationale-figures.ts'
export type { GrammarOptions } from './grammar.ts'
export { grammarFor } from './grammar.ts'
