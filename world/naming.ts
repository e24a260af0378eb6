import { normaliseName } from '../src/tools/index.ts'
import type { Synset, Wordnet } from '../src/tools/index.ts'
import type { Lexicon } from './lexicon.ts'

/** Nodes of WordNet that are too general to be a common class. @source picture-world §1 */
const GENERAL = new Set(
  'entity,physical entity,object,whole,artifact,living thing,organism,matter,solid,substance,food,instrumentality,device,container,covering,structure,equipment,implement'.split(
    ',',
  ),
)

/** Most edges up from the truth, and in all. */
const MOST_UP = 2
const MOST_EDGES = 3

/** Whether a name is the concept's label or an unambiguous synonym (article, plural, case set aside). */
export function namesStrictly(lexicon: Lexicon, truth: string, name: string): boolean {
  const { label, plural, synonyms, ambiguous } = lexicon.concept(truth)
  const given = withoutArticle(name.trim().toLowerCase())
  if (ambiguous.some((one) => normaliseName(one) === normaliseName(given))) return false
  return [label, plural, ...synonyms].some(
    (one) => one === given || normaliseName(one) === normaliseName(given),
  )
}

/**
 * Whether a name is right strictly or near enough in WordNet: at most three hypernym edges away, at most
 * two of them up from the truth, not turning at a general node.
 *
 * A name of the world means that concept only; any other noun may be any of its meanings.
 * @source picture-world §1
 */
export function namesByClass(lexicon: Lexicon, truth: string, name: string): boolean {
  if (namesStrictly(lexicon, truth, name)) return true
  const senses = sensesOf(lexicon, name)
  const ladder = upwards(lexicon.wordnet, lexicon.synset(truth))
  return senses.some((sense) => {
    const down = upwards(lexicon.wordnet, sense, MOST_EDGES)
    return [...ladder].some(([node, up]) => {
      const below = down.get(node)
      return (
        up <= MOST_UP &&
        below !== undefined &&
        up + below <= MOST_EDGES &&
        !GENERAL.has(lexicon.wordnet.synset(node).words[0] ?? '')
      )
    })
  })
}

function sensesOf(lexicon: Lexicon, name: string): readonly Synset[] {
  const concept = lexicon.named(name)
  if (concept !== undefined) return [lexicon.synset(concept.id)]
  const kind = lexicon.classNamed(name)
  if (kind !== undefined) return [kind.synset]
  const plain = withoutArticle(name.trim().toLowerCase())
  const found = lexicon.wordnet.meanings(plain)
  return found.length > 0 ? found : lexicon.wordnet.meanings(normaliseName(plain))
}

/** Each node above (the start included) with the fewest edges to it. */
function upwards(wordnet: Wordnet, from: Synset, most = MOST_UP): ReadonlyMap<number, number> {
  const found = new Map([[from.id, 0]])
  let level = [from.id]
  for (let edges = 1; edges <= most; edges++) {
    level = level.flatMap((id) => wordnet.synset(id).hypernyms).filter((id) => !found.has(id))
    for (const id of level) found.set(id, edges)
  }
  return found
}

function withoutArticle(text: string): string {
  return text.replace(/^(?:an?|the|some|any)\s+/, '')
}
