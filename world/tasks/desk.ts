import type { Stream } from '../stream.ts'
import type { Style } from '../types.ts'
import type { Library } from './library.ts'
import type { Desk } from './question.ts'

const TRIES = 200

/** A desk for one question: at most one new concept, the hinge; everything else known. */
export function createDesk(
  library: Library,
  styles: readonly Style[],
  stream: Stream,
  hinge: string | undefined,
): Desk {
  const { lexicon } = library
  const known = library.conceptsOf(styles, 'known')
  const draw = (good: (id: string) => boolean): string | undefined => {
    for (let n = 0; n < TRIES; n++) {
      const id = stream.pick(known)
      if (good(id)) return id
    }
    return undefined
  }
  return {
    lexicon,
    stream,
    hinge,
    subject: (test = () => true) => {
      if (hinge === undefined) return draw(test)
      return test(hinge) ? hinge : undefined
    },
    other: (beside, test = () => true) =>
      draw(
        (id) =>
          !beside.includes(id) && !beside.some((one) => lexicon.related(one).has(id)) && test(id),
      ),
  }
}
