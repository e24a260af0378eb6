/** Turns callbacks into an async iterable: what is pushed comes out in order. */
export interface PushStream<T> {
  push(value: T): void
  end(): void
  /** Ends with an error, after what was pushed before. */
  fail(error: unknown): void
  readonly values: AsyncIterable<T>
}

export function pushStream<T>(): PushStream<T> {
  const waiting: T[] = []
  let finish: { readonly error?: unknown } | undefined
  let wake = Promise.withResolvers<void>()

  const tell = (): void => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  }
  async function* values(): AsyncGenerator<T> {
    for (;;) {
      // Taken before looking, so that a push in between is not missed.
      const next = wake.promise
      for (let value = waiting.shift(); value !== undefined; value = waiting.shift()) yield value
      if (waiting.length > 0) continue
      if (finish !== undefined) {
        if ('error' in finish) throw finish.error
        return
      }
      await next
    }
  }
  return {
    push: (value) => {
      waiting.push(value)
      tell()
    },
    end: () => {
      finish ??= {}
      tell()
    },
    fail: (error) => {
      finish ??= { error }
      tell()
    },
    values: values(),
  }
}
