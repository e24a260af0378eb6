import type { Abortable } from '../../base/index.ts'
import { hash32 } from '../../base/index.ts'
import { cropImage, fingerprintDistance, pictureFingerprint } from '../../image/index.ts'
import type { TuningExample } from './tuning.ts'

/** Bits in which fingerprints of the same thing differ at most; of 64. */
export const NEAR_BITS = 10
/** One group in so many is held out. */
const HELD_OUT = 5

/** Examples apart by picture: nothing that is checked with was trained on. */
export interface Halves<T> {
  readonly training: readonly T[]
  readonly heldOut: readonly T[]
}

/**
 * Folds near-duplicates, then holds out one picture in five, at least one, chosen by its hash.
 *
 * @source clova §4.4 (1)
 */
export async function splitExamples(
  examples: readonly TuningExample[],
  options: Abortable = {},
): Promise<Halves<TuningExample> & { /** Copies of other pictures, left out. */ folded: number }> {
  const kept = await foldCopies(examples, options)
  return { ...holdOut(kept, (one) => one), folded: examples.length - kept.length }
}

/** Positives and negatives are split each for itself; examples of one picture stay together. */
export function holdOut<T>(all: readonly T[], exampleOf: (one: T) => TuningExample): Halves<T> {
  const examples = all.map(exampleOf)
  const shown = new Set(examples.filter((one) => one.positive).map(({ image }) => image.hash))
  const held = new Set<string>()
  for (const positive of [true, false]) {
    const own = examples.filter((one) => one.positive === positive)
    const pictures = [...new Set(own.map(({ image }) => image.hash))].filter(
      (hash) => positive || !shown.has(hash),
    )
    const most = pictures.length < 2 ? 0 : Math.max(1, Math.floor(pictures.length / HELD_OUT))
    const byHash = pictures.toSorted((a, b) => hash32(a) - hash32(b) || (a < b ? -1 : 1))
    for (const picture of byHash.slice(0, most)) held.add(picture)
  }
  const isHeld = (one: T): boolean => held.has(exampleOf(one).image.hash)
  return { training: all.filter((one) => !isHeld(one)), heldOut: all.filter(isHeld) }
}

/** Drops what looks like an earlier example of another picture. */
export async function foldCopies(
  examples: readonly TuningExample[],
  options: Abortable,
): Promise<readonly TuningExample[]> {
  const seen: { readonly picture: string; readonly print: string }[] = []
  const kept: TuningExample[] = []
  for (const one of examples) {
    const print = await pictureFingerprint(cropOf(one), options)
    const copy = seen.some(
      ({ picture, print: other }) =>
        picture !== one.image.hash && fingerprintDistance(print, other) <= NEAR_BITS,
    )
    if (copy) continue
    seen.push({ picture: one.image.hash, print })
    kept.push(one)
  }
  return kept
}

const cropOf = ({ image, box }: TuningExample) =>
  box === undefined ? image : cropImage(image, box)
