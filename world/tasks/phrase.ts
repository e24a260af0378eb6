import { COLOUR_WORDS } from '../../src/image/index.ts'
import type { Lexicon } from '../lexicon.ts'
import type { RelationName } from '../types.ts'
import type { Description } from './facts.ts'

const RELATIONS: readonly (readonly [said: string, name: RelationName])[] = [
  ['to the left of', 'to the left of'],
  ['to the right of', 'to the right of'],
  ['left of', 'to the left of'],
  ['right of', 'to the right of'],
  ['higher up than', 'above'],
  ['above', 'above'],
  ['below', 'below'],
  ['under', 'below'],
  ['in front of', 'in front of'],
  ['behind', 'behind'],
]

/** A noun phrase as a description, and what it is seen from. */
export interface Phrase {
  readonly what: Description
  readonly where?: { readonly relation: RelationName; readonly anchor: Description }
}

/**
 * Reads "red balloons", "the owl to the left of an anchor", "a photo of a fruit", "thing".
 *
 * @returns undefined when a word is no concept, class or colour of the world
 */
export function readPhrase(lexicon: Lexicon, text: string): Phrase | undefined {
  const plain = text
    .toLowerCase()
    .replace(/^an? photo of /, '')
    .replace(/[?.!]$/, '')
    .trim()
  for (const [said, relation] of RELATIONS) {
    const at = plain.indexOf(` ${said} `)
    if (at < 0) continue
    const what = readNoun(lexicon, plain.slice(0, at))
    const anchor = readNoun(lexicon, plain.slice(at + said.length + 2))
    return what === undefined || anchor === undefined
      ? undefined
      : { what, where: { relation, anchor } }
  }
  const what = readNoun(lexicon, plain)
  return what === undefined ? undefined : { what }
}

function readNoun(lexicon: Lexicon, text: string): Description | undefined {
  const words = text.replace(/^(?:an?|the|some|any) /, '').trim()
  const colour = COLOUR_WORDS.find((one) => words.startsWith(`${one} `))
  const noun = colour === undefined ? words : words.slice(colour.length + 1)
  const tint = colour === undefined ? {} : { colour }
  if (/^(?:things?|objects?)$/.test(noun)) return tint
  const kind = lexicon.classNamed(noun)
  const concept = lexicon.named(noun)
  // "bird" is both: the class holds every bird, and the scene of a bird question only one sense.
  if (kind !== undefined && concept === undefined) return { ...tint, kind: kind.label }
  if (concept !== undefined) return { ...tint, concept: concept.id }
  return undefined
}
