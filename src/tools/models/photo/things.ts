import type { Abortable } from '../../../base/index.ts'
import { dominantColour, pixelBox } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { Notice, PromptUse } from '../../../program/index.ts'
import type { Finding, UnknownWord, Vocabulary, WordReading } from '../../backends.ts'
import type { TaughtLook } from '../../taught.ts'
import { normaliseName } from '../../names.ts'
import { colourFit } from './colour-fit.ts'
import type { Eyes } from './eyes.ts'
import { believedFaces, FACE_THRESHOLD } from './faces.ts'
import type { Phrase, Pick } from './phrase.ts'
import { parsePhrase } from './phrase.ts'
import { inPlace, inRelation, isMeasurable } from './relations.ts'

/** Objects are believed from this score on (photo-starter §4). */
export const OBJECT_THRESHOLD = 0.3

/** What sees, and what knows words. */
export interface Sight {
  readonly eyes: Eyes
  readonly vocabulary: Vocabulary
  /** What people taught by example. */
  readonly taught?: TaughtLook
  /** Finds the faces of a person by name; undefined when nobody known is called so. */
  readonly people?: (
    image: Image,
    name: string,
    options: Abortable,
    note?: (use: PromptUse) => void,
  ) => Promise<readonly Finding[] | undefined>
}

/** Things found for a description, or what of it is not known. */
export type Things =
  | {
      readonly known: true
      /** Believed, best first. */
      readonly things: readonly Finding[]
      /** All candidates, also those below the threshold: how sure "none" and "three" are. */
      readonly scores: readonly number[]
      readonly threshold: number
      readonly notices: readonly Notice[]
    }
  | UnknownWord

/** Words for writing: found by reading it. */
const TEXT_NOUNS = new Set(
  'text,word,letter,writing,number plate,license plate,licence plate,caption,lettering'.split(','),
)
/** Things that usually carry writing and are found by it. */
const SIGN_NOUNS = new Set(
  'sign,street sign,road sign,signpost,billboard,poster,banner,label,notice,placard'.split(','),
)
const FACE_NOUNS = new Set(['face', 'human face'])

/** Finds what a phrase describes. */
export async function findThings(
  sight: Sight,
  image: Image,
  phrase: Phrase,
  options: Abortable = {},
): Promise<Things> {
  if (phrase.relation !== undefined && !isMeasurable(phrase.relation.how)) {
    return depthUnknown(phrase.relation.how)
  }
  const named = await findNamed(sight, image, phrase.noun, options)
  if (!named.known) return named
  const coloured = named.things.filter((one) => hasColours(image, one, phrase))
  const placed = coloured.filter(
    (one) => phrase.place === undefined || inPlace(one, phrase.place, image),
  )
  const related = await filterRelated(sight, image, { phrase, things: placed }, options)
  if (!related.known) return related
  const things = phrase.pick === undefined ? related.things : pickOne(related.things, phrase.pick)
  return {
    ...named,
    things,
    scores: narrowed(phrase) ? things.map((one) => one.score) : named.scores,
    notices: [...named.notices, ...related.notices],
  }
}

function narrowed({ colours, wears, place, pick, relation }: Phrase): boolean {
  const asked = [wears, place, pick, relation].some((one) => one !== undefined)
  return asked || colours.length > 0
}

/** What goes by a noun alone; joined nouns ("dogs and cats") give all of either. */
async function findNamed(
  sight: Sight,
  image: Image,
  noun: string,
  options: Abortable,
): Promise<Things> {
  const name = normaliseName(noun)
  if (name === '') return mainThing(sight, image, options)
  if (FACE_NOUNS.has(name)) return findFaces(sight, image, options)
  if (TEXT_NOUNS.has(name) || SIGN_NOUNS.has(name)) return findText(sight, image, name, options)
  const reading = await sight.vocabulary.read(noun)
  const taught = await findTaught(sight, image, { noun, reading }, options)
  if (taught !== undefined) return taught
  if (reading.known) {
    const found = await sight.eyes.objects(image, options)
    const all = found.filter((one) => reading.words.includes(one.name))
    return {
      known: true,
      things: all.filter((one) => one.score > OBJECT_THRESHOLD),
      scores: all.map((one) => one.score),
      threshold: OBJECT_THRESHOLD,
      notices: reading.notices,
    }
  }
  const parts = noun.split(/ (?:and|or) (?:the |an? )?/)
  if (parts.length < 2) return reading
  const each = await Promise.all(parts.map((part) => findNamed(sight, image, part, options)))
  return united(each)
}

/** What was taught under this name, or the faces of a person of this name; undefined for neither. */
async function findTaught(
  { eyes, taught, people }: Sight,
  image: Image,
  { noun, reading }: { readonly noun: string; readonly reading: WordReading },
  options: Abortable,
): Promise<Things | undefined> {
  const seen =
    taught !== undefined && reading.known
      ? (await eyes.objects(image, options)).filter(({ name }) => reading.words.includes(name))
      : []
  const plain = seen.filter((one) => one.score > OBJECT_THRESHOLD)
  const found =
    (await taught?.find(image, noun, plain, options)) ??
    (reading.known ? undefined : await people?.(image, noun, options))
  if (found === undefined) return undefined
  return {
    known: true,
    things: found,
    scores: found.map((one) => one.score),
    threshold: OBJECT_THRESHOLD,
    notices: reading.known ? reading.notices : [],
  }
}

function united(each: readonly Things[]): Things {
  const unknown = each.find((one) => !one.known)
  if (unknown !== undefined) return unknown
  const known = each.filter((one) => one.known)
  return {
    known: true,
    things: known.flatMap((one) => one.things).toSorted((a, b) => b.score - a.score),
    scores: known.flatMap((one) => one.scores),
    threshold: OBJECT_THRESHOLD,
    notices: known.flatMap((one) => one.notices),
  }
}

async function findFaces({ eyes }: Sight, image: Image, options: Abortable): Promise<Things> {
  const objects = await eyes.objects(image, options)
  const faces = believedFaces(await eyes.faces(image, options), objects)
  const all = faces.map(({ box, score }) => ({ box, score, name: 'face' }))
  return {
    known: true,
    things: all.filter((one) => one.score > FACE_THRESHOLD),
    scores: all.map((one) => one.score),
    threshold: FACE_THRESHOLD,
    notices: [],
  }
}

async function findText(
  { eyes }: Sight,
  image: Image,
  name: string,
  options: Abortable,
): Promise<Things> {
  const lines = await eyes.lines(image, options)
  const isSign = SIGN_NOUNS.has(name)
  const read = lines.map(({ box, score, text }) => ({ box, score, name: text }))
  const stops = isSign
    ? (await eyes.objects(image, options)).filter((one) => one.name === 'stop sign')
    : []
  const things = [...read, ...stops.filter((one) => one.score > OBJECT_THRESHOLD)]
  const message = `"${name}" is found by the text on it and by the shape of stop signs: one without text is not seen.`
  return {
    known: true,
    things,
    scores: [...read, ...stops].map((one) => one.score),
    threshold: OBJECT_THRESHOLD,
    notices: isSign ? [{ code: 'N_WORD', message }] : [],
  }
}

/** What "it" means: the surest large thing near the middle. */
async function mainThing({ eyes }: Sight, image: Image, options: Abortable): Promise<Things> {
  const found = (await eyes.objects(image, options)).filter((one) => one.score > OBJECT_THRESHOLD)
  const best = found.toSorted((a, b) => weight(b, image) - weight(a, image))[0]
  return {
    known: true,
    things: best === undefined ? [] : [best],
    scores: best === undefined ? [] : [best.score],
    threshold: OBJECT_THRESHOLD,
    notices: [],
  }
}

function weight({ box, score }: Finding, { width, height }: Image): number {
  const [x1, y1, x2, y2] = box
  const off = Math.hypot((x1 + x2) / width - 1, (y1 + y2) / height - 1)
  return (
    score * Math.sqrt(((x2 - x1) * (y2 - y1)) / (width * height)) * (1 - 0.4 * Math.min(1, off))
  )
}

function hasColours(image: Image, one: Finding, { colours, wears }: Phrase): boolean {
  const body = pixelBox(one.box, image)
  if (body === undefined) return false
  if (wears !== undefined && !hasColour(image, upperBody(body), wears)) return false
  return colours.every((colour) => hasColour(image, body, colour))
}

function hasColour(image: Image, region: Box, colour: string): boolean {
  return colourFit(dominantColour(image, region), colour) !== null
}

/** Where a person's shirt is: below the head, above the legs. */
export function upperBody([x1, y1, x2, y2]: Box): Box {
  const [w, h] = [x2 - x1, y2 - y1]
  // Head and shoulders only, when the box is nearly square: the shirt is at the bottom.
  const [from, to] = h > 1.6 * w ? [0.2, 0.55] : [0.45, 1]
  return [
    Math.floor(x1 + w * 0.15),
    Math.floor(y1 + h * from),
    Math.ceil(x2 - w * 0.15),
    Math.ceil(y1 + h * to),
  ]
}

async function filterRelated(
  sight: Sight,
  image: Image,
  { phrase, things }: { readonly phrase: Phrase; readonly things: readonly Finding[] },
  options: Abortable,
): Promise<Things> {
  const { relation } = phrase
  const all = { known: true, scores: [], threshold: OBJECT_THRESHOLD, notices: [] } as const
  if (relation === undefined) return { ...all, things }
  const others = relation.how === 'between' ? bothOf(relation.to) : [relation.to]
  const found = await Promise.all(others.map((other) => findThings(sight, image, other, options)))
  const unknown = found.find((one) => !one.known)
  if (unknown !== undefined) return unknown
  const references = found.map((one) => (one.known ? one.things : []))
  const missing = others.filter((_, i) => references[i]?.length === 0)
  const notices = [
    ...found.flatMap((one) => (one.known ? one.notices : [])),
    ...missing.map(({ text }) => ({ code: 'N_NO_REFERENCE', message: `No ${text} was found.` })),
  ]
  const related = things.filter((one) => inRelation(one, relation.how, references))
  return { ...all, things: related, notices }
}

/** The two things of "between A and B"; "between the dogs" is one phrase twice. */
function bothOf(phrase: Phrase): readonly Phrase[] {
  const parts = phrase.text.split(/\s+and\s+/i)
  return parts.length === 2 ? parts.map(parsePhrase) : [phrase, phrase]
}

function depthUnknown(how: string): UnknownWord {
  return {
    known: false,
    word: how,
    near: ['left of', 'right of', 'above', 'below', 'next to'],
    would:
      'What lies in front or behind needs depth: a depth model from the hub or a served vision model can tell.',
  }
}

/** The one of several that a superlative means; none of none. */
export function pickOne(things: readonly Finding[], pick: Pick): readonly Finding[] {
  const value: { readonly [K in Pick]: (box: Finding['box']) => number } = {
    biggest: ([x1, y1, x2, y2]) => (x2 - x1) * (y2 - y1),
    smallest: ([x1, y1, x2, y2]) => -(x2 - x1) * (y2 - y1),
    leftmost: ([x1, , x2]) => -(x1 + x2),
    rightmost: ([x1, , x2]) => x1 + x2,
    topmost: ([, y1, , y2]) => -(y1 + y2),
    bottommost: ([, y1, , y2]) => y1 + y2,
  }
  return things.toSorted((a, b) => value[pick](b.box) - value[pick](a.box)).slice(0, 1)
}
