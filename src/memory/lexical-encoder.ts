import type { SentenceEncoder, SentenceVector } from './encoder.ts'
import { unit } from './encoder.ts'
import { singular } from './inflect.ts'
import { plainSentence, words } from './words.ts'

/** Words that say little by themselves: a fifth of the weight of others. */
const SMALL_WORDS = new Set(
  (
    'a an the this that these those of in on at to for from with by as it its is are was were be ' +
    'do does did has have had can could would will shall please me i you we there here and , ;'
  ).split(' '),
)

/** Spellings and near-synonyms that must not keep two sentences apart. */
const ALIKE = new Map<string, string>(
  Object.entries({
    colour: 'color',
    coloured: 'color',
    grey: 'gray',
    photo: 'picture',
    image: 'picture',
    photograph: 'picture',
    pic: 'picture',
    hide: 'cover',
    label: 'tag',
    swap: 'replace',
    erase: 'remove',
    delete: 'remove',
  }),
)

/** BM25's saturation: the second mention of a word adds less than the first. */
const SATURATION = 1.2
const PAIR_WEIGHT = 0.6
const SMALL_WEIGHT = 0.2

/**
 * A lexical ranking as an encoder: words in the singular and pairs of neighbours, saturated as in BM25.
 *
 * Small words weigh a fifth in place of an inverse document frequency, so that a vector depends on its
 * sentence alone and never has to be made again when the pool grows.
 */
export const lexicalEncoder: SentenceEncoder = {
  name: 'lexical',
  version: '1',
  encode: async (sentences) => sentences.map(lexicalVector),
}

/** Unit vector of a sentence over its words and pairs of neighbours. */
export function lexicalVector(sentence: string): SentenceVector {
  const terms = words(plainSentence(sentence)).map(({ lower }) => {
    const one = singular(lower)
    return ALIKE.get(one) ?? one
  })
  const counts = new Map<string, number>()
  const add = (term: string, weight: number): void =>
    void counts.set(term, (counts.get(term) ?? 0) + weight)
  terms.forEach((term, i) => {
    const weight = weightOf(term)
    add(term, weight)
    const next = terms[i + 1]
    if (next !== undefined) add(`${term} ${next}`, PAIR_WEIGHT * Math.max(weight, weightOf(next)))
  })
  return unit(
    new Map([...counts].map(([term, n]) => [term, (n * (SATURATION + 1)) / (n + SATURATION)])),
  )
}

function weightOf(term: string): number {
  return SMALL_WORDS.has(term) ? SMALL_WEIGHT : 1
}
