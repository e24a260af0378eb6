import type { Program } from '../../../program/index.ts'

/** A program for an instruction, with where it came from. */
export interface Candidate {
  readonly program: Program
  /** 0 for a demonstration's own instruction; above the limit of acceptance it is not offered. */
  readonly cost: number
  /** Ids of the demonstrations it was made of, the first part's first. */
  readonly demonstrations: readonly string[]
  /** How it was made, a sentence a part. */
  readonly explanation: readonly string[]
  /** Lines of the plan in words. */
  readonly plan: readonly string[]
}
