import { readClasses, readConcepts } from '../concepts.ts'

/** Where the starter tools find the names that their models learnt. */
export const KNOWN_NAMES = new URL(
  '../../src/tools/models/starter/known-names.json',
  import.meta.url,
)

/** Names and kinds of the known concepts; nothing of the new ones. */
export async function knownNames(): Promise<unknown> {
  const concepts = (await readConcepts()).filter(({ split }) => split === 'known')
  const ids = new Set(concepts.map(({ id }) => id))
  return {
    names: concepts.map(({ id, label, plural, article, synset, synonyms }) => ({
      ...{ id, label, plural, article, synset, synonyms },
    })),
    kinds: (await readClasses()).map(({ label, plural, members }) => ({
      ...{ label, plural },
      members: members.filter((id) => ids.has(id)),
    })),
  }
}
