import { plainText, withoutArticle } from '../../names.ts'

/** A part of the picture. */
export type Place = 'left' | 'right' | 'top' | 'bottom' | 'middle'

/** How one thing lies to another, as it looks in the picture. */
export type Relation =
  | 'left of'
  | 'right of'
  | 'above'
  | 'below'
  | 'on'
  | 'in'
  | 'next to'
  | 'in front of'
  | 'behind'
  | 'between'

/** The one of several. */
export type Pick = 'biggest' | 'smallest' | 'leftmost' | 'rightmost' | 'topmost' | 'bottommost'

/** What a few words describe: a noun with colours, a place and a relation to another thing. */
export interface Phrase {
  /** Without article and empty words, for messages. */
  readonly text: string
  /** Lower case, without article; empty for "it" and "this". */
  readonly noun: string
  readonly colours: readonly string[]
  /** The colour of what a person wears. */
  readonly wears?: string
  readonly place?: Place
  readonly pick?: Pick
  readonly relation?: { readonly how: Relation; readonly to: Phrase }
}

/** Words for colours, to the names that colours are measured by. */
export const COLOUR_WORDS: Readonly<Record<string, string>> = {
  red: 'red',
  crimson: 'red',
  scarlet: 'red',
  maroon: 'red',
  orange: 'orange',
  yellow: 'yellow',
  golden: 'yellow',
  gold: 'yellow',
  green: 'green',
  olive: 'green',
  blue: 'blue',
  navy: 'blue',
  turquoise: 'blue',
  cyan: 'blue',
  purple: 'purple',
  violet: 'purple',
  pink: 'pink',
  magenta: 'pink',
  brown: 'brown',
  beige: 'brown',
  tan: 'brown',
  black: 'black',
  white: 'white',
  grey: 'grey',
  gray: 'grey',
  silver: 'grey',
}

const PICKS: Readonly<Record<string, Pick>> = {
  biggest: 'biggest',
  largest: 'biggest',
  tallest: 'biggest',
  main: 'biggest',
  smallest: 'smallest',
  tiniest: 'smallest',
  littlest: 'smallest',
  leftmost: 'leftmost',
  rightmost: 'rightmost',
  topmost: 'topmost',
  uppermost: 'topmost',
  highest: 'topmost',
  lowest: 'bottommost',
  bottommost: 'bottommost',
}

const PLACES: Readonly<Record<string, Place>> = {
  left: 'left',
  right: 'right',
  top: 'top',
  upper: 'top',
  bottom: 'bottom',
  lower: 'bottom',
  middle: 'middle',
  center: 'middle',
  centre: 'middle',
}

/** Relations as they are written, the longest first. */
const RELATIONS: readonly (readonly [words: RegExp, how: Relation])[] = [
  [
    /(?:standing |sitting |lying |located |parked )?(?:to|on|at) the (?:immediate )?left(?: ?hand)?(?: side)? of|left of/,
    'left of',
  ],
  [
    /(?:standing |sitting |lying |located |parked )?(?:to|on|at) the (?:immediate )?right(?: ?hand)?(?: side)? of|right of/,
    'right of',
  ],
  [/on top of|sitting on|lying on|standing on|riding on|riding|resting on/, 'on'],
  [/above|over/, 'above'],
  [/below|under|underneath|beneath/, 'below'],
  [/next to|beside|besides|near to|near|close to|by the side of|alongside/, 'next to'],
  [/in front of/, 'in front of'],
  [/behind/, 'behind'],
  [/between/, 'between'],
  [/inside of|inside|within/, 'in'],
  [/on/, 'on'],
  [/in/, 'in'],
]

const PICTURE = '(?:picture|image|photo|photograph|scene|frame|shot|pic)'

/** Endings that say nothing about the thing. */
const EMPTY_ENDINGS: readonly RegExp[] = [
  /\s+(?:that |which )?(?:is|are|was|were) (?:parked|shown|seen|pictured|depicted|located|placed|found)$/,
  /\s+(?:is|are|was|were)$/,
  new RegExp(
    `\\s+(?:that |which )?(?:is |are |was |were )?(?:in|on|of|inside|within) (?:the |this |that )?${PICTURE}$`,
  ),
  /\s+(?:that |which )?(?:is |are )?(?:here|there|visible|shown|present|seen|depicted|pictured)$/,
  /\s+(?:that |which )?(?:can you|do you|you can|you|can we|we can|can be|i can) see[n]?$/,
  /\s+(?:do you|can you|you) (?:see|find|count|spot)$/,
  /\s+(?:in total|altogether|at all|overall)$/,
]

const PLACE = new RegExp(
  `\\s*(?:(?:that |which )?(?:is|are) )?(?:on|at|in|to|towards) the (?:far |very )?(left|right|top|upper|bottom|lower|middle|center|centre)(?: ?hand)?(?: side| half| part| corner| edge)?(?: of (?:the |this )?${PICTURE})?$`,
)

const WEARS =
  /\s+(?:in|wearing|dressed in|with|that wears|who wears)(?: an?| the)? ([a-z]+)(?: (?:shirt|t shirt|tshirt|jacket|dress|top|coat|clothes|clothing|sweater|suit|jumper|hoodie|uniform|vest|outfit))?$/

const PRONOUN = /^(?:it|this|that|these|those|they|them|one|thing|object|(?:the )?main object)$/

const DETERMINER =
  /^(?:(?:an?|the|any|some|this|that|these|those|all|all the|every|each|only|just|exactly|at least|more than|my|your|his|her|their|its|another|other|other than)\s+)+/

/** Reads a few words as a description of a thing. */
export function parsePhrase(text: string): Phrase {
  return read(plainText(text.replace(/[?!.,;:"“”]+/g, ' ')))
}

function read(given: string): Phrase {
  const text = stripped(given)
  const [body, place] = takePlace(text)
  const related = takeRelation(body)
  if (related !== undefined) {
    const { before, how, after } = related
    return {
      ...read(before),
      text,
      ...(place === undefined ? {} : { place }),
      relation: { how, to: read(after) },
    }
  }
  const wears = WEARS.exec(body)
  const worn = wears === null ? undefined : COLOUR_WORDS[wears[1] ?? '']
  const named = worn === undefined ? body : body.slice(0, wears?.index)
  return { text, ...takeAdjectives(named, place), ...(worn === undefined ? {} : { wears: worn }) }
}

/** Without determiners in front and empty words behind. */
function stripped(text: string): string {
  let rest = text.trim()
  for (let before = ''; before !== rest;) {
    before = rest
    for (const ending of EMPTY_ENDINGS) rest = rest.replace(ending, '')
    rest = rest.replace(DETERMINER, '').trim()
  }
  return rest
}

function takePlace(text: string): readonly [rest: string, place: Place | undefined] {
  const match = PLACE.exec(text)
  if (match === null || match.index === 0) return [text, undefined]
  return [stripped(text.slice(0, match.index)), PLACES[match[1] ?? '']]
}

/** Splits at the relation that comes first; at the same place, at the longest. */
function takeRelation(
  text: string,
): { readonly before: string; readonly how: Relation; readonly after: string } | undefined {
  let best: { before: string; how: Relation; after: string; at: number } | undefined
  for (const [words, how] of RELATIONS) {
    const match = new RegExp(`\\s(?:that |which |who )?(?:is |are )?(?:${words.source})\\s`).exec(
      text,
    )
    if (match === null || match.index === 0) continue
    if (best !== undefined && best.at <= match.index) continue
    const after = text.slice(match.index + match[0].length)
    // "in red", "in a blue shirt" is clothing, not a place.
    if (how === 'in' && WEARS.test(text) && isColour(WEARS.exec(text)?.[1])) continue
    best = { before: text.slice(0, match.index), how, after, at: match.index }
  }
  return best
}

/** Whether a word names a colour. */
export function isColour(word: string | undefined): boolean {
  return word !== undefined && Object.hasOwn(COLOUR_WORDS, word)
}

function takeAdjectives(text: string, place: Place | undefined): Adjectives {
  const words = withoutArticle(text)
    .replace(/ (?:is|are|was|were)$/, '')
    .split(' ')
  const colours: string[] = []
  let pick: Pick | undefined
  let side: Place | undefined
  while (words.length > 1) {
    const word = words[0] ?? ''
    const isNoise = /^(?:and|dark|light|bright|pale|colou?red)$/.test(word)
    if (isColour(word)) colours.push(COLOUR_WORDS[word] ?? '')
    else if (Object.hasOwn(PICKS, word)) pick = PICKS[word]
    else if (Object.hasOwn(PLACES, word)) side = PLACES[word]
    else if (!isNoise) break
    words.shift()
  }
  const noun = words.join(' ')
  const where = place ?? side
  return {
    noun: PRONOUN.test(noun) ? '' : noun,
    colours,
    ...(pick === undefined ? {} : { pick }),
    ...(where === undefined ? {} : { place: where }),
  }
}

/** What stands before a noun, and the noun. */
type Adjectives = Omit<Phrase, 'text' | 'relation' | 'wears'>
