/** A search that errs: a folder of named drawings of which some show something else. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '../src/base/index.ts'
import { encodePng } from '../src/image/index.ts'
import { createPictureSource, TRAIN_STYLES } from '../world/index.ts'
import type { Library } from '../world/index.ts'

/** Drawings of a concept, and known concepts beside those that are learnt. */
const DRAWINGS = 10
const BESIDE = 60

export interface NoiseOptions {
  /** Of the drawings under a name, those that show another concept, 0..1. */
  readonly share: number
  readonly concepts: readonly string[]
  readonly seed: number
}

/**
 * Writes drawings of concepts, and of others beside them, into folders of their names, `share` of each exchanged for
 * drawings of other concepts.
 *
 * @returns the folder
 */
export async function noisyFolder(
  library: Library,
  folder: string,
  { share, concepts, seed }: NoiseOptions,
): Promise<string> {
  const { lexicon, sprites } = library
  const source = createPictureSource(
    lexicon,
    sprites.filter(({ style }) => TRAIN_STYLES.includes(style)),
  )
  const random = seededRandom(`noise/${seed}`)
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T // lists here have something
  const known = library.conceptsOf(TRAIN_STYLES, 'known')
  const all = [...new Set([...concepts, ...Array.from({ length: BESIDE }, () => pick(known))])]
  const drawings = (id: string) => source.search(lexicon.concept(id).label, { n: DRAWINGS })
  for (const id of all) {
    const own = drawings(id)
    const wrong = Math.round(share * own.length)
    const at = join(folder, lexicon.concept(id).label)
    mkdirSync(at, { recursive: true })
    for (const [i, drawing] of own.entries()) {
      const other = pick(all.filter((one) => one !== id))
      const shown = i < wrong ? pick([...drawings(other), drawing]) : drawing
      // Wrong ones anywhere in the order of the names.
      const name = String(Math.floor(random.next() * 1e9)).padStart(9, '0')
      writeFileSync(join(at, `${name}.png`), encodePng(shown.rgb, shown.width, shown.height))
    }
  }
  return folder
}
