import type { Abortable } from '../../../base/index.ts'
import { iou, pixelBox, suppress } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { PromptUse } from '../../../program/index.ts'
import type { Finding } from '../../backends.ts'
import { normaliseName, plainText } from '../../names.ts'
import type { TaughtExample, TaughtLook, TaughtSource } from '../../taught.ts'
import type { Eyes } from './eyes.ts'
import { FEATURE_MEAN } from './feature-mean.ts'
import { cosine } from './features.ts'
import type { Features, Likeness } from './features.ts'

/**
 * From this similarity to an example on, a region is of its concept. Seen on the test photographs: pieces of
 * pastry among each other 0.62 to 0.9, a cup beside them 0.59, most strangers below 0.4.
 */
export const LIKE_FROM = 0.62
/** From this similarity to a tombstone on, a find of the plain tool is not believed. */
const UNLIKE_FROM = 0.8
/** From this similarity on, two pictures are the same to a question. */
const SAME_PICTURE_FROM = 0.97
/** Boxes with this overlap are the same place. */
const SAME_PLACE = 0.5
/** Places looked at in a picture: what the detector sees, however faintly. */
const MOST_PLACES = 16
const PLACE_OVERLAP = 0.7

export interface ExemplarParts {
  readonly eyes: Pick<Eyes, 'objects'>
  readonly features: Features
  readonly taught: TaughtSource
}

/**
 * Nearest neighbours among the examples that people gave: works from the first example on, at once.
 *
 * It judges places that the detector sees, however faintly and as whatever, and the whole picture when
 * none of those fits; it finds no other places by itself. In the very picture of an example the person's
 * word stands, whatever the numbers say.
 *
 * @source photo-starter §9; product R1
 */
export function exemplarLook(parts: ExemplarParts): TaughtLook {
  const embed = remembering(parts.features)
  return lookWith(parts, embed, undefined)
}

type Embed = (image: Image, box: Box, options?: Abortable) => Promise<Float32Array>

function lookWith(parts: ExemplarParts, embed: Embed, uses: PromptUse[] | undefined): TaughtLook {
  const { eyes, features, taught } = parts
  const { likeness: alike = PHOTO_LIKENESS } = features
  const examplesOf = async (name: string): Promise<readonly TaughtExample[] | undefined> => {
    const { things } = await taught()
    if (things.size === 0) return undefined
    const all = things.get(normaliseName(name))?.filter((one) => one.encoder === features.name)
    return all === undefined || all.length === 0 ? undefined : all
  }
  const note = (concept: string, example: TaughtExample | undefined, weight: number): void => {
    if (uses === undefined || example === undefined) return
    if (uses.some(({ prompt }) => prompt === example.id)) return
    const { id, lesson, version } = example
    uses.push({ lesson, version, concept, prompt: id, weight: Math.round(weight * 1000) / 1000 })
  }
  return {
    find: async (image, name, plain, options = {}) => {
      const examples = await examplesOf(name)
      if (examples === undefined) return undefined
      const judge: Judge = {
        image,
        examples,
        embed,
        alike,
        options,
        note: (...all) => note(name, ...all),
      }
      const kept = await withoutRejected(plain, judge)
      const places = placesIn(await eyes.objects(image, options), examples, image)
      const added = await fitting(places, name, judge)
      const free = added.filter((one) =>
        kept.every(({ box }) => overlap(box, one.box) < SAME_PLACE),
      )
      return [...kept, ...free].toSorted((a, b) => b.score - a.score)
    },
    fit: async (image, box, name, options = {}) => {
      const examples = await examplesOf(name)
      if (examples === undefined) return undefined
      const judge: Judge = {
        image,
        examples,
        embed,
        alike,
        options,
        note: (...all) => note(name, ...all),
      }
      const { near, far, best } = await likeness(box, judge)
      if (far > near && far >= UNLIKE_FROM) return { score: null }
      const from = likeFrom(judge)
      if (near >= from && near > far) judge.note(best, near)
      return { score: near > far ? near : Math.min(near, from - 0.01) }
    },
    answer: async (image, question, options = {}) => {
      const { answers } = await taught()
      const known = answers.size === 0 ? undefined : answers.get(questionKey(question))
      const usable = known?.filter((one) => one.positive && one.encoder === features.name) ?? []
      if (usable.length === 0) return undefined
      const newestFirst = usable.toReversed()
      const same = newestFirst.find((one) => one.picture === image.hash)
      if (same !== undefined) {
        note(questionKey(question), same, 1)
        return { answer: same.answer, similarity: 1 }
      }
      const feature = await embed(image, [0, 0, image.width, image.height], options)
      const scored = newestFirst.map((one) => ({ one, near: alike.like(feature, one.feature) }))
      const best = scored.toSorted((a, b) => b.near - a.near)[0]
      if (best === undefined || best.near < SAME_PICTURE_FROM) return undefined
      note(questionKey(question), best.one, best.near)
      return { answer: best.one.answer, similarity: best.near }
    },
    noting: (uses) => lookWith(parts, embed, uses),
  }
}

/** A question as answers are found by it. */
export function questionKey(question: string): string {
  return plainText(question.replace(/[?!.,;:"“”]+/g, ' '))
}

interface Judge {
  readonly image: Image
  readonly examples: readonly TaughtExample[]
  readonly embed: Embed
  readonly alike: Likeness
  readonly options: Abortable
  readonly note: (example: TaughtExample | undefined, weight: number) => void
}

/** Similarity to the nearest example and to the nearest tombstone; what was said of this very place is 1. */
async function likeness(
  box: Box,
  { image, examples, embed, alike, options }: Judge,
): Promise<{ near: number; far: number; best: TaughtExample | undefined; worst?: TaughtExample }> {
  const here = examples.findLast(
    (one) =>
      one.picture === image.hash && one.box !== undefined && overlap(one.box, box) >= SAME_PLACE,
  )
  if (here?.positive === true) return { near: 1, far: -1, best: here }
  if (here !== undefined) return { near: -1, far: 1, best: undefined, worst: here }
  const feature = await embed(image, box, options)
  const nearest = (positive: boolean): { score: number; one?: TaughtExample } =>
    examples
      .filter((one) => one.positive === positive)
      .reduce<{ score: number; one?: TaughtExample }>(
        (best, one) => {
          const score = alike.like(feature, one.feature)
          return score > best.score ? { score, one } : best
        },
        { score: -1 },
      )
  const [yes, no] = [nearest(true), nearest(false)]
  return {
    ...{ near: yes.score, far: no.score, best: yes.one },
    ...(no.one === undefined ? {} : { worst: no.one }),
  }
}

async function withoutRejected(
  plain: readonly Finding[],
  judge: Judge,
): Promise<readonly Finding[]> {
  const kept: Finding[] = []
  if (judge.examples.every(({ positive }) => positive)) return plain
  for (const one of plain) {
    const { near, far, worst } = await likeness(one.box, judge)
    if (far >= UNLIKE_FROM && far > near) judge.note(worst, far)
    else kept.push(one)
  }
  return kept
}

/** What the detector sees, best first, each place once; and what was shown in this very picture. */
function placesIn(
  seen: readonly Finding[],
  examples: readonly TaughtExample[],
  image: Image,
): readonly Box[] {
  const shown = examples.filter((one) => one.picture === image.hash && one.positive)
  const own = shown.flatMap(({ box }) => (box === undefined ? [] : [{ box, score: 2 }]))
  const found = seen.flatMap(({ box, score }) => {
    const inside = pixelBox(box, image)
    return inside === undefined ? [] : [{ box: inside, score }]
  })
  const apart = suppress(
    [...own, ...found].toSorted((a, b) => b.score - a.score),
    {
      maxOverlap: PLACE_OVERLAP,
    },
  )
  return apart.slice(0, MOST_PLACES).map(({ box }) => box)
}

/** The places that fit, best first; the whole picture when none does and it fits. */
async function fitting(
  places: readonly Box[],
  name: string,
  judge: Judge,
): Promise<readonly Finding[]> {
  const { width, height } = judge.image
  const fits = await Promise.all(places.map((box) => fittingPlace(box, name, judge)))
  const found = fits.filter((one) => one !== undefined)
  const whole =
    found.length > 0 ? undefined : await fittingPlace([0, 0, width, height], name, judge)
  const all = [...found, ...(whole === undefined ? [] : [whole])].toSorted(
    (a, b) => b.score - a.score,
  )
  return suppress<Finding & { readonly box: Box }>(all, { maxOverlap: SAME_PLACE })
}

async function fittingPlace(box: Box, name: string, judge: Judge): Promise<Finding | undefined> {
  const { near, far, best } = await likeness(box, judge)
  if (near < likeFrom(judge) || near <= far) return undefined
  judge.note(best, near)
  return { box, score: near, name }
}

function overlap(a: readonly number[], b: readonly number[]): number {
  return iou(a as unknown as Box, b as unknown as Box)
}

const MEAN = floats(FEATURE_MEAN)

function floats(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer)
}

function likeFrom({ alike, examples }: Judge): number {
  return alike.from(examples.filter(({ positive }) => positive).length)
}

/** Of features of photographs. */
export const PHOTO_LIKENESS: Likeness = { like: (a, b) => like(a, b), from: () => LIKE_FROM }

const centred = new WeakMap<Float32Array, Float32Array>()

/** Cosine of two features after what all pictures share is taken off, -1..1. */
export function like(a: Float32Array, b: Float32Array): number {
  return cosine(withoutMean(a), withoutMean(b))
}

function withoutMean(feature: Float32Array): Float32Array {
  const known = centred.get(feature)
  if (known !== undefined) return known
  const moved = feature.map((value, i) => value - (MEAN[i] ?? 0))
  const length = Math.hypot(...moved)
  const made = length === 0 ? moved : moved.map((value) => value / length)
  centred.set(feature, made)
  return made
}

/** Embeds each place of a picture once, as long as the picture lives. */
function remembering(features: Features): Embed {
  const seen = new WeakMap<Image, Map<string, Promise<Float32Array>>>()
  return (image, box, options) => {
    const places = seen.get(image) ?? new Map<string, Promise<Float32Array>>()
    seen.set(image, places)
    const key = box.map(Math.round).join(',')
    const known = places.get(key)
    if (known !== undefined) return known
    const made = features.embed(image, box, options)
    places.set(key, made)
    made.catch(() => places.delete(key))
    return made
  }
}
