import { nearestNames } from '../../../base/index.ts'
import type { Notice } from '../../../program/index.ts'
import { normaliseName } from '../../names.ts'
import type { Wordnet } from '../../sources/wordnet.ts'
import table from './known-names.json' with { type: 'json' }

/** A name that the models learnt, as world/concepts/known-names.ts wrote it. */
export interface KnownName {
  readonly id: string
  readonly label: string
  readonly plural: string
  /** Empty for plural and mass nouns. */
  readonly article: string
  /** WordNet 3.1 sense key. */
  readonly synset: string
  readonly synonyms: readonly string[]
}

interface Kind {
  readonly label: string
  readonly plural: string
  readonly members: readonly string[]
}

/** How a noun is read: names that the models learnt, or a word that is new to them. */
export interface Reading {
  /** None for a new word. */
  readonly names: readonly KnownName[]
  readonly notices: readonly Notice[]
}

/** The words that the models learnt. */
export interface Names {
  readonly all: readonly KnownName[]
  named(name: string): KnownName | undefined
  /** Members of a kind by name, such as "vehicles"; none for a word that is no kind. */
  kind(name: string, wordnet?: Wordnet): readonly KnownName[]
  /** A name, else a kind, else a new word with the nearest names. */
  read(word: string, wordnet: () => Promise<Wordnet>): Promise<Reading>
}

/** The names of the shipped models. */
export function knownNames(): Names {
  const { names, kinds }: { names: readonly KnownName[]; kinds: readonly Kind[] } = table
  const byId = new Map(names.map((one) => [one.id, one]))
  const byName = new Map<string, KnownName>()
  // Labels win over synonyms.
  for (const one of names) for (const name of one.synonyms) byName.set(normaliseName(name), one)
  for (const one of names) {
    for (const name of [one.plural, one.label]) byName.set(normaliseName(name), one)
  }
  const byKind = new Map(
    kinds.flatMap((one) => [one.label, one.plural].map((name) => [normaliseName(name), one])),
  )
  const named = (name: string): KnownName | undefined => byName.get(normaliseName(name))
  const kind: Names['kind'] = (name, wordnet) => {
    const own = byKind.get(normaliseName(name))
    if (own !== undefined) return own.members.flatMap((id) => byId.get(id) ?? [])
    return wordnet === undefined ? [] : kindsOf(wordnet, names, name)
  }
  return {
    all: names,
    named,
    kind,
    read: async (word, wordnet) => {
      const one = named(word)
      if (one !== undefined) return { names: [one], notices: [] }
      const members = kind(word)
      if (members.length > 0) return { names: members, notices: [] }
      const wider = kind(word, await wordnet())
      if (wider.length > 0) {
        const said = wider.map(({ label }) => label).slice(0, 6)
        return { names: wider, notices: [readAs(word, said, wider.length)] }
      }
      return { names: [], notices: [neverLearnt(word, names)] }
    },
  }
}

/** Names whose meaning is a kind of one of the word's first meanings. */
function kindsOf(
  wordnet: Wordnet,
  names: readonly KnownName[],
  word: string,
): readonly KnownName[] {
  for (const meaning of wordnet.meanings(normaliseName(word)).slice(0, 3)) {
    const members = names.filter(({ synset }) => {
      const sense = wordnet.sense(synset)
      return sense !== undefined && wordnet.isKind(sense.id, meaning.id)
    })
    if (members.length > 0) return members
  }
  return []
}

function readAs(word: string, names: readonly string[], count: number): Notice {
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return { code: 'N_WORD', message: `"${word}" is read as ${names.join(', ')}${more}.` }
}

function neverLearnt(word: string, names: readonly KnownName[]): Notice {
  const near = nearestNames(
    normaliseName(word),
    names.map(({ label }) => label),
  ).slice(0, 3)
  const like = near.length === 0 ? '' : ` Names like it: ${near.join(', ')}.`
  return {
    code: 'N_NEW_WORD',
    message: `The starter models never learnt "${word}": what is found is a guess.${like}`,
  }
}
