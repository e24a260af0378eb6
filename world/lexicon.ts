import { Bug } from '../src/base/index.ts'
import { normaliseName, openWordnet } from '../src/tools/index.ts'
import type { Synset, Wordnet } from '../src/tools/index.ts'
import { readClasses, readConcepts } from './concepts.ts'
import type { Concept, ConceptClass } from './concepts.ts'
import { DISPUTED_BY_USAGE } from './usage.ts'

/** A class as it can be asked about: those surely in it, and those that must not stand beside. */
export interface AskableClass {
  readonly label: string
  readonly plural: string
  readonly synset: Synset
  /** Members by the table and by WordNet. */
  readonly members: ReadonlySet<string>
  /** Where table, WordNet and usage part: not in a scene that asks for the class. */
  readonly disputed: ReadonlySet<string>
}

/** Everything that is known about the names of the world, joined once. */
export interface Lexicon {
  readonly concepts: ReadonlyMap<string, Concept>
  readonly classes: readonly AskableClass[]
  readonly wordnet: Wordnet
  /** @throws Bug for an id that is no concept's */
  concept(id: string): Concept
  synset(id: string): Synset
  /** The concept that a name means, plural and article allowed; none when it is ambiguous or unknown. */
  named(name: string): Concept | undefined
  classNamed(name: string): AskableClass | undefined
  classesOf(id: string): readonly AskableClass[]
  /** Concepts that could be taken for it or shown by it: kinds, kinds above, contained, containing. */
  related(id: string): ReadonlySet<string>
}

/** Reads concepts, classes and WordNet (20 MB, about 0.1 s) and joins them. */
export async function openLexicon(): Promise<Lexicon> {
  const [concepts, classes, wordnet] = await Promise.all([
    readConcepts(),
    readClasses(),
    openWordnet(),
  ])
  return createLexicon(concepts, classes, wordnet)
}

/** Joins concepts, classes and WordNet. @throws Bug `E_SENSE` for a sense key that WordNet lacks */
export function createLexicon(
  concepts: readonly Concept[],
  classes: readonly ConceptClass[],
  wordnet: Wordnet,
): Lexicon {
  const byId = new Map(concepts.map((one) => [one.id, one]))
  const senses = new Map(concepts.map(({ id, synset }) => [id, senseOf(wordnet, synset)]))
  // The map holds every id of the table; others are a mistake of the caller.
  const concept = (id: string): Concept => byId.get(id) ?? missing(id)
  const synset = (id: string): Synset => senses.get(id) ?? missing(id)
  const askable = classes.map((one) => askableClass(one, concepts, synset, wordnet))
  const names = namesOf(concepts)
  const classNames = new Map(
    askable.flatMap((one) => [one.label, one.plural].map((name) => [normaliseName(name), one])),
  )
  const relatives = memo((id: string) => relatedTo(concept(id), concepts, synset, wordnet))
  return {
    concepts: byId,
    classes: askable,
    wordnet,
    concept,
    synset,
    named: (name) => names.get(normaliseName(name)) ?? names.get(name.trim().toLowerCase()),
    classNamed: (name) => classNames.get(normaliseName(name)),
    classesOf: memo((id: string) => askable.filter((one) => one.members.has(id))),
    related: relatives,
  }
}

function missing(id: string): never {
  throw new Bug('E_CONCEPT', `There is no concept "${id}".`)
}

function senseOf(wordnet: Wordnet, key: string): Synset {
  const found = wordnet.sense(key)
  if (found === undefined) throw new Bug('E_SENSE', `WordNet has no sense "${key}".`)
  return found
}

function askableClass(
  one: ConceptClass,
  concepts: readonly Concept[],
  synset: (id: string) => Synset,
  wordnet: Wordnet,
): AskableClass {
  const kind = senseOf(wordnet, one.synset)
  const byTable = new Set(one.members)
  const byWordnet = new Set(
    concepts.flatMap(({ id }) => (wordnet.isKind(synset(id).id, kind.id) ? [id] : [])),
  )
  const byUsage = new Set(DISPUTED_BY_USAGE[one.label] ?? [])
  const members = [...byTable].filter((id) => byWordnet.has(id) && !byUsage.has(id))
  const named = new Set(members)
  const disputed = [...byTable, ...byWordnet, ...byUsage].filter((id) => !named.has(id))
  return {
    label: one.label,
    plural: one.plural,
    synset: kind,
    members: named,
    disputed: new Set(disputed),
  }
}

function namesOf(concepts: readonly Concept[]): ReadonlyMap<string, Concept> {
  const names = new Map<string, Concept>()
  for (const one of concepts) {
    for (const name of one.synonyms) {
      names.set(normaliseName(name), one)
      names.set(name, one)
    }
  }
  // Labels win over synonyms.
  for (const one of concepts) {
    for (const name of [one.label, one.plural]) {
      names.set(normaliseName(name), one)
      names.set(name, one)
    }
  }
  const labels = new Set(concepts.map(({ label }) => label))
  for (const name of concepts.flatMap(({ ambiguous }) => ambiguous)) {
    if (!labels.has(name)) names.delete(normaliseName(name))
  }
  return names
}

function relatedTo(
  one: Concept,
  concepts: readonly Concept[],
  synset: (id: string) => Synset,
  wordnet: Wordnet,
): ReadonlySet<string> {
  const id = synset(one.id).id
  const near = concepts.filter((other) => {
    if (other.id === one.id) return false
    const sense = synset(other.id).id
    if (wordnet.isKind(sense, id) || wordnet.isKind(id, sense)) return true
    if (other.contains.includes(one.id) || one.contains.includes(other.id)) return true
    return sharesName(one, other)
  })
  return new Set(near.map((other) => other.id))
}

/** Whether a name could mean either: listed as ambiguous, or part of a compound ("boxing glove"). */
function sharesName(a: Concept, b: Concept): boolean {
  const last = (name: string): string => name.split(' ').at(-1) ?? name
  if (last(a.label) === b.label || last(b.label) === a.label) return true
  return a.ambiguous.some((name) => name === b.label || b.ambiguous.includes(name))
}

function memo<T>(make: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>()
  return (id) => {
    const found = known.get(id)
    if (found !== undefined) return found
    const made = make(id)
    known.set(id, made)
    return made
  }
}
