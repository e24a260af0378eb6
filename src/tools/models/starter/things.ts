import type { Abortable } from '../../../base/index.ts'
import { dominantColour, pixelBox } from '../../../image/index.ts'
import type { Box, Image, MaskRle } from '../../../image/index.ts'
import type { Notice, PromptUse } from '../../../program/index.ts'
import type { Finding, UnknownWord } from '../../backends.ts'
import { mixPrompts } from '../../learnt-prompts.ts'
import type { NearPrompt } from '../../learnt-prompts.ts'
import { normaliseName } from '../../names.ts'
import { colourFit } from '../photo/colour-fit.ts'
import { parsePhrase } from '../photo/phrase.ts'
import type { Phrase } from '../photo/phrase.ts'
import { inPlace, inRelation, isMeasurable } from '../photo/relations.ts'
import { pickOne } from '../photo/things.ts'
import type { Place } from './eyes.ts'
import type { Names, Reading } from './names.ts'
import type { StarterParts } from './parts.ts'

/** Things are believed from this score on. */
export const THING_THRESHOLD = 0.1
/** A prompt takes part when what it finds by itself is at least so sure. @source clova §4.3 */
const PROMPT_THRESHOLD = 0.1

/** Words for anything. */
const ANYTHING = new Set(['', 'thing', 'object', 'item', 'one'])

/** Things found for a description, or what of it cannot be told. */
export type Things =
  | {
      readonly known: true
      readonly things: readonly Finding[]
      readonly notices: readonly Notice[]
      readonly uses: readonly PromptUse[]
    }
  | UnknownWord

/** Finds what a phrase describes: by name, then by colour, place and relation. */
export async function findThings(
  parts: StarterParts,
  image: Image,
  phrase: Phrase,
  options: Abortable = {},
): Promise<Things> {
  const { relation, place, pick } = phrase
  if (relation !== undefined && !isMeasurable(relation.how)) return depthUnknown(relation.how)
  const named = await findNamed(parts, image, phrase.noun, options)
  if (!named.known) return named
  const fitting = named.things.filter(
    (one) =>
      hasColours(image, one.box, phrase) && (place === undefined || inPlace(one, place, image)),
  )
  if (relation === undefined) {
    return { ...named, things: pick === undefined ? fitting : pickOne(fitting, pick) }
  }
  const others = relation.how === 'between' ? bothOf(relation.to) : [relation.to]
  const found: Things[] = []
  for (const other of others) found.push(await findThings(parts, image, other, options))
  const unknown = found.find((one) => !one.known)
  if (unknown !== undefined) return unknown
  const known = found.filter((one) => one.known)
  const missing = others.filter((_, i) => !believed(known[i]?.things ?? []))
  const related = fitting.filter((one) =>
    inRelation(
      one,
      relation.how,
      known.map(({ things }) => things.filter(({ score }) => score > THING_THRESHOLD)),
    ),
  )
  return {
    ...named,
    things: pick === undefined ? related : pickOne(related, pick),
    notices: [
      ...named.notices,
      ...known.flatMap(({ notices }) => notices),
      ...missing.map(({ text }) => ({ code: 'N_NO_REFERENCE', message: `No ${text} was found.` })),
    ],
    uses: [...named.uses, ...known.flatMap(({ uses }) => uses)],
  }
}

const believed = (things: readonly Finding[]): boolean =>
  things.some(({ score }) => score > THING_THRESHOLD)

/** What goes by a noun alone. */
async function findNamed(
  parts: StarterParts,
  image: Image,
  noun: string,
  options: Abortable,
): Promise<Things> {
  const name = normaliseName(noun)
  const { eyes, names, wordnet } = parts
  if (ANYTHING.has(name)) {
    const places = await eyes.known(image, options)
    return known(anythingOf(places, names))
  }
  const taught = await findTaught(parts, image, noun, options)
  if (taught !== undefined) return taught
  const reading = await names.read(noun, wordnet)
  const plain = await findPlain(parts, image, { noun, reading }, options)
  const believed = plain.filter(({ score }) => score > THING_THRESHOLD)
  const uses: PromptUse[] = []
  const shown = await parts.taught?.noting(uses).find(image, noun, believed, options)
  return known(shown ?? plain, reading.notices, uses)
}

/** Every place, by its likeliest name. */
export function anythingOf(places: readonly Place[], { all }: Names): readonly Finding[] {
  return places.map(({ box, scores, any }) => {
    const best = scores.reduce((top, score, i) => (score > (scores[top] ?? 0) ? i : top), 0)
    return { box, score: any, name: all[best]?.label ?? '' }
  })
}

/** What the models find of a noun by themselves. */
async function findPlain(
  { eyes, names }: StarterParts,
  image: Image,
  { noun, reading }: { readonly noun: string; readonly reading: Reading },
  options: Abortable,
): Promise<readonly Finding[]> {
  if (reading.names.length === 0) {
    const places = await eyes.asked(image, noun, options)
    return findings(places, [0], () => noun)
  }
  const rows = reading.names.map((one) => names.all.indexOf(one))
  const single = rows.length === 1
  const places = await eyes.known(image, options)
  return findings(places, rows, (i) => (single ? noun : (names.all[i]?.label ?? '')))
}

function known(
  things: readonly Finding[],
  notices: readonly Notice[] = [],
  uses: readonly PromptUse[] = [],
): Things {
  return { known: true, things, notices, uses }
}

/**
 * With prompts learnt for the concept: those by which it is found at all, mixed by likeness.
 *
 * @source CLOVA §3.4; clova §4.3 (LOC, at inference)
 */
async function findTaught(
  { eyes, learnt, models }: StarterParts,
  image: Image,
  noun: string,
  options: Abortable,
): Promise<Things | undefined> {
  const concept = normaliseName(noun)
  const model = await models.hash('detector', 'text')
  const feature = await eyes.feature(image, options)
  const near = await learnt.near({ tool: 'LOC', concept, model, feature })
  const able: NearPrompt[] = []
  for (const one of near) {
    const alone = mixPrompts([one])
    if (alone === undefined) continue
    const places = await eyes.prompted(image, noun, alone.prompts, options)
    if (places.some(({ scores }) => (scores[0] ?? 0) > PROMPT_THRESHOLD)) able.push(one)
  }
  const mixed = mixPrompts(able)
  if (mixed === undefined) return undefined
  const places = await eyes.prompted(image, noun, mixed.prompts, options)
  return known(
    findings(places, [0], () => noun),
    [],
    mixed.uses,
  )
}

/** Each place with the best of some columns; places that fit hardly are left out. */
function findings(
  places: readonly Place[],
  columns: readonly number[],
  nameOf: (column: number) => string,
): readonly Finding[] {
  return places.flatMap(({ box, scores }) => {
    let best = -1
    for (const i of columns) if (best < 0 || (scores[i] ?? 0) > (scores[best] ?? 0)) best = i
    const score = scores[best] ?? 0
    return score > 0.02 ? [{ box, score, name: nameOf(best) }] : []
  })
}

/** Whether a region has the colours of a phrase. */
export function hasColours(
  image: Image,
  region: Finding['box'] | MaskRle,
  { colours }: Phrase,
): boolean {
  if (colours.length === 0) return true
  const place = 'counts' in region ? region : pixelBox(region as Box, image)
  if (place === undefined) return false
  const facts = dominantColour(image, place)
  return colours.every((colour) => colourFit(facts, colour) !== null)
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
    near: ['left of', 'right of', 'above', 'below'],
    would: 'What lies in front or behind is not measured here; ask VQA about it.',
  }
}
