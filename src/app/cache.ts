/** A place on disk. */
export interface CacheEntry {
  readonly name: string
  readonly path: string
  readonly files: number
  readonly bytes: number
  /** True when it can be made again. */
  readonly disposable: boolean
}

export interface CacheShelf {
  list(): Promise<readonly CacheEntry[]>
  /** Deletes what can be made again, and pictures that no run uses. */
  prune(): Promise<{ readonly files: number; readonly bytes: number }>
}
