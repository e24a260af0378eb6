import type { Json } from '../base/index.ts'
import type { Job } from '../stores/index.ts'

/** Work in the background for the world outside. */
export interface JobDocument {
  readonly id: string
  readonly kind: string
  /** The lesson that it is about. */
  readonly lesson: string
  readonly state: Job['state']
  readonly attempts: number
  readonly error: string | null
  /** Stages that are done, in order. */
  readonly stages: readonly string[]
  /** What was gathered: how much was found and kept, from where. */
  readonly collected: Json
  /** Scores, what was discarded, how many prompts were kept; without their numbers. */
  readonly tuned: Json
  /** The dry run over stored answers. */
  readonly effect: Json
  /** The lesson that it made. */
  readonly made: string | null
  /** Why it made none. */
  readonly nothing: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

type Fields = Readonly<Record<string, Json | undefined>>

/** The job as plain JSON; pure. */
export function jobDocument(job: Job): JobDocument {
  const { id, kind, key, state, attempts, error, createdAt, updatedAt } = job
  const { done = [], state: left } = fieldsOf(job.progress)
  const { collected, tuned, effect, lesson, nothing } = fieldsOf(left)
  return {
    ...{ id, kind, lesson: key, state, attempts, error, stages: done as readonly string[] },
    ...{ collected: collected ?? null, tuned: scoresOf(tuned), effect: effect ?? null },
    ...{ made: (lesson as string) ?? null, nothing: (nothing as string) ?? null },
    ...{ createdAt, updatedAt },
  }
}

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** What tuning came to, the numbers of the prompts left out. */
function scoresOf(tuned: Json | undefined): Json {
  if (tuned === undefined || tuned === null) return null
  const { kept, ...rest } = fieldsOf(tuned)
  return { ...rest, kept: Array.isArray(kept) ? kept.length : 0 } as Json
}
