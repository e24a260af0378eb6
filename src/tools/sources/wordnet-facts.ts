import { LOCAL_SOURCE } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'
import type { Synset, Wordnet } from './wordnet.ts'

/**
 * WordNet as an encyclopaedia: an entry for each meaning, its gloss and its relations as sentences.
 *
 * @source avis §11 (WordNet vectors)
 */
export function wordnetFacts(wordnet: () => Promise<Wordnet>): SourceProvider {
  return {
    ...{ ...LOCAL_SOURCE, id: 'wordnet', tool: 'kb_lookup', timeoutMs: 10_000 },
    ...{ version: '3.1', licence: 'WordNet 3.1, Princeton University', byName: true },
    call: async ({ q = '', subject, entities = [] }) => {
      const source = await wordnet()
      const meant = entities.flatMap((one) => /^wordnet:(\d+)$/.exec(one)?.[1] ?? []).map(Number)
      const subjects = subject?.split(' and ').length ?? 0
      // The meaning that was seen is known: other meanings of the word are not asked for.
      const meanings =
        meant.length > 0 && meant.length >= subjects
          ? meant.map((id) => source.synset(id))
          : lookUp(source, q, subject)
      return { entries: meanings.map((one) => factsOf(source, one)) }
    },
  }
}

/** The meanings of the whole query, else of its subject, else of the longest nouns in it. */
export function lookUp(source: Wordnet, q: string, subject?: string): readonly Synset[] {
  const named = (words: string): readonly Synset[] => {
    const found = source.meanings(nounOf(words))
    return found.length > 0
      ? found
      : singulars(nounOf(words)).flatMap((one) => source.meanings(one))
  }
  const whole = named(q)
  if (whole.length > 0) return whole
  // Of two things that are compared, both: the usual meanings of each.
  const parts = [...new Set(subject?.split(' and ') ?? [])].map(named)
  const most = parts.length > 1 ? MOST_OF_EACH : Infinity
  const both = parts.flatMap((meanings) => meanings.slice(0, most))
  if (both.length > 0) return both
  // A subject that is not listed may be listed under its last word: "tabby house cat" is a cat.
  const tails = subject === undefined ? [] : tailsOf(nounOf(subject))
  for (const tail of tails) {
    const found = source.meanings(tail)
    if (found.length > 0) return found
  }
  return subject === undefined ? longestNoun(source, q) : []
}

/** Meanings of each of several subjects. */
const MOST_OF_EACH = 4

function nounOf(words: string): string {
  return words
    .toLowerCase()
    .replace(/[?!.,;:"]+/g, ' ')
    .replace(/^\s*(?:the|an?) /, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function singulars(noun: string): readonly string[] {
  return [
    noun.replace(/ies$/, 'y'),
    noun.replace(/(?<=s|x|z|ch|sh)es$/, ''),
    noun.replace(/s$/, ''),
  ].filter((one) => one !== noun)
}

function tailsOf(noun: string): readonly string[] {
  const words = noun.split(' ')
  return words.slice(1).map((_, i) => words.slice(i + 1).join(' '))
}

/** Words that questions are made of; they are nouns too, but never what is asked about. */
const ASKING = new Set(
  'a an the what which who whom where when how many much is are was were does do did has have had of in on at to for from by with and or this that it its kind type sort name year place part belong called family genus order class species have made first opened built tall long old high capital'.split(
    ' ',
  ),
)

function longestNoun(source: Wordnet, q: string): readonly Synset[] {
  const words = nounOf(q).split(' ')
  for (let length = Math.min(5, words.length); length > 0; length--) {
    for (let i = 0; i + length <= words.length; i++) {
      const part = words.slice(i, i + length)
      if (ASKING.has(part[0] ?? '') || ASKING.has(part.at(-1) ?? '')) continue
      const noun = part.join(' ')
      const found = [noun, ...singulars(noun)].flatMap((one) => source.meanings(one))
      if (found.length > 0) return found
    }
  }
  return []
}

const MOST = 12

/** A meaning as an entry. The sentences are those that `extract-relation` in the seeking agent reads. */
function factsOf(source: Wordnet, meaning: Synset): FoundEntry {
  const name = meaning.words[0] ?? ''
  const names = (ids: readonly number[]): readonly string[] =>
    ids.slice(0, MOST).map((id) => source.synset(id).words[0] ?? '')
  const pointers = (symbol: string): readonly string[] => names(source.pointers(meaning.id, symbol))
  const above = source.above(meaning.id)
  const instance = source.pointers(meaning.id, '@i').length > 0
  const kinds = names(meaning.hypernyms)
  const wider = above.map((one) => one.words[0] ?? '').filter((one) => !kinds.includes(one))
  const sentences = [
    kinds.length === 0
      ? ''
      : `${name} is ${instance ? 'an instance of' : 'a kind of'} ${listed(kinds)}.`,
    wider.length === 0 ? '' : `Wider still, ${name} is a kind of ${listed(wider.slice(0, 20))}.`,
    ...pointers('#p').map((one) => `${name} is part of ${one}.`),
    ...pointers('#m').map((one) => `${name} is a member of ${one}.`),
    ...pointers('%s').map((one) => `${name} is made of ${one}.`),
    lineOf(`Parts of ${name}`, pointers('%p')),
    lineOf(`Members of ${name}`, pointers('%m')),
    lineOf(`Kinds of ${name}`, names(meaning.hyponyms)),
    ...ranksOf(source, meaning),
  ]
  const also = meaning.words.length > 1 ? `Also called ${listed(meaning.words.slice(1))}.` : ''
  const text = [`${name}: ${meaning.gloss}.`, also, ...sentences]
    .filter((one) => one !== '')
    .join('\n')
  return {
    ...{
      kind: 'entity',
      title: name,
      entity: `wordnet:${meaning.id}`,
      text,
      licence: 'WordNet 3.1, Princeton University',
    },
  }
}

const listed = (words: readonly string[]): string => words.join(', ')

const lineOf = (head: string, words: readonly string[]): string =>
  words.length === 0 ? '' : `${head}: ${listed(words)}.`

const RANK =
  /^(?:superfamily|subfamily|family|genus|suborder|order|subclass|class|phylum|kingdom|tribe) (.+)$/i

/** The families and orders of a living thing: members upward, those of what it is a kind of included. */
function ranksOf(source: Wordnet, meaning: Synset): readonly string[] {
  const name = meaning.words[0] ?? ''
  const found = new Map<string, string>()
  const seen = new Set<number>()
  const climb = (ids: readonly number[], depth: number): void => {
    if (depth > 8) return
    for (const id of ids) {
      if (seen.has(id)) continue
      seen.add(id)
      const group = source.synset(id)
      const ranked = group.words.find((word) => RANK.test(word))
      const rank = ranked?.split(' ')[0]?.toLowerCase()
      const value = ranked === undefined ? undefined : RANK.exec(ranked)?.[1]
      if (rank !== undefined && value !== undefined && !found.has(rank)) found.set(rank, value)
      climb(source.pointers(id, '#m'), depth + 1)
    }
  }
  // What is nearest names its own genus first; a kind above it names the family.
  for (const one of [meaning, ...source.above(meaning.id)].slice(0, 8)) {
    climb(source.pointers(one.id, '#m'), 0)
  }
  return [...found].map(([rank, value]) => `${name} belongs to the ${rank} ${value}.`)
}
