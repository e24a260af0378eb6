/** Options that every async function takes. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

/** A signal that fires with `parent` or after `ms` milliseconds, whichever is first. */
export function deadline(ms: number, parent?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(ms)
  return parent === undefined ? timeout : AbortSignal.any([parent, timeout])
}

/** True for the reason of a fired signal: cancellation is passed on as it is, never wrapped. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException
    ? error.name === 'AbortError' || error.name === 'TimeoutError'
    : error instanceof Error && error.name === 'AbortError'
}

/** Settles with `work`, or rejects with the signal's reason as soon as it fires. */
export async function orAbort<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work
  // Work that fails after the signal has fired has nobody left to tell.
  work.catch(() => {})
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
