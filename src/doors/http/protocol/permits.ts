import { orAbort } from '../../../base/index.ts'

/** A number of callers at once; the others wait in order. A permit comes back on every path. */
export interface Permits {
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** Those inside and those that wait. */
  length(): number
}

export function permits(most: number): Permits {
  let inside = 0
  const waiting: (() => void)[] = []
  const leave = (): void => {
    inside--
    waiting.shift()?.()
  }
  const enter = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted()
    if (inside >= most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push(resolve)
      try {
        await orAbort(promise, signal)
      } catch (error) {
        const at = waiting.indexOf(resolve)
        if (at >= 0) waiting.splice(at, 1)
        // It was called in just when its caller left: the next one gets the place.
        else waiting.shift()?.()
        throw error
      }
    }
    inside++
  }
  return {
    run: async (work, signal) => {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    length: () => inside + waiting.length,
  }
}
