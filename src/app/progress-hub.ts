import type { Progress } from '../base/index.ts'

/** Slow work that is shared, such as converting a model, is told to everyone who waits. */
export interface ProgressHub {
  readonly note: Progress
  /** Hears until the returned function is called. */
  hear(progress: Progress): () => void
}

export function progressHub(): ProgressHub {
  const listeners = new Set<Progress>()
  return {
    note: (note) => {
      for (const listener of listeners) listener(note)
    },
    hear: (progress) => {
      listeners.add(progress)
      return () => listeners.delete(progress)
    },
  }
}
