import type { Lister } from '../../backends.ts'
import { normaliseName } from '../../names.ts'
import type { Synset, Wordnet } from '../../sources/wordnet.ts'
import { wordnetLister } from '../../sources/wordnet-lister.ts'
import type { KnownName, Names } from './names.ts'
import type { StarterParts } from './parts.ts'

/** "kinds of birds", "all vehicles". */
const KINDS = /^(?:all |the |common )*(?:(?:kinds?|types?|sorts?|examples?) of )?(.+)$/
/** How far above a meaning its parts and its gloss still tell of it. */
const MOST_UP = 3

/** Asks that WordNet answers beside kinds. */
const ASKS: readonly (readonly [
  asks: RegExp,
  answer: (words: string, names: Names, wordnet: Wordnet) => readonly string[],
])[] = [
  [/^wider words for (.+)$/, wider],
  [/^(?:things|what) (?:with|has|have) (?:an? )?(.+)$/, withPart],
  [/^(?:things that|what) (.+)$/, saidOf],
]

/**
 * LIST: kinds of something out of WordNet, those first that the models can tell apart; wider words; things with
 * a part; and what glosses say of the things that the models know.
 */
export function starterLister({ names, wordnet }: StarterParts): Lister {
  const rest = wordnetLister(wordnet)
  return {
    ...rest,
    name: 'starter/wordnet',
    can: [...rest.can, 'wider words, things with a part, and what glosses say of known things'],
    list: async (query, max, options) => {
      const asked = query
        .trim()
        .toLowerCase()
        .replace(/[.?!]+$/, '')
      for (const [asks, answer] of ASKS) {
        const words = asks.exec(asked)?.[1]
        const found = words === undefined ? [] : answer(words, names, await wordnet())
        if (found.length === 0) continue
        return { known: true, text: found.slice(0, max).join('\n'), notices: [] }
      }
      const listed = await rest.list(query, max, options)
      const group = KINDS.exec(asked)?.[1] ?? query
      const known = names.kind(group, await wordnet()).map(({ label }) => label)
      if (known.length === 0) return listed
      const more = listed.known ? listed.text.split('\n') : []
      const text = [...new Set([...known, ...more])].slice(0, max).join('\n')
      return { known: true, text, notices: listed.known ? listed.notices : [] }
    },
  }
}

/** The meaning of a name: that of the known thing, else the most usual one. */
function meaningOf(word: string, names: Names, wordnet: Wordnet): Synset | undefined {
  const known = names.named(word)
  return known === undefined
    ? wordnet.meanings(normaliseName(word))[0]
    : wordnet.sense(known.synset)
}

/** What one thing is a kind of, or several alike, nearest first. */
function wider(words: string, names: Names, wordnet: Wordnet): readonly string[] {
  const ladders = words.split(/,\s*/).map((word) => {
    const meaning = meaningOf(word, names, wordnet)
    return meaning === undefined ? [] : wordnet.above(meaning.id)
  })
  const [first = [], ...others] = ladders
  const shared = first.filter(({ id }) =>
    others.every((ladder) => ladder.some((one) => one.id === id)),
  )
  return shared.map(({ words: [name = ''] }) => name)
}

function withPart(part: string, names: Names, wordnet: Wordnet): readonly string[] {
  const name = normaliseName(part)
  const has = ({ id }: Synset): boolean =>
    wordnet.synset(id).parts.some((one) => wordnet.synset(one).words.includes(name))
  return labelsWhere(names, wordnet, has)
}

/** Things whose gloss, or that of what they are a kind of, has every word that tells something. */
function saidOf(words: string, names: Names, wordnet: Wordnet): readonly string[] {
  const stems = words
    .split(/\s+/)
    .filter(
      (word) => !/^(?:is|are|was|the|an?|in|on|of|to|by|can|it|them|with|has|have)$/.test(word),
    )
    .map((word) => word.replace(/(?:s|es|ed|ing)$/, ''))
  if (stems.length === 0) return []
  return labelsWhere(names, wordnet, ({ gloss }) => {
    const said = gloss.split(/\W+/)
    return stems.every((stem) => said.some((word) => word.startsWith(stem)))
  })
}

function labelsWhere(
  { all }: Names,
  wordnet: Wordnet,
  holds: (meaning: Synset) => boolean,
): readonly string[] {
  const fits = ({ synset }: KnownName): boolean => {
    const meaning = wordnet.sense(synset)
    if (meaning === undefined) return false
    return [meaning, ...wordnet.above(meaning.id).slice(0, MOST_UP)].some(holds)
  }
  return all.filter(fits).map(({ label }) => label)
}
