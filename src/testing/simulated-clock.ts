import type { Clock } from '../base/index.ts'

export interface SimulatedClock extends Clock {
  /** Lets time jump to the next sleeper whenever nothing else goes on, until the work is done. */
  run<T>(work: Promise<T>): Promise<T>
  /** Sleepers that nobody woke: timers left running. */
  waiting(): number
}

/**
 * A clock of its own: time passes only when all that is left is waiting for it.
 *
 * Calls that take ten milliseconds and limits of ten seconds then happen in their true order, at once.
 */
export function simulatedClock(options: { readonly now?: number } = {}): SimulatedClock {
  const start = options.now ?? 1_700_000_000_000
  let passed = 0
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()
  const idle = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    now: () => start + passed,
    tick: () => passed,
    waiting: () => sleepers.size,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error)
        const sleeper = { until: passed + ms, wake: () => resolve() }
        sleepers.add(sleeper)
        signal?.addEventListener(
          'abort',
          () => {
            if (sleepers.delete(sleeper)) reject(signal.reason as Error)
          },
          { once: true },
        )
      }),
    async run(work) {
      let settled = false
      const watch = work.finally(() => void (settled = true))
      watch.catch(() => {})
      for (;;) {
        await idle()
        if (settled) return watch
        const next = [...sleepers].toSorted((a, b) => a.until - b.until)[0]
        if (next === undefined) continue
        passed = Math.max(passed, next.until)
        sleepers.delete(next)
        next.wake()
      }
    },
  }
}
