import type { Abortable } from '../../../base/index.ts'
import type { Image, ObjectRecord } from '../../../image/index.ts'
import type { Notice, PromptUse } from '../../../program/index.ts'
import type { Match, Matcher } from '../../backends.ts'
import { mixPrompts } from '../../learnt-prompts.ts'
import { normaliseName } from '../../names.ts'
import { isColour, parsePhrase } from '../photo/phrase.ts'
import type { Phrase } from '../photo/phrase.ts'
import { inPlace, inRelation, isMeasurable } from '../photo/relations.ts'
import { pickOne } from '../photo/things.ts'
import { dot } from './encoder.ts'
import type { Encoder } from './encoder.ts'
import { DRAWINGS_ONLY } from './parts.ts'
import type { StarterParts } from './parts.ts'
import { rowsOf } from './picture-input.ts'
import { findThings, hasColours } from './things.ts'

/** An object fits a single class from this cosine on. */
const NEUTRAL = 0.3
/** What a colour that is not there, or a place that is not so, takes from a cosine. */
const MISFIT = 0.5

/** SELECT and CLASSIFY on drawings: crops and names in one space. @source CLOVA §4 (CLIP) */
export function starterMatcher(parts: StarterParts): Matcher {
  const { models } = parts
  return {
    name: 'starter/encoder',
    models: () => [models.stamp('encoder'), models.stamp('text')],
    can: [
      `compares drawings of things with ${parts.names.all.length} names and their kinds`,
      'weighs colour, place and relation: "the red balloon", "the owl above the bell"',
    ],
    cannot: [DRAWINGS_ONLY, 'words that it never learnt are compared, but mean little'],
    neutral: { score: NEUTRAL },
    match: async (image, objects, texts, options = {}) => {
      const encoder = await parts.encoder()
      const features = await encoder.features(
        image,
        objects.map(({ box }) => box),
        options,
      )
      const seen: Seen = { parts, encoder, image, objects, features }
      const matches: Match[] = []
      for (const text of texts) matches.push(await matchText(seen, text, options))
      return matches
    },
  }
}

interface Seen {
  readonly parts: StarterParts
  readonly encoder: Encoder
  readonly image: Image
  readonly objects: readonly ObjectRecord[]
  /** Of the objects, without prompts. */
  readonly features: readonly Float32Array[]
}

async function matchText(seen: Seen, text: string, options: Abortable): Promise<Match> {
  const phrase = adjectiveAlone(parsePhrase(text))
  const { relation } = phrase
  if (relation !== undefined && !isMeasurable(relation.how)) {
    const would = 'What lies in front or behind is not measured here; ask VQA about it.'
    return { known: false, word: relation.how, near: ['left of', 'right of', 'above'], would }
  }
  const named = await nameScores(seen, phrase.noun, options)
  const { fits, notices, uses } = await misfits(seen, phrase, options)
  const { objects } = seen
  const scores = named.scores.map((score, i) => score - (fits[i] === false ? MISFIT : 0))
  const picked = phrase.pick === undefined ? undefined : pickedOf(objects, scores, phrase.pick)
  const all = [...named.uses, ...uses]
  return {
    known: true,
    scores: scores.map((score, i) => (picked === undefined || picked === i ? score : null)),
    notices: [...named.notices, ...notices],
    ...(all.length === 0 ? {} : { uses: all }),
  }
}

/** "red" alone is a colour, not a noun. */
function adjectiveAlone(phrase: Phrase): Phrase {
  if (!isColour(phrase.noun)) return phrase
  return { ...phrase, ...parsePhrase(`${phrase.noun} thing`), text: phrase.text }
}

interface NameScores {
  readonly scores: readonly number[]
  readonly notices: readonly Notice[]
  readonly uses: readonly PromptUse[]
}

/** Cosines of each object with a name; of a kind, with the nearest of its members. */
async function nameScores(seen: Seen, noun: string, options: Abortable): Promise<NameScores> {
  const { parts, features, objects } = seen
  if (['', 'thing', 'object'].includes(normaliseName(noun))) {
    return { scores: objects.map(() => NEUTRAL), notices: [], uses: [] }
  }
  const reading = await parts.names.read(noun, parts.wordnet)
  const words = reading.names.length === 0 ? [noun] : reading.names.map(({ label }) => label)
  const vectors = rowsOf(await parts.texts.named(words, options))
  const uses: PromptUse[] = []
  const scores: number[] = []
  for (const [i, plain] of features.entries()) {
    const taught = await taughtFeature(seen, noun, i, options)
    if (taught !== undefined) uses.push(...taught.uses)
    const feature = taught?.feature ?? plain
    const named = Math.max(...vectors.map((vector) => dot(feature, vector)))
    const look = seen.parts.taught?.noting(uses)
    const fit = objects[i] && (await look?.fit(seen.image, objects[i].box, noun, options))
    // A person's no stands; an example counts where it is nearer than the name.
    scores.push(fit === undefined ? named : fit.score === null ? -1 : Math.max(named, fit.score))
  }
  return { scores, notices: reading.notices, uses }
}

/** The object's feature with the prompts of a concept, if any were learnt that are near. */
async function taughtFeature(
  { parts, encoder, image, objects, features }: Seen,
  noun: string,
  i: number,
  options: Abortable,
): Promise<{ feature: Float32Array; uses: readonly PromptUse[] } | undefined> {
  const [object, feature] = [objects[i], features[i]]
  if (object === undefined || feature === undefined) return undefined
  const { hash: model } = encoder.learnable
  const concept = normaliseName(noun)
  const near = await parts.learnt.near({ tool: 'SELECT', concept, model, feature })
  const mixed = mixPrompts(near)
  if (mixed === undefined) return undefined
  const prompted = await encoder.prompted(image, object.box, mixed.prompts, options)
  return { feature: prompted, uses: mixed.uses }
}

/** For each object, whether it has the colours, stands in the place and in the relation. */
async function misfits(
  { parts, image, objects }: Seen,
  phrase: Phrase,
  options: Abortable,
): Promise<{
  readonly fits: readonly boolean[]
  readonly notices: readonly Notice[]
  readonly uses: readonly PromptUse[]
}> {
  const { place, relation } = phrase
  const anchors =
    relation === undefined ? undefined : await findThings(parts, image, relation.to, options)
  const found = anchors?.known === true ? anchors.things.slice(0, 1) : []
  const fits = objects.map((one) => {
    if (!hasColours(image, one.mask ?? one.box, phrase)) return false
    if (place !== undefined && !inPlace(one, place, image)) return false
    return relation === undefined || inRelation(one, relation.how, [found])
  })
  return {
    fits,
    notices: anchors?.known === true ? anchors.notices : [],
    uses: anchors?.known === true ? anchors.uses : [],
  }
}

/** Which of the objects that fit is the largest, the leftmost … */
function pickedOf(
  objects: readonly ObjectRecord[],
  scores: readonly number[],
  pick: NonNullable<Phrase['pick']>,
): number {
  const best = Math.max(...scores)
  const near = objects.flatMap((one, i) =>
    (scores[i] ?? 0) > best - 0.15 ? [{ box: one.box, score: 1, name: String(i) }] : [],
  )
  return Number(pickOne(near, pick)[0]?.name ?? -1)
}
