import type { Lister } from '../../backends.ts'
import { wordnetLister } from '../../sources/wordnet-lister.ts'
import type { StarterParts } from './parts.ts'

/** "kinds of birds", "all vehicles". */
const KINDS = /^(?:all |the |common )*(?:(?:kinds?|types?|sorts?|examples?) of )?(.+)$/

/**
 * LIST: kinds of something out of WordNet; those that the models can tell apart come first.
 */
export function starterLister({ names, wordnet }: StarterParts): Lister {
  const rest = wordnetLister(wordnet)
  return {
    ...rest,
    name: 'starter/wordnet',
    list: async (query, max, options) => {
      const listed = await rest.list(query, max, options)
      const group =
        KINDS.exec(
          query
            .trim()
            .toLowerCase()
            .replace(/[.?!]+$/, ''),
        )?.[1] ?? query
      const known = names.kind(group, await wordnet()).map(({ label }) => label)
      if (known.length === 0) return listed
      const more = listed.known ? listed.text.split('\n') : []
      const text = [...new Set([...known, ...more])].slice(0, max).join('\n')
      return { known: true, text, notices: listed.known ? listed.notices : [] }
    },
  }
}
