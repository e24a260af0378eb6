/** Time as an argument, so that no test waits. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Monotonic milliseconds, for durations. */
  tick(): number
  /** Resolves after `ms`, rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  tick: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = (): void => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }, ms)
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
