import type { Abortable, Clock, Json } from '../base/index.ts'
import type { Job, JobStore } from '../stores/index.ts'

/** What does a job of some kind. */
export interface JobContext {
  readonly signal: AbortSignal
  /** Keeps what a stage left; throws when the job is another worker's by now. */
  readonly keep: (progress: Json) => Promise<void>
}

export type JobHandler = (job: Job, context: JobContext) => Promise<void>

export interface WorkerParts {
  readonly jobs: JobStore
  readonly handlers: Readonly<Record<string, JobHandler>>
  /** Unique among workers, such as `host/pid`. */
  readonly owner: string
  readonly clock: Clock
  /** A job whose worker is silent for so long is another's; default 60,000 ms. */
  readonly leaseMs?: number
  /** Between looks for work; default 1000 ms. */
  readonly idleMs?: number
  /** A job that took so many workers down is given up; default 5. */
  readonly mostAttempts?: number
}

/** How a look for work ended. */
export interface Done {
  readonly job: Job
  /** `lost`: another worker has it. */
  readonly outcome: 'done' | 'failed' | 'released' | 'lost'
  readonly error?: string
}

class Lost extends Error {}

/**
 * Takes one job and does it, keeping its lease alive.
 *
 * When the signal fires, the job is given back behind its last finished stage.
 *
 * @returns undefined when there is no job to take
 */
export async function workOnce(
  parts: WorkerParts,
  { signal }: Abortable = {},
): Promise<Done | undefined> {
  const { jobs, owner, handlers, leaseMs = 60_000, mostAttempts = 5 } = parts
  signal?.throwIfAborted()
  const job = await jobs.claim(owner, leaseMs, Object.keys(handlers))
  if (job === undefined) return undefined
  const end = async (error?: string): Promise<Done> => {
    const mine = await jobs.finish(job.id, owner, error)
    if (!mine) return { job, outcome: 'lost' }
    return error === undefined ? { job, outcome: 'done' } : { job, outcome: 'failed', error }
  }
  if (job.attempts > mostAttempts) {
    const last = job.error === null ? '' : ` ${job.error}`
    return end(`It was begun ${job.attempts - 1} times, and its worker ended each time.${last}`)
  }
  const own = new AbortController()
  const all = AbortSignal.any(signal === undefined ? [own.signal] : [signal, own.signal])
  const renewing = keepLease(parts, job, own)
  try {
    const keep = async (progress: Json): Promise<void> => {
      if (!(await jobs.save(job.id, owner, progress))) throw new Lost()
    }
    await handlers[job.kind]?.(job, { signal: all, keep })
    return await end()
  } catch (error) {
    if (error instanceof Lost || own.signal.aborted) return { job, outcome: 'lost' }
    if (signal?.aborted === true) {
      await jobs.release(job.id, owner)
      return { job, outcome: 'released' }
    }
    return await end(error instanceof Error ? error.message : String(error))
  } finally {
    renewing.abort()
  }
}

/** Works until the signal fires. */
export async function work(parts: WorkerParts, { signal }: Abortable = {}): Promise<void> {
  const { clock, idleMs = 1000 } = parts
  while (signal?.aborted !== true) {
    const done = await workOnce(parts, signal === undefined ? {} : { signal })
    if (done === undefined) await clock.sleep(idleMs, signal).catch(() => {})
  }
}

/** Renews a lease thrice in its time; stops the work when it is lost, or can no longer be renewed. */
function keepLease(
  { jobs, owner, clock, leaseMs = 60_000 }: WorkerParts,
  job: Job,
  own: AbortController,
): AbortController {
  const stop = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await clock.sleep(leaseMs / 3, stop.signal)
      if (stop.signal.aborted) return
      if (!(await jobs.renew(job.id, owner, leaseMs))) throw new Lost()
    }
  }
  loop().catch((error: unknown) => {
    if (!stop.signal.aborted) own.abort(error)
  })
  return stop
}
