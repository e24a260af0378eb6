export type { SeekingAgent, SeekingAgentParts, SeekRunOptions } from './agent.ts'
export { createSeekingAgent, seekOutcome } from './agent.ts'
export type { Estimate } from './ask.ts'
export type { ConsentRequest, SourceCache } from './execute.ts'
export { memorySourceCache } from './execute.ts'
export type { GraphEdge, GraphState, TransitionGraph } from './graph.ts'
export { edgesOf, readGraph, writeGraph } from './graph.ts'
export { DEFAULT_GRAPH, FREE_GRAPH, PAPER_GRAPH, sequenceGraph } from './default-graph.ts'
export type { DerivedGraph, DeriveOptions } from './derive-graph.ts'
export { deriveGraph } from './derive-graph.ts'
export type { Permission, SeekLimits, SeekOptions } from './options.ts'
export { SEEK_LIMITS } from './options.ts'
export { actionKey } from './action-key.ts'
export { sameQuestion } from './examples.ts'
export { decomposeByRules } from './decompose.ts'
export { fenceData, suspectSpans } from './outside-text.ts'
export type {
  Action,
  Attempt,
  Candidate,
  Citation,
  Claim,
  Conflict,
  Decomposition,
  Entry,
  Exclusion,
  SeekAnswer,
  SeekCallStep,
  SeekDecideStep,
  SeekOutcome,
  SeekPlanStep,
  SeekReasonStep,
  SeekReplyStep,
  SeekStep,
  SeekTool,
} from './types.ts'
export type { GraphScore } from './score-graph.ts'
export { scoreGraph, splitByQuestion } from './score-graph.ts'
export type { ExamplesScore } from './score-examples.ts'
export { scoreExamples } from './score-examples.ts'
export type { SeekReplayOptions } from './replay.ts'
export { firstDifference, replaySeek } from './replay.ts'
export type { Verified } from './verify.ts'
export { verifyRun } from './verify.ts'
export { seekPathSvg } from './path-svg.ts'
export type { DecisionCorrection } from './study.ts'
export { correctDecision, decisionsOfRun, exportDecisions, importDecisions } from './study.ts'
export type { Person, PersonChoice, PersonView } from './person.ts'
export type { Reading as SeekReading } from './reasoner.ts'
export { START_DECISIONS } from './start-decisions.ts'
export { WORLD_DECISIONS } from './world-decisions.ts'
