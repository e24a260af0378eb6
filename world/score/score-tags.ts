import { iou } from '../../src/image/index.ts'
import type { ObjectRecord } from '../../src/image/index.ts'
import type { Lexicon } from '../lexicon.ts'
import { namesByClass, namesStrictly } from '../naming.ts'
import type { TaskObject } from '../tasks/task.ts'

/** What of a picture's tags was right: one to one at half overlap. */
export interface TagCounts {
  readonly hits: number
  readonly misses: number
  readonly surplus: number
}

/** Of one picture, by strict name, by WordNet class, and by place alone. */
export interface TagScore {
  readonly strict: TagCounts
  readonly byClass: TagCounts
  readonly located: TagCounts
}

/** Boxes match from this overlap on. @source clova §8 */
const LEAST_OVERLAP = 0.5

/** Matches given tags with the expected ones, best overlap first, each once. */
export function scoreTags(
  lexicon: Lexicon,
  expected: readonly TaskObject[],
  given: readonly ObjectRecord[],
): TagScore {
  const count = (fits: (concept: string, name: string) => boolean): TagCounts => {
    const pairs = expected.flatMap((want, w) =>
      given.flatMap((tag, g) => {
        const overlap = iou(want.box, tag.box)
        const name = tag.class ?? tag.category
        return overlap >= LEAST_OVERLAP && fits(want.concept, name) ? [{ w, g, overlap }] : []
      }),
    )
    const [wanted, used] = [new Set<number>(), new Set<number>()]
    for (const { w, g } of pairs.toSorted((a, b) => b.overlap - a.overlap)) {
      if (wanted.has(w) || used.has(g)) continue
      wanted.add(w)
      used.add(g)
    }
    const hits = wanted.size
    return { hits, misses: expected.length - hits, surplus: given.length - hits }
  }
  return {
    strict: count((concept, name) => namesStrictly(lexicon, concept, name)),
    byClass: count((concept, name) => namesByClass(lexicon, concept, name)),
    located: count(() => true),
  }
}
