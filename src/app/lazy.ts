/** Something that is made when it is first asked for, once. */
export interface Lazy<T> {
  (): Promise<T>
  /** What was made, if it was; a making that failed counts as none. */
  made(): Promise<T | undefined>
}

/** A failed making is not kept: the next call tries again. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let making: Promise<T> | undefined
  const get = (): Promise<T> => {
    if (making !== undefined) return making
    const attempt = make()
    making = attempt
    attempt.catch(() => {
      if (making === attempt) making = undefined
    })
    return attempt
  }
  return Object.assign(get, {
    made: async () => (making === undefined ? undefined : making.catch(() => undefined)),
  })
}
