import { nearestNames } from '../../../base/index.ts'
import type { Notice } from '../../../program/index.ts'
import type { UnknownWord, Vocabulary, WordReading } from '../../backends.ts'
import { normaliseName } from '../../names.ts'
import type { Synset, Wordnet } from '../../sources/wordnet.ts'
import { COCO, COCO_NAMES, GROUPS, PERSON_WORDS } from './coco.ts'

/** What would know a word that the photo models do not. */
export const WOULD_KNOW =
  'An open-vocabulary detector from the hub (OWLv2), a served vision model, or a few taught examples can do it.'

/** Meanings so wide that every class, or nearly, is a kind of them. */
/** Words whose first meaning in WordNet is not the everyday one. */
const MISLEADING = new Set(['glove', 'board', 'wheel', 'lounge', 'plug'])

const TOO_WIDE = new Set(
  (
    'entity, physical entity, object, whole, artifact, thing, matter, living thing, organism, unit, ' +
    'instrumentality, substance, being, causal agent, causal agency, natural object, body, part, solid'
  ).split(', '),
)

/**
 * The 80 words of COCO with what is read as them: plurals, synonyms, wider words (animal, fruit).
 * Every reading that is not the word itself comes with a notice `N_WORD`. Narrower words (poodle)
 * are unknown, since the detector cannot tell them; the class above them is named as near.
 *
 * @param wordnet  opened when a word is in none of the tables
 */
export function cocoVocabulary(wordnet: () => Promise<Wordnet>): Vocabulary {
  return {
    words: COCO_NAMES,
    read: async (word) => readTables(word) ?? readWordnet(word, await wordnet()),
  }
}

/** The reading by the tables alone. */
function readTables(word: string): WordReading | undefined {
  const name = normaliseName(word)
  const exact = COCO_NAMES.find((one) => normaliseName(one) === name)
  if (exact !== undefined) return { known: true, words: [exact], notices: [] }
  const synonym = COCO.find((one) => one.words.includes(name))?.name
  if (synonym !== undefined) return read([synonym], `"${word}" is read as ${synonym}.`)
  if (PERSON_WORDS.includes(name)) {
    return read(
      ['person'],
      `"${word}" is read as person: the detector cannot tell who or what kind of person it is.`,
    )
  }
  const group = Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined
  return group === undefined ? undefined : read(group, `"${word}" is read as ${joined(group)}.`)
}

function read(words: readonly string[], message: string): WordReading {
  const notice: Notice = { code: 'N_WORD', message }
  return { known: true, words, notices: [notice] }
}

function readWordnet(word: string, wordnet: Wordnet): WordReading {
  const name = normaliseName(word)
  const meanings = MISLEADING.has(name) ? [] : wordnet.meanings(name).slice(0, 3)
  const senses = classSenses(wordnet)
  const same = senses.find(([, id]) => meanings[0]?.id === id)?.[0]
  if (same !== undefined) return read([same], `"${word}" is read as ${same}.`)
  for (const meaning of meanings) {
    if (meaning.words.some((one) => TOO_WIDE.has(one))) continue
    const kinds = senses.filter(([, id]) => wordnet.isKind(id, meaning.id)).map(([kind]) => kind)
    if (kinds.length > 0) return read(kinds, `"${word}" is read as ${joined(kinds)}.`)
  }
  return unknown(word, name, meanings, { wordnet, senses })
}

/** The words nearest to an unknown one: the class it is a kind of, its relatives, its look-alikes. */
function unknown(
  word: string,
  name: string,
  meanings: readonly Synset[],
  { wordnet, senses }: { readonly wordnet: Wordnet; readonly senses: readonly Sense[] },
): UnknownWord {
  const above = meanings.flatMap((one) => wordnet.above(one.id).map((kind) => kind.id))
  const classesAbove = senses.filter(([, id]) => above.includes(id)).map(([kind]) => kind)
  const parents = meanings.slice(0, 1).flatMap((one) => one.hypernyms)
  const siblings = senses
    .filter(([, id]) => wordnet.synset(id).hypernyms.some((one) => parents.includes(one)))
    .map(([kind]) => kind)
  const spelled = nearestNames(name, COCO_NAMES)
  const near = [...new Set([...classesAbove, ...spelled, ...siblings])].slice(0, 5)
  return { known: false, word, near, would: WOULD_KNOW }
}

type Sense = readonly [name: string, synset: number]

const found = new WeakMap<Wordnet, readonly Sense[]>()

/** The meanings of the classes in WordNet. */
export function classSenses(wordnet: Wordnet): readonly Sense[] {
  const known = found.get(wordnet)
  if (known !== undefined) return known
  const senses = COCO.flatMap(({ name, sense }): Sense[] => {
    if (sense === undefined) return []
    const [lemma = '', number = '1'] = sense.split('#')
    const synset = wordnet.meanings(lemma)[Number(number) - 1]
    return synset === undefined ? [] : [[name, synset.id]]
  })
  found.set(wordnet, senses)
  return senses
}

/** `a`, `a or b`, `a, b or c`. */
function joined(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
