import { seededRandom } from '../../base/index.ts'
import type { Random } from '../../base/index.ts'

/** A fresh generator of the run's seed for each program that is run: no two share state (program-language §5). */
export function lazyRandom(seed: number): () => Random {
  return () => seededRandom(seed)
}
