import { orAbort } from '../base/index.ts'
import type { Clock } from '../base/index.ts'

/**
 * Does `work` with a signal that fires after `ms` with `late()`, or when `signal` fires.
 *
 * A work that ignores its signal is left alone and its result dropped.
 */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: { clock: Clock; late: () => Error; signal?: AbortSignal | undefined },
): Promise<T> {
  const bell = new AbortController()
  const done = new AbortController()
  const signals = options.signal === undefined ? [] : [options.signal]
  const either = AbortSignal.any([bell.signal, ...signals])
  options.clock.sleep(ms, done.signal).then(
    () => bell.abort(options.late()),
    () => {},
  )
  try {
    return await orAbort(work(either), either)
  } finally {
    done.abort()
  }
}
