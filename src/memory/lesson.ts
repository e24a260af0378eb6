import type { Json } from '../base/index.ts'
import type { Demonstration } from './demonstration.ts'
import type { Exemplar } from './exemplar.ts'
import type { PromptEntry } from './prompt-pool.ts'

/** `applied` ones act; the others are kept with their parts, and act on nothing. */
export type LessonStatus = 'applied' | 'kept-out' | 'undone' | 'superseded'

/** One verdict with its examples, prompts, validation and effect; applied or kept out as a whole. */
export interface Lesson {
  readonly id: string
  /** Counts the lessons of a tool and concept from 1. */
  readonly version: number
  /** A tool, or `plan` or `program` for a lesson of demonstrations. */
  readonly tool: string
  readonly concept: string | null
  readonly status: LessonStatus
  /** The correction it came from; null for what was taught without a run. */
  readonly feedback: string | null
  /** The run that was corrected. */
  readonly source: string | null
  readonly author: string
  /** What reflection found; its shape belongs to `reflection`. */
  readonly verdict: Json
  /** Ids of exemplars. */
  readonly examples: readonly string[]
  /** Ids of entries of pool P. */
  readonly prompts: readonly string[]
  /** Ids of demonstrations. */
  readonly demonstrations: readonly string[]
  readonly validation: Json
  /** The proof on the failed case, and the dry run over stored runs: fixed and broken. */
  readonly effect: Json
  /** Why it was kept out. */
  readonly reason?: string
  /** The lesson it replaces; that one leaves retrieval with the same write (product R2). */
  readonly supersedes?: string
  readonly createdAt: number
}

/** All that a lesson brings into the pools. */
export interface LessonParts {
  readonly exemplars: readonly Exemplar[]
  readonly prompts: readonly PromptEntry[]
  readonly demonstrations: readonly Demonstration[]
}

export const NO_PARTS: LessonParts = Object.freeze({
  exemplars: Object.freeze([]),
  prompts: Object.freeze([]),
  demonstrations: Object.freeze([]),
})
