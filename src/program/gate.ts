/** Lets at most `places` works run at a time; the others wait in the order in which they came. */
export function gate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = Math.max(1, places)
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free === 0) await new Promise<void>((go) => waiting.push(go))
    else free--
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
