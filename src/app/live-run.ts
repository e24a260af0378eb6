import type { Run, Step } from '../agents/index.ts'
import type { ProgressNote } from '../base/index.ts'

/**
 * What happens in a run, as it happens. `id` counts steps and the end from 1 and names the place for resuming;
 * progress does not count, it carries the id of what came before.
 */
export type RunEvent =
  | { readonly id: number; readonly type: 'step'; readonly step: Step }
  | { readonly id: number; readonly type: 'progress'; readonly note: ProgressNote }
  | { readonly id: number; readonly type: 'finish'; readonly run: Run }
  | { readonly id: number; readonly type: 'failed'; readonly error: unknown }

/** `RunEvent` before it is numbered. */
export type RunNews = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'id'>
    : never
  : never

/** A run that is going on, or has just ended. */
export interface LiveRun {
  readonly id: string
  /** Inputs of the task, known from the start. */
  readonly task: Run['task']
  /** Every event after `after` (0 for all), those to come included; ends with the run. */
  events(after?: number, options?: { readonly signal?: AbortSignal }): AsyncIterable<RunEvent>
  /** Settles when the run is on record, to be found there whatever becomes of this process; rejects if it cannot be. */
  readonly kept: Promise<void>
  /** The finished run; rejects with what stopped it, such as a full disk. */
  readonly result: Promise<Run>
  cancel(reason?: string): void
}

/** Keeps what happened and tells whoever listens. */
export interface RunJournal {
  tell(news: RunNews): void
  events(after?: number, options?: { readonly signal?: AbortSignal }): AsyncIterable<RunEvent>
}

export function runJournal(): RunJournal {
  const past: RunEvent[] = []
  let last = 0
  let wake = Promise.withResolvers<void>()
  let ended = false
  return {
    tell: (news) => {
      if (news.type !== 'progress') last++
      past.push({ ...news, id: last } as RunEvent)
      ended ||= news.type === 'finish' || news.type === 'failed'
      wake.resolve()
      wake = Promise.withResolvers<void>()
    },
    events: async function* (after = 0, { signal } = {}) {
      let at = 0
      for (;;) {
        for (; at < past.length; at++) {
          const event = past[at] as RunEvent // at < length
          if (after === 0 || event.id > after) yield event
        }
        if (ended || signal?.aborted === true) return
        await Promise.race([wake.promise, fired(signal)])
      }
    },
  }
}

function fired(signal?: AbortSignal): Promise<void> {
  if (signal === undefined) return new Promise(() => {})
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
