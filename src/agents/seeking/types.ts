import type { Json } from '../../base/index.ts'
import type { Box } from '../../image/index.ts'
import type { Spent } from '../../llm/index.ts'
import type { CallStep } from '../../program/index.ts'
import type { FaultReason, SourceOutput, SourceTool } from '../../tools/index.ts'
import type { DecideStep, PlanStep, ReasonStep, ReplyStep } from '../step.ts'
import type { TransitionGraph } from './graph.ts'

/** Everything the agent can do next (avis §11); `select_object` is a choice, not a source. */
export type SeekTool = SourceTool | 'select_object'

export const SEEK_TOOLS: readonly SeekTool[] = [
  ...(['detect', 'caption', 'vqa', 'ocr', 'select_object'] as const),
  ...(['image_search', 'web_search', 'open_page', 'kb_lookup', 'llm_qa'] as const),
]

export type Phase = 'visual' | 'knowledge'

/** The part of the picture that region tools look at. */
export interface Focus {
  /** Pixels of the picture; undefined: all of it. */
  readonly box?: Box
  /** The object as detected, without the margin. */
  readonly object?: string
  readonly label?: string
}

export interface ActionArgs {
  readonly region?: Box
  readonly q?: string
  readonly id?: string
  /** Address of the entry that `id` names; from a result, never from a model. */
  readonly url?: string
}

export interface Action {
  readonly tool: SeekTool
  readonly args: ActionArgs
}

export type ExclusionReason =
  | 'taken'
  | 'uninformative'
  | `error:${FaultReason}`
  | 'no-provider'
  | 'consent'
  | 'budget'
  | 'query-cap'
  | 'breaker'

/** An action, or a whole tool, that may not be chosen here, and why. */
export interface Exclusion {
  readonly tool: SeekTool
  readonly key?: string
  readonly why: ExclusionReason
  readonly note?: string
}

export interface SeekNode {
  readonly id: number
  readonly parent?: SeekNode
  /** Tool of the last accepted action, START at first. */
  readonly state: SeekTool | 'START'
  readonly phase: Phase
  readonly focus: Focus
  readonly excluded: Exclusion[]
  dead: boolean
  /** The binding that opened this node, to be rejected when it comes to nothing. */
  readonly binds?: number
}

export type AnswerType =
  'number' | 'date' | 'person' | 'place' | 'name' | 'yesno' | 'choice' | 'text'

/** A piece of the knowledge question: words, or the place of a visual answer (from 0). */
export type QuestionPart = string | { readonly slot: number }

export interface Decomposition {
  /** One visual question for each thing to be named; none when the question names its subject. */
  readonly visual: readonly string[]
  readonly knowledge: readonly QuestionPart[]
  readonly answerType: AnswerType
  readonly unit?: string
  /** It asks on which of these sides the thing stands for which the knowledge question is true. */
  readonly places?: readonly string[]
  /** It asks for what is current or latest. */
  readonly recency: boolean
}

/** Where an entry came from. */
export interface SourceRef {
  readonly tool: SeekTool
  readonly provider: string
  readonly url?: string
  readonly title?: string
  readonly qid?: string
  readonly revision?: string
  readonly licence?: string
  /** What of the picture was looked at; empty: all of it. */
  readonly region?: string
  /** Index of the call in the run's steps. */
  readonly step: number
}

/** A part of what came back, as the reasoner reads it. */
export interface Entry {
  /** `e1` … within one call. */
  readonly id: string
  readonly text: string
  readonly source: SourceRef
  readonly date?: string
  readonly score?: number
  readonly kind: string
  /** Half-open ranges of `text` that look like orders to a model. */
  readonly suspect: readonly (readonly [start: number, end: number])[]
  /** OCR: a box for each line of the text. */
  readonly boxes?: readonly (Box | undefined)[]
}

export interface Claim {
  readonly id: string
  /** At most 300 characters. */
  readonly text: string
  readonly entry: string
  readonly quote: string
  /** UTF-16 offsets in the entry's text. */
  readonly start: number
  readonly end: number
  readonly tool: SeekTool
  readonly step: number
  readonly weight: number
  readonly taint: 'untrusted' | 'suspect'
  readonly source: SourceRef
  /** SHA-256 of the entry's text. */
  readonly sha256: string
  readonly date?: string
  readonly score?: number
  readonly box?: Box
}

export const DERIVATIONS = [
  ...(['literal', 'number', 'unit', 'date', 'arithmetic', 'choice', 'judgement'] as const),
] as const

/** How a value follows from a quote, simplest first (avis §6). */
export type Derivation = (typeof DERIVATIONS)[number]

/** A value for a slot (`#1` …) or for the answer, with the claims that carry it. */
export interface Candidate {
  readonly slot: number | 'answer'
  readonly value: string
  /** As written in the source, when a unit was converted. */
  readonly shown: string
  readonly support: readonly Claim[]
  readonly derivation: Derivation
  readonly date?: string
  readonly score?: number
  /** Place in the order found. */
  readonly found: number
  readonly qid?: string
}

export type Rejection = 'unquoted' | 'suspect' | 'type' | 'underived' | 'unit' | 'unknown-entry'

export interface Rejected {
  readonly what: string
  readonly why: Rejection
  readonly entry?: string
}

export type StopReason =
  'answer' | 'exhausted' | `budget:${string}` | 'false-premise' | 'cancelled' | 'failed'

export interface Citation {
  readonly claim: string
  readonly tool: SeekTool
  readonly provider: string
  readonly title?: string
  readonly url?: string
  readonly revision?: string
  readonly licence?: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly step: number
  readonly entry: string
  readonly sha256: string
  readonly quote: string
  readonly start: number
  readonly end: number
  readonly box?: Box
  readonly date?: string
}

export interface Conflict {
  readonly slot: string
  readonly value: string
  readonly sources: readonly Citation[]
  readonly date?: string
}

export interface SeekAnswer {
  readonly short: string
  readonly shown: string
  /** 0..1. */
  readonly confidence: number
  readonly supported: boolean
  readonly citations: readonly Citation[]
  readonly conflicts: readonly Conflict[]
  readonly derivation: Derivation
  readonly date?: string
  /** What `#`, `#1` … stood for. */
  readonly bindings: readonly string[]
}

export interface SeekOutcome {
  readonly kind: 'answered' | 'partial' | 'abstained' | 'failed'
  readonly answer?: SeekAnswer
  readonly guess?: string
  readonly stop: StopReason
  readonly tried: readonly { readonly tool: SeekTool; readonly q?: string; readonly how: string }[]
  readonly sourcesFailed: readonly { readonly provider: string; readonly reason: string }[]
  /** Parts that worked without a language model. */
  readonly degraded: readonly ('decompose' | 'planner' | 'reasoner')[]
  readonly plannerErrors: number
  /** False when something that it rests on may not be kept. */
  readonly replayable: boolean
  /** For a question whose premise is not so: what contradicts it. */
  readonly contradicts?: string
}

/** One try of one provider. */
export interface Attempt {
  readonly provider: string
  readonly result: 'ok' | 'cache' | FaultReason
  readonly ms: number
  readonly message?: string
  readonly cure?: string
  /** First characters of a reply that was not what was promised; untrusted. */
  readonly untrusted?: string
}

/** What a call's step says beyond a program's call. */
export interface Sought {
  readonly node: number
  readonly phase: Phase
  readonly key: string
  readonly attempts: readonly Attempt[]
  readonly provider?: string
  readonly output?: SourceOutput
  readonly outputRef?: string
  readonly entries: readonly Entry[]
  /** Boxes of `detect`, those that are offered. */
  readonly reason?: FaultReason
  readonly consent?: 'granted' | 'refused'
  readonly licence?: string
}

export type Cost = Spent

export interface SeekPlanStep extends PlanStep {
  readonly decomposition: Decomposition
  readonly graph: { readonly name: string; readonly version: number }
  /** The graph itself, where it is not the default: a replay goes along it. */
  readonly ownGraph?: TransitionGraph
  readonly repairs: readonly string[]
  readonly degraded?: boolean
  readonly cost: Cost
}

export interface SeekDecideStep extends DecideStep {
  readonly node: number
  readonly parent?: number
  readonly phase: Phase
  readonly focus: Focus
  readonly feasible: readonly Action[]
  readonly excluded: readonly Exclusion[]
  /** Ids of the recorded decisions that were shown or followed. */
  readonly examples: readonly string[]
  readonly chosen:
    Action | { readonly tool: 'backtrack' | 'rebind'; readonly args: Json; readonly to: number }
  readonly by: 'planner' | 'selector' | 'only-choice' | 'fallback' | 'code' | 'person'
  /** Faults of replies that were sent back or given up. */
  readonly repairs: readonly string[]
  readonly degraded?: boolean
  readonly cost: Cost
}

export interface SeekCallStep extends CallStep {
  readonly sought: Sought
  readonly cost: Cost
}

export interface SeekReasonStep extends ReasonStep {
  readonly node: number
  readonly call: number
  readonly claims: readonly Claim[]
  readonly candidates: readonly Candidate[]
  readonly rejected: readonly Rejected[]
  readonly why: string
  readonly by: 'reasoner' | 'extractive' | 'code' | 'person'
  /** The slot that this reading filled. */
  readonly bound?: { readonly slot: number; readonly value: string; readonly confidence: number }
  readonly repairs: readonly string[]
  readonly degraded?: boolean
  readonly cost: Cost
}

export interface SeekReplyStep extends ReplyStep {
  readonly outcome: SeekOutcome
  readonly cost: Cost
}

export type SeekStep = SeekPlanStep | SeekDecideStep | SeekCallStep | SeekReasonStep | SeekReplyStep

export const NO_COST: Cost = Object.freeze({
  ...{ calls: 0, tokens: 0, seconds: 0, money: 0, pictures: 0 },
})
