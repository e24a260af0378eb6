import type { Abortable } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import type { PromptUse } from '../program/index.ts'
import type { Finding } from './backends.ts'

/** An example that a person gave (memory keeps them). */
export interface TaughtExample {
  readonly id: string
  readonly lesson: string
  readonly version: number
  /** False for a tombstone: this is not that. */
  readonly positive: boolean
  /** Vectors of another encoder are not compared. */
  readonly encoder: string
  readonly feature: Float32Array
  /** Content hash of the picture, and the place in it. */
  readonly picture: string
  readonly box?: Box
}

export interface TaughtAnswer extends TaughtExample {
  readonly answer: string
}

/** Everything taught by example that acts now. */
export interface Taught {
  /** By normalised name. */
  readonly things: ReadonlyMap<string, readonly TaughtExample[]>
  /** By question, in plain text. */
  readonly answers: ReadonlyMap<string, readonly TaughtAnswer[]>
}

/** Read at each look, so that lessons act at once and in every process. */
export type TaughtSource = () => Promise<Taught>

export const NOTHING_TAUGHT: Taught = Object.freeze({ things: new Map(), answers: new Map() })

/** Looks for what was taught; nothing taught under a name means undefined, and the plain tool. */
export interface TaughtLook {
  /**
   * What there is of a concept in a picture.
   *
   * @param plain  what the plain tool found; tombstones take from it, examples add to it
   */
  find(
    image: Image,
    name: string,
    plain: readonly Finding[],
    options?: Abortable,
  ): Promise<readonly Finding[] | undefined>
  /** How well a region fits, -1..1; null for a tombstone's. */
  fit(
    image: Image,
    box: Box,
    name: string,
    options?: Abortable,
  ): Promise<{ readonly score: number | null } | undefined>
  /** The answer to a question that was given for this picture, or for one that looks the same. */
  answer(
    image: Image,
    question: string,
    options?: Abortable,
  ): Promise<{ readonly answer: string; readonly similarity: number } | undefined>
  /** The same look, that notes which examples took part. */
  noting(uses: PromptUse[]): TaughtLook
}
