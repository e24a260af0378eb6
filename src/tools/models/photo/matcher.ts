import type { Abortable } from '../../../base/index.ts'
import { cropImage, dominantColour, iou } from '../../../image/index.ts'
import type { Image, ObjectRecord } from '../../../image/index.ts'
import type { Notice, PromptUse } from '../../../program/index.ts'
import type { FaceIdentifier, FaceFinding, Match, Matcher, UnknownWord } from '../../backends.ts'
import { normaliseName } from '../../names.ts'
import { colourFit } from './colour-fit.ts'
import { believedFaces } from './faces.ts'
import { LIKE_FROM } from './exemplars.ts'
import type { PhotoModels } from './models.ts'
import { noting } from './noting.ts'
import { isColour, parsePhrase } from './phrase.ts'
import type { Phrase } from './phrase.ts'
import { inPlace, inRelation, placeFit } from './relations.ts'
import { findThings, pickOne, upperBody } from './things.ts'
import type { Sight } from './things.ts'
import { WOULD_KNOW } from './vocabulary.ts'

/** A crop must show the class with at least this score, over at least this much of the crop. */
const CROP_SCORE = 0.2
const CROP_COVER = 0.3
/** A find with this overlap is the same thing. */
const SAME_PLACE = 0.5

/** Single classes must score above this. */
const NEUTRAL = 0.3

/**
 * Compares objects with texts by what can be measured: class, colour, place, size, how things lie to
 * each other, and for faces the people it was shown. It is no image-text model: other words are
 * unknown, not unlike.
 */
export function photoMatcher(
  sight: Sight,
  models: PhotoModels,
  identity?: FaceIdentifier,
): Matcher {
  return {
    name: 'photo/measure',
    models: () => [models.stamp('centernet')],
    can: [
      'tells objects by class, colour, place, size and relation: "the red car", "the person on the left"',
      'tells faces of people it was shown, once identity is turned on',
    ],
    cannot: ['any other description: an image-text model from the hub (CLIP, SigLIP)'],
    neutral: { score: NEUTRAL },
    match: async (image, objects, texts, options = {}) => {
      const matches: Match[] = []
      for (const text of texts) {
        const uses: PromptUse[] = []
        const looking = noting(sight, uses)
        const faces = await matchFaces(identity, { sight: looking, image, objects }, text, options)
        const match = faces ?? (await matchText(looking, image, objects, text, options))
        matches.push(match.known && uses.length > 0 ? { ...match, uses } : match)
      }
      return matches
    },
  }
}

async function matchText(
  sight: Sight,
  image: Image,
  objects: readonly ObjectRecord[],
  text: string,
  options: Abortable,
): Promise<Match> {
  const phrase = adjectiveAlone(parsePhrase(text))
  const named = await matchNoun(sight, image, { objects, phrase, text }, options)
  if (!named.known) return named
  const others = await references(sight, image, phrase, options)
  if ('known' in others) return others
  const scores = named.scores.map((score, i) => {
    const object = objects[i]
    if (object === undefined || score === null) return null
    const { place, relation } = phrase
    if (place !== undefined && !inPlace(object, place, image)) return null
    if (relation !== undefined && !inRelation(object, relation.how, others.found)) return null
    const colour = colourShare(image, object, phrase)
    const fit = place === undefined ? 1 : placeFit(object, place, image)
    return colour === null ? null : score * colour * fit
  })
  return {
    ...named,
    scores: phrase.pick === undefined ? scores : onlyPicked(objects, scores, phrase),
  }
}

/** "red" alone is a colour, not a noun. */
function adjectiveAlone(phrase: Phrase): Phrase {
  if (!isColour(phrase.noun)) return phrase
  return { ...phrase, ...parsePhrase(`${phrase.noun} one`), text: phrase.text }
}

interface NounRequest {
  readonly objects: readonly ObjectRecord[]
  readonly phrase: Phrase
  readonly text: string
}

/** How well each object fits the noun: by its own name, else by what its crop shows. */
async function matchNoun(
  sight: Sight,
  image: Image,
  { objects, phrase, text }: NounRequest,
  options: Abortable,
): Promise<Match> {
  const noun = normaliseName(phrase.noun)
  if (noun === '') return { known: true, scores: objects.map(() => 1), notices: [] }
  const carried = objects.map((one) => carries(one, noun))
  const reading = await sight.vocabulary.read(phrase.noun)
  const taught = await matchTaught(sight, image, { objects, phrase, text }, options)
  if (taught !== undefined) return taught
  if (!reading.known) {
    if (!carried.some(Boolean)) return { ...reading, word: text }
    return { known: true, scores: carried.map((yes) => (yes ? 1 : null)), notices: [] }
  }
  const scores: (number | null)[] = []
  const called: boolean[] = []
  for (const [i, object] of objects.entries()) {
    const own = carried[i] === true || reading.words.some((word) => carries(object, word))
    called.push(own)
    if (own) scores.push(object.score ?? 1)
    else scores.push(await cropScore(sight, image, object, { words: reading.words, options }))
  }
  const likes = called.includes(true) ? [] : objects.filter((_, i) => scores[i] !== null)
  return { known: true, scores, notices: [...reading.notices, ...byLooks(likes, phrase.noun)] }
}

/** Things that nobody called so are taken by their looks, which is said. */
function byLooks(objects: readonly ObjectRecord[], noun: string): readonly Notice[] {
  const names = objects.flatMap((one) => one.label ?? one.class ?? one.category ?? [])
  if (names.length === 0) return []
  const message = `Nothing found was called "${noun}"; what was called ${[...new Set(names)].join(', ')} looks like it.`
  return [{ code: 'N_BY_LOOKS', message }]
}

/** How well each object fits the examples of the noun; undefined when it was not taught. */
async function matchTaught(
  sight: Sight,
  image: Image,
  { objects, phrase }: NounRequest,
  options: Abortable,
): Promise<Match | undefined> {
  const scores: (number | null)[] = []
  for (const object of objects) {
    const fit = await sight.taught?.fit(image, object.box, phrase.noun, options)
    if (fit === undefined) return undefined
    const own = carries(object, phrase.noun) ? (object.score ?? 1) : null
    const like = fit.score !== null && fit.score >= LIKE_FROM ? fit.score : null
    scores.push(fit.score === null ? null : (like ?? own))
  }
  return objects.length === 0 ? undefined : { known: true, scores, notices: [] }
}

function carries(one: ObjectRecord, name: string): boolean {
  return [one.category, one.class, one.label].some(
    (own) => own !== undefined && normaliseName(own) === normaliseName(name),
  )
}

/**
 * The score of the classes at the object's place: in the whole picture where a find lies over it, and
 * in its crop where a find fills enough of it.
 */
async function cropScore(
  { eyes }: Sight,
  image: Image,
  object: ObjectRecord,
  { words, options }: { readonly words: readonly string[]; readonly options: Abortable },
): Promise<number | null> {
  const around = (await eyes.objects(image, options)).filter(
    ({ name, box }) => words.includes(name) && iou(box, object.box) >= SAME_PLACE,
  )
  const crop = cropImage(image, object.box)
  const area = crop.width * crop.height
  const within = (await eyes.objects(crop, options)).filter(
    ({ name, box }) =>
      words.includes(name) && (box[2] - box[0]) * (box[3] - box[1]) >= CROP_COVER * area,
  )
  const best = Math.max(0, ...[...around, ...within].map((one) => one.score))
  return best > CROP_SCORE ? best : null
}

/** What a phrase's relation refers to; nothing for a phrase without one. */
async function references(
  sight: Sight,
  image: Image,
  { relation }: Phrase,
  options: Abortable,
): Promise<
  UnknownWord | { readonly found: readonly (readonly { readonly box: ObjectRecord['box'] }[])[] }
> {
  if (relation === undefined) return { found: [] }
  const things = await findThings(sight, image, relation.to, options)
  return things.known ? { found: [things.things] } : things
}

/** How well the object has the colours asked for; 1 when none is, null when it has them not. */
function colourShare(
  image: Image,
  object: ObjectRecord,
  { colours, wears }: Phrase,
): number | null {
  const fits = colours.map((colour) =>
    colourFit(dominantColour(image, object.mask ?? object.box), colour),
  )
  if (wears !== undefined) fits.push(colourFit(dominantColour(image, upperBody(object.box)), wears))
  return fits.reduce<number | null>(
    (least, fit) => (least === null || fit === null ? null : Math.min(least, fit)),
    1,
  )
}

function onlyPicked(
  objects: readonly ObjectRecord[],
  scores: readonly (number | null)[],
  { pick }: Phrase,
): readonly (number | null)[] {
  if (pick === undefined) return scores
  const fitting = objects.filter((_, i) => (scores[i] ?? null) !== null)
  const named = fitting.map((one) => ({ box: one.box, score: 1, name: one.id }))
  const chosen = pickOne(named, pick)[0]?.name
  return scores.map((score, i) => (objects[i]?.id === chosen ? score : null))
}

interface FaceRequest {
  readonly sight: Sight
  readonly image: Image
  readonly objects: readonly ObjectRecord[]
}

/**
 * Faces against the name of a person. Undefined when the text is no name of a known person, or the
 * objects are no faces.
 */
async function matchFaces(
  identity: FaceIdentifier | undefined,
  { sight, image, objects }: FaceRequest,
  text: string,
  options: Abortable,
): Promise<Match | undefined> {
  const isFaces = objects.length > 0 && objects.every((one) => one.category === 'face')
  if (!isFaces || identity === undefined) return undefined
  const enabled = await identity.enabled()
  const people = enabled ? await identity.people() : []
  const person = people.find((name) => normaliseName(name) === normaliseName(text))
  if (person === undefined) {
    const measured = await matchText(sight, image, objects, text, options)
    return measured.known ? measured : nobody(text, enabled, people)
  }
  const faces = believedFaces(await sight.eyes.faces(image, options), [])
  const scores: (number | null)[] = []
  const notices: Notice[] = []
  for (const object of objects) {
    const face = faceWithin(faces, object)
    const found = face === undefined ? undefined : await identity.identify(image, face, options)
    const hit = found !== undefined && found.outcome !== 'unknown' && found.person === person
    scores.push(hit ? 1 - found.distance : null)
    if (hit && found.outcome === 'ask') notices.push(unsure(person))
  }
  return { known: true, scores, notices }
}

function faceWithin(faces: readonly FaceFinding[], { box }: ObjectRecord): FaceFinding | undefined {
  return faces.toSorted((a, b) => iou(b.box, box) - iou(a.box, box))[0]
}

function unsure(person: string): Notice {
  return { code: 'N_UNSURE_PERSON', message: `A face may be ${person}, but it is not certain.` }
}

function nobody(text: string, enabled: boolean, people: readonly string[]): UnknownWord {
  return {
    known: false,
    word: text,
    near: enabled ? people.slice(0, 5) : [],
    would: enabled
      ? `Show it faces of ${text} first, with "pupil people".`
      : `To find people by name, turn on identity with "pupil people enable" and show it faces of ${text}. ${WOULD_KNOW}`,
  }
}
