import { COCO_NAMES } from '../models/photo/coco.ts'
import { EMOJI_NAMES } from '../emoji-names.ts'
import type { Lister } from '../backends.ts'
import { normaliseName } from '../names.ts'
import type { Synset, Wordnet } from './wordnet.ts'

/** Ways to ask for kinds of something; the group is what is asked for. */
const ASKS: readonly RegExp[] = [
  /^(?:list |name |some |common |different |various |all |the |popular |typical |famous )*(?:kinds?|types?|sorts?|species|breeds?|examples?|names?|varieties) of (.+)$/,
  /^(?:list |name |some |common |different |various |all |the |popular |typical |famous )*(.+?) (?:breeds?|species|kinds?|types?|names?)$/,
  /^(?:list |name |some |common |different |various |all |the |popular |typical |famous )*(.+)$/,
]

/** Endings that WordNet cannot weigh: they are left out, and that is told. */
const CONDITION = /\s+(?:that|which|who|with|in|on|from|found|used|living|wearing|having)\s.+$/

/** Words in capitals are names of persons, places or Latin ones. */
const isPlain = (word: string): boolean => /^[a-z][a-z' -]*$/.test(word)

/**
 * Lists kinds of something from WordNet: "kinds of birds", "big cats", "fruits". The best known come
 * first: those with an emoji or a class of the detector, then single words with few kinds of their own.
 */
export function wordnetLister(wordnet: () => Promise<Wordnet>): Lister {
  return {
    name: 'wordnet',
    models: () => [{ name: 'wordnet', version: '3.1' }],
    can: ['lists kinds of things: animals, plants, tools, foods, vehicles …'],
    cannot: ['names of people, works, brands, or lists with conditions: a language model'],
    list: async (query, max) => {
      const source = await wordnet()
      const { asked, plain, meaning } = readQuery(source, query)
      if (meaning === undefined) {
        return {
          known: false,
          would: `WordNet has no kinds of "${query}": a language model can list them; name one as "planner" in pupil.config.ts.`,
        }
      }
      const items = familiarKinds(source, meaning).slice(0, max)
      const notices =
        plain === asked
          ? []
          : [
              {
                code: 'N_CONDITION_LEFT_OUT',
                message: `WordNet cannot weigh "${asked.replace(plain, '').trim()}": all kinds of ${meaning.words[0]} are listed.`,
              },
            ]
      return { known: true, text: items.join('\n'), notices }
    },
  }
}

/**
 * The group that a query asks for, without what WordNet cannot weigh: an ending ("used in a kitchen")
 * or an adjective ("tall"). An ending with a proper name ("in Friends") is the point of the query, so
 * nothing is found for it.
 */
function readQuery(
  source: Wordnet,
  query: string,
): { readonly asked: string; readonly plain: string; readonly meaning: Synset | undefined } {
  const written = query.trim().replace(/[.?!]+$/, '')
  const asked = written.toLowerCase()
  if (/\s[A-Z]/.test(CONDITION.exec(written)?.[0] ?? '')) {
    return { asked, plain: asked, meaning: undefined }
  }
  const group = asked.replace(CONDITION, '')
  for (const plain of [group, group.replace(/^\w+\s+/, '')]) {
    const meaning = findMeaning(source, plain)
    if (meaning !== undefined) return { asked, plain, meaning }
  }
  return { asked, plain: group, meaning: undefined }
}

/** The first meaning of the group that has kinds. */
function findMeaning(source: Wordnet, query: string): Synset | undefined {
  for (const ask of ASKS) {
    const group = ask.exec(query)?.[1]
    if (group === undefined) continue
    const meanings = source.meanings(normaliseName(group))
    const found = meanings.slice(0, 3).find((one) => one.hyponyms.length > 0)
    if (found !== undefined) return found
  }
  return undefined
}

const FAMILIAR = new Set([...COCO_NAMES, ...EMOJI_NAMES.map((name) => name.replaceAll('_', ' '))])

function familiarKinds(source: Wordnet, meaning: Synset): readonly string[] {
  const names = new Map<string, number>()
  source.kinds(meaning.id, 3000).forEach((kind, place) => {
    const name = kind.words.find((word) => FAMILIAR.has(word)) ?? kind.words.find(isPlain)
    if (name === undefined || meaning.words.includes(name)) return
    const score = familiarity(source, kind, name) - place / 10000
    names.set(name, Math.max(score, names.get(name) ?? -Infinity))
  })
  return [...names].toSorted((a, b) => b[1] - a[1]).map(([name]) => name)
}

/** Known by picture; a first meaning of its word; one word; a kind with kinds of its own. */
function familiarity(source: Wordnet, kind: Synset, name: string): number {
  const meanings = source.meanings(name)
  const isFirst = meanings[0]?.id === kind.id
  return (
    (FAMILIAR.has(name) && isFirst ? 4 : 0) +
    (isFirst ? 1 : 0) +
    (name.includes(' ') ? 0 : 1) +
    Math.min(1, Math.log1p(kind.hyponyms.length) / 3) +
    Math.min(1, meanings.length / 4)
  )
}
