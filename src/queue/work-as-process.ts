import { setPriority } from 'node:os'
import type { Abortable, Json } from '../base/index.ts'
import { OVER_MEMORY } from './worker-process.ts'
import type { ProcessOrder } from './worker-process.ts'

/** Between looks at the memory, ms. */
const LOOK_MS = 200

/**
 * What the entry of a worker process does: waits for its order, works until nothing is left, ends.
 *
 * It gives its job back and ends when whoever started it is gone, and ends at once, job and all, when it grows over
 * its cap: the job then goes on in a fresh process behind its last finished stage.
 *
 * @param work  works off what waits; the signal fires when the process is to stop
 */
export function workAsProcess(
  work: (
    setup: Json,
    options: { readonly owner: string; readonly signal: AbortSignal } & Abortable,
  ) => Promise<void>,
): void {
  const stopping = new AbortController()
  process.once('disconnect', () => stopping.abort())
  // Ctrl-C reaches every process of a terminal: whoever started this one decides.
  process.on('SIGINT', () => {})
  process.once('message', (order: ProcessOrder) => {
    const { owner, setup, mostBytes, nice } = order
    setPriority(nice)
    endAbove(mostBytes)
    setInterval(() => endAbove(mostBytes), LOOK_MS)
    work(setup, { owner, signal: stopping.signal }).then(
      () => process.exit(0),
      (error: unknown) => end(stopping.signal.aborted ? undefined : error),
    )
  })
}

/** Ends the process when what it was told is on its way. */
function end(error: unknown): void {
  if (error === undefined || process.send === undefined) process.exit(error === undefined ? 0 : 1)
  const text = error instanceof Error ? error.message : String(error)
  process.send({ failed: text }, () => process.exit(1))
}

function endAbove(mostBytes: number): void {
  if (process.memoryUsage.rss() > mostBytes) process.exit(OVER_MEMORY)
}
