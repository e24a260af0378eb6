import type { Clock } from '../base/index.ts'

export interface FakeClock extends Clock {
  /** Lets time pass: wakes whoever sleeps until then, and lets what follows from it happen. */
  advance(ms: number): Promise<void>
  /** Milliseconds of every sleep so far, in order. */
  readonly slept: readonly number[]
}

/**
 * A clock that stands still until it is told to go on.
 *
 * @param options.now  milliseconds since 1970; default 0
 * @param options.jump  sleeping takes no time at all: the clock jumps ahead
 */
export function fakeClock(
  options: { readonly now?: number; readonly jump?: boolean } = {},
): FakeClock {
  const start = options.now ?? 0
  let passed = 0
  const slept: number[] = []
  const sleepers = new Set<{ until: number; wake: () => void }>()
  return {
    now: () => start + passed,
    tick: () => passed,
    slept,
    sleep(ms, signal) {
      slept.push(ms)
      if (options.jump === true) passed += ms
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      if (signal?.aborted === true) reject(signal.reason as Error)
      else if (options.jump === true) resolve()
      else {
        const sleeper = { until: passed + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason as Error)
        })
      }
      return promise
    },
    async advance(ms) {
      passed += ms
      for (const sleeper of sleepers) {
        if (sleeper.until > passed) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
