import type { Image } from '../image/index.ts'
import type { CallStep, Family, RunOutcome, Signature } from '../program/index.ts'

/** One execution of a program, as reflection reads it: the last program of a run with its calls. */
export interface Attempt {
  readonly family: Family
  readonly signatures: readonly Signature[]
  readonly instruction: string
  readonly inputs: Readonly<Record<string, Image>>
  /** In words; absent when the program was given by hand. */
  readonly plan?: string
  readonly program: string
  /** In the order of the text; results belong to steps by identity, not by line. */
  readonly steps: readonly CallStep[]
  readonly outcome: RunOutcome
}

/** What is known to be wrong: the right answer, or a sentence, or both. */
export interface Wish {
  /** The right answer in the family's form. */
  readonly answer?: string
  /** What a person said of it. */
  readonly comment?: string
}
