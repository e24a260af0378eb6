import type { ErrorData } from '../base/index.ts'
import type { Value } from './value.ts'

/** Something worth telling that does not stop the program, such as `N_EMPTY_BOX`. */
export interface Notice {
  readonly code: string
  readonly message: string
}

/** A learnt prompt that took part in a call. */
export interface PromptUse {
  readonly lesson: string
  readonly concept: string
  readonly prompt: string
  readonly weight: number
  /** Of the lesson. */
  readonly version?: number
}

/** The model behind a call: name and the hash of its file, so that a run can be repeated. */
export interface ModelStamp {
  readonly name: string
  readonly hash?: string
  readonly version?: string
}

/** What a tool gives back besides its value. */
export interface ToolResult {
  readonly value: Value
  readonly notices?: readonly Notice[]
  /** Confidence of the whole result, 0..1. */
  readonly score?: number
  /** What the tool had to know in this call (clova §4.2), normalised. */
  readonly concepts?: readonly string[]
  readonly prompts?: readonly PromptUse[]
  readonly models?: readonly ModelStamp[]
  /** The unpolished answer, kept in the trace (VQA). */
  readonly raw?: string
}

export interface ArgTrace {
  readonly name: string
  /** As written in the program. */
  readonly source: string
  /** After substitution. */
  readonly value: Value
}

/** One executed call (program-language §10). */
export interface CallStep {
  readonly kind: 'call'
  /** Position among the executed steps, from 0. */
  readonly index: number
  /** Step number in the program's text, from 1; a loop body's step keeps its number. */
  readonly step: number
  readonly line: number
  /** For steps in loops: which item of which loop, outermost first. */
  readonly path: readonly { readonly loop: string; readonly item: number }[]
  /** The variable assigned. */
  readonly output: string
  readonly tool: string
  readonly args: readonly ArgTrace[]
  readonly result?: Value
  readonly error?: ErrorData
  readonly notices: readonly Notice[]
  /** Milliseconds since 1970. */
  readonly start: number
  readonly ms: number
  readonly score?: number
  readonly concepts?: readonly string[]
  readonly prompts: readonly PromptUse[]
  readonly models: readonly ModelStamp[]
  readonly raw?: string
  /** Set when the result was put there by a replay instead of a call. */
  readonly replayed?: 'record' | 'given'
}
