import type { Lexicon } from '../lexicon.ts'
import { PROPERTIES } from '../properties.ts'
import { kindsOf, partsOf, sharedKinds } from './knowledge.ts'

/** The items that the reference programs ask LIST for; nothing for any other query. */
export function listFromTruth(lexicon: Lexicon, query: string): readonly string[] | undefined {
  const labels = (ids: Iterable<string>): string[] =>
    [...ids].map((id) => lexicon.concept(id).label)
  const kind = /^(?:kinds|types|sorts) of (.+)$/.exec(query)?.[1]
  if (kind !== undefined) {
    const group = lexicon.classNamed(kind)
    return group && labels(group.members)
  }
  const wider = /^wider words for (.+)$/.exec(query)?.[1]
  if (wider !== undefined) return widerWords(lexicon, wider.split(', '))
  // "things with a mane" and "what has a mane" ask the same, as they do of WordNet.
  const part = /^(?:things|what) (?:with|has|comes with) (?:an? )?(.+)$/.exec(query)?.[1]
  const holders = partsOf(lexicon).find(({ value }) => value === part)?.holders
  if (holders !== undefined) return labels(holders)
  const says = part === undefined ? /^(?:things that|what) (.+)$/.exec(query)?.[1] : `has ${part}`
  const row = PROPERTIES.find((one) => one.says === says)
  return row && labels(Object.keys(row.truths))
}

function widerWords(lexicon: Lexicon, names: readonly string[]): readonly string[] | undefined {
  const [a, b] = names.map((name) => lexicon.named(name)?.id)
  if (a === undefined || (names.length > 1 && b === undefined)) return undefined
  const kinds = b === undefined ? kindsOf(lexicon, a) : sharedKinds(lexicon, a, b)
  return kinds.map(({ words }) => words[0] ?? '')
}
