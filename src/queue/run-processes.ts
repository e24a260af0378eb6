import type { Abortable, Clock } from '../base/index.ts'
import type { JobStore } from '../stores/index.ts'
import type { ProcessEnd, WorkerProcess } from './worker-process.ts'

export interface ProcessesParts {
  readonly jobs: JobStore
  readonly clock: Clock
  /** Starts a process that works off jobs and ends when none is left. */
  readonly start: () => WorkerProcess
  /** Jobs of these kinds are worked off. */
  readonly kinds: readonly string[]
  /** At a time; default 1. */
  readonly most?: number
  /** Between looks for work, also that of other processes; default 1000 ms. */
  readonly idleMs?: number
  /** Hears what went wrong, a line each. */
  readonly note?: (text: string) => void
}

export interface ProcessesOptions extends Abortable {
  /** Ends when nothing waits and no process runs; else it goes on until the signal fires. */
  readonly once?: boolean
}

/** Waited after a process that ended badly without having begun a job: doubled each time, up to a minute. */
const MOST_WAIT_MS = 60_000

/**
 * Starts worker processes while jobs wait, and none while there is nothing to do.
 *
 * What a process that died had is free at once, and another goes on behind its last finished stage. A process that
 * ends before it takes a job is not started again at once, so that a broken installation does not spin.
 */
export async function runProcesses(
  parts: ProcessesParts,
  { once = false, signal }: ProcessesOptions = {},
): Promise<void> {
  const { jobs, clock, start, kinds, most = 1, idleMs = 1000, note = () => {} } = parts
  const running = new Map<WorkerProcess, Promise<WorkerProcess>>()
  let failures = 0
  while (signal?.aborted !== true) {
    if (running.size < most && (await jobs.claimable(kinds)) > 0) {
      const worker = start()
      const ended = worker.ended.then(() => worker)
      running.set(worker, ended)
    } else if (once && running.size === 0) return
    const worker = await firstOf(running, { clock, ms: idleMs, signal })
    if (worker === undefined) continue
    running.delete(worker)
    const end = await worker.ended
    const had = await jobs.abandon(worker.owner, reasonOf(end))
    if (end.kind !== 'clean') note(`A worker process ended: ${reasonOf(end)}`)
    failures = end.kind === 'clean' || had > 0 ? 0 : failures + 1
    if (failures === 0) continue
    if (once) return
    await firstOf(running, { clock, ms: Math.min(MOST_WAIT_MS, idleMs * 2 ** failures), signal })
  }
  for (const worker of running.keys()) worker.stop()
  await Promise.all(running.values())
  for (const { owner } of running.keys()) await jobs.abandon(owner)
}

/** The first process that ends; undefined when the time was up, or the signal fired, first. */
async function firstOf(
  running: ReadonlyMap<WorkerProcess, Promise<WorkerProcess>>,
  { clock, ms, signal }: Abortable & { readonly clock: Clock; readonly ms: number },
): Promise<WorkerProcess | undefined> {
  const done = new AbortController()
  const either = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal])
  const over = clock.sleep(ms, either).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([over, ...running.values()])
  } finally {
    done.abort()
  }
}

function reasonOf(end: ProcessEnd): string {
  switch (end.kind) {
    case 'clean':
      return 'Its worker ended before it was done.'
    case 'memory':
      return 'Its worker took more memory than it may.'
    case 'died':
      return `Its worker died (${end.how}).`
    default:
      return end satisfies never
  }
}
