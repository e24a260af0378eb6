import { seededRandom } from '../src/base/index.ts'

/**
 * Whole numbers drawn from one named stream of a seed: a new draw in one stream shifts no other.
 *
 * Only 32-bit integer operations and exact divisions are used, so every machine draws the same.
 */
export interface Stream {
  /** Uniform in [low, high], both included. */
  range(low: number, high: number): number
  /** True in `parts` of `whole` cases. */
  chance(parts: number, whole: number): boolean
  /** One of a list. @throws Bug for an empty list, by index undefined. */
  pick<T>(items: readonly T[]): T
  /** A new list in random order (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[]
}

export type StreamName = 'layout' | 'looks' | 'ground' | 'words' | 'pictures'

/** The stream of that name for a seed. */
export function streamOf(seed: number, name: StreamName | `${StreamName}/${string}`): Stream {
  const random = seededRandom(`world/${seed}/${name}`)
  const range = (low: number, high: number): number => low + random.below(high - low + 1)
  return {
    range,
    chance: (parts, whole) => random.below(whole) < parts,
    // The index is below the length, which callers keep above zero.
    pick: <T>(items: readonly T[]) => items[random.below(items.length)] as T,
    shuffle: <T>(items: readonly T[]) => {
      const copy = [...items]
      for (let i = copy.length - 1; i > 0; i--) {
        const j = random.below(i + 1)
        const other = copy[j] as T
        copy[j] = copy[i] as T
        copy[i] = other
      }
      return copy
    },
  }
}
