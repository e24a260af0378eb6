import { useCallback, useEffect, useRef, useState } from 'react'
import type { ErrorData } from '../../base/index.ts'

export interface Pages<T> {
  readonly items: readonly T[]
  /** Undefined until the first page is there. */
  readonly isRead: boolean
  /** False while there are more pages. */
  readonly isAll: boolean
  readonly error?: ErrorData
  /** Fetches the next page, once. */
  readonly more: () => void
  /** Reads the list again from its beginning. */
  readonly again: () => void
}

interface Page<T> {
  readonly items: readonly T[]
  readonly next?: string
}

/**
 * A list of the API, page by page as it is needed.
 *
 * @param read  must stay the same function
 */
export function usePages<T>(
  address: string,
  read: (address: string) => Promise<Page<T>>,
): Pages<T> {
  const [state, setState] = useState<Page<T> & { readonly error?: ErrorData }>()
  const [turn, setTurn] = useState(0)
  const fetching = useRef<string>(undefined)
  useEffect(() => {
    let isLeft = false
    fetching.current = undefined
    void read(address).then(
      (page) => isLeft || setState(page),
      (error: unknown) => isLeft || setState({ items: [], error: error as ErrorData }),
    )
    return () => {
      isLeft = true
    }
  }, [address, read, turn])
  const next = state?.next
  const more = useCallback(() => {
    if (next === undefined || fetching.current === next) return
    fetching.current = next
    void read(next).then(
      (page) =>
        setState((now) =>
          now?.next === next ? { ...page, items: [...now.items, ...page.items] } : now,
        ),
      (error: unknown) => setState((now) => ({ items: [], ...now, error: error as ErrorData })),
    )
  }, [next, read])
  const again = useCallback(() => setTurn((now) => now + 1), [])
  const { items = [], error } = state ?? {}
  const failed = error === undefined ? {} : { error }
  return { items, isRead: state !== undefined, isAll: next === undefined, ...failed, more, again }
}
