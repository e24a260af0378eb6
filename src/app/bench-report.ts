import { readFile } from 'node:fs/promises'
import { UserFault } from '../base/index.ts'

/** What a benchmark came to. */
export interface BenchReport {
  readonly bench: string
  /** Who answered and who judged, where it was done now. */
  readonly model?: string
  readonly judge?: string
  readonly figures: readonly BenchFigure[]
  /** Share of the questions that have an answer, in percent. */
  readonly coverage: number
  readonly questions: number
  /** Answers and judgements that failed: they are in no mean. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
  /** What must be known to read the figures. */
  readonly notes: readonly string[]
  /** The summary in the words of the published script, for comparison. */
  readonly published?: string
}

export interface BenchFigure {
  readonly name: string
  /** Percent, or points of a judge. */
  readonly value: number
  readonly interval?: readonly [low: number, high: number]
  readonly n?: number
}

/** A text file of a benchmark. @throws UserFault `E_FILE` */
export async function benchFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new UserFault('E_FILE', `${path} cannot be read: ${(cause as Error).message}`, {
      ...{ fields: { path }, cause },
    })
  }
}

/** The same as JSON. @throws UserFault `E_SCORE_INPUT` */
export async function benchJson(path: string): Promise<unknown> {
  const text = await benchFile(path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserFault('E_SCORE_INPUT', `${path} is not JSON: ${(cause as Error).message}`, {
      ...{ fields: { path }, cause },
    })
  }
}
