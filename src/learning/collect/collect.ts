import type { Abortable, Json } from '../../base/index.ts'
import { isAbort } from '../../base/index.ts'
import { fingerprintDistance, pictureFingerprint } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { normaliseName } from '../../tools/index.ts'
import { NEAR_BITS } from '../tuning/split-examples.ts'
import type { TuningExample } from '../tuning/tuning.ts'
import type { FoundExample, PictureFinder } from './finder.ts'

/** How often a search that fails is tried again. */
const TRIES = 3

/** An example with where it came from. */
export interface CollectedExample extends TuningExample {
  readonly source: string
  readonly licence: string
  readonly creator?: string
}

/** What was gathered, and why other pictures were left. */
export interface Collected {
  readonly examples: readonly CollectedExample[]
  readonly found: number
  /** Reason → how many. */
  readonly dropped: Readonly<Record<string, number>>
  /** What could not be asked, a line each. */
  readonly notes: readonly string[]
}

export interface CollectOptions extends Abortable {
  /** Pictures of the concept, the person's own among them; default 7. */
  readonly aim?: number
  /** Pictures of each other name; default 5. */
  readonly beside?: number
  /** Found pictures with a shorter side show too little; default 64. */
  readonly leastSide?: number
  /** Pictures that nothing may be a copy of: those that answers will be checked on. */
  readonly apart?: readonly Image[]
  /** Whether a name means the concept too, by synonyms; such are no negatives. */
  readonly isSame?: (name: string, concept: string) => boolean
  /** Whether a picture can be used; a reason against it, or undefined. */
  readonly check?: (found: FoundExample, name: string) => Promise<string | undefined>
}

/**
 * Gathers pictures of a concept and of what it is not: the person's own first, then finder by finder until
 * there are enough.
 *
 * Small pictures and copies of others are left; a finder that fails is tried three times, then told of.
 *
 * @param negatives  names of related but different things (clova §5)
 * @source CLOVA §3.4 (data collection)
 */
export async function collect(
  concept: string,
  own: readonly TuningExample[],
  negatives: readonly string[],
  finders: readonly PictureFinder[],
  options: CollectOptions = {},
): Promise<Collected> {
  const { aim = 7, beside = 5, apart = [], isSame = sameName } = options
  const gathering = gather(options)
  for (const image of apart) await gathering.avoid(image)
  for (const one of own) {
    await gathering.take({ ...one, source: 'your correction', licence: 'yours' }, one.name, 0)
  }
  const positives = (): number => gathering.examples.filter((one) => one.positive).length
  await gathering.search(concept, true, finders, () => aim - positives())
  for (const name of negatives) {
    if (isSame(name, concept)) continue
    const have = (): number =>
      gathering.examples.filter((one) => !one.positive && one.name === name).length
    await gathering.search(name, false, finders, () => beside - have())
  }
  const { examples, dropped, notes, count } = gathering
  return { examples, found: count(), dropped: Object.fromEntries(dropped), notes }
}

const sameName = (a: string, b: string): boolean => normaliseName(a) === normaliseName(b)

function gather(options: CollectOptions) {
  const { signal, check, leastSide = 64 } = options
  const examples: CollectedExample[] = []
  const dropped = new Map<string, number>()
  const notes: string[] = []
  const prints: { readonly picture: string; readonly print: string }[] = []
  let found = 0
  const drop = (reason: string): false => {
    dropped.set(reason, (dropped.get(reason) ?? 0) + 1)
    return false
  }
  const isCopy = async (image: Image): Promise<boolean> => {
    const print = await pictureFingerprint(image, { signal })
    const copy = prints.some(
      (one) => one.picture !== image.hash && fingerprintDistance(one.print, print) <= NEAR_BITS,
    )
    if (!copy) prints.push({ picture: image.hash, print })
    return copy
  }
  const take = async (one: CollectedExample, name: string, least = leastSide): Promise<boolean> => {
    const { image } = one
    if (Math.min(image.width, image.height) < least) return drop(`smaller than ${least} pixels`)
    const isRepeat = examples.some(
      (other) => other.image.hash === image.hash && String(other.box) === String(one.box),
    )
    if (isRepeat || (await isCopy(image))) return drop('a copy of another picture')
    const reason = await check?.(one, name)
    if (reason !== undefined) return drop(reason)
    examples.push(one)
    return true
  }
  const search = async (
    name: string,
    positive: boolean,
    finders: readonly PictureFinder[],
    missing: () => number,
  ): Promise<void> => {
    for (const finder of finders) {
      if (missing() <= 0) return
      const all = await asked(finder, name, 2 * missing(), notes, signal)
      found += all.length
      for (const { title: _, ...one } of all) {
        if (missing() <= 0) break
        await take({ ...one, positive, name }, name)
      }
    }
  }
  return {
    ...{ examples, dropped, notes, take, search, count: () => found },
    avoid: async (image: Image): Promise<void> => {
      prints.push({ picture: '', print: await pictureFingerprint(image, { signal }) })
    },
  }
}

/** What a finder finds; one that fails again and again is noted, and finds nothing. */
async function asked(
  finder: PictureFinder,
  name: string,
  most: number,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<readonly FoundExample[]> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await finder.find(name, { most, ...(signal === undefined ? {} : { signal }) })
    } catch (error) {
      if (isAbort(error)) throw error
      const isLasting = (error as { kind?: string }).kind !== 'Unavailable'
      if (attempt < TRIES && !isLasting) continue
      const reason = error instanceof Error ? error.message : String(error)
      notes.push(`${finder.name} found nothing for "${name}": ${reason}`)
      return []
    }
  }
}

/** What was gathered in words and numbers, without pictures. */
export function collectedJson({ examples, found, dropped, notes }: Collected): Json {
  const sources = examples.map(({ name, positive, source, licence, creator, image }) => ({
    ...{ name, positive, source, licence, picture: image.hash },
    ...(creator === undefined ? {} : { creator }),
  }))
  return { found, kept: examples.length, dropped: { ...dropped }, notes: [...notes], sources }
}
