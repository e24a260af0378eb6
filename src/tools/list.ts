import { numberArg, textArg } from './args.ts'
import type { Backends } from './backends.ts'
import { signatureOf } from './signature-of.ts'
import type { Tool } from './tool.ts'
import { noBackend, unavailable } from './unavailable.ts'

/** LIST: names from general knowledge, in the order given (program-language §8). */
export function list(backends: Backends): Tool {
  return {
    signature: signatureOf('LIST'),
    run: async (args, context) => {
      const query = textArg(args, 'query')
      const max = numberArg(args, 'max')
      const would: string[] = []
      for (const lister of backends.listers) {
        const listing = await lister.list(query, max, { signal: context.signal })
        if (!listing.known) {
          would.push(listing.would)
          continue
        }
        const value = parseList(listing.text, max)
        const short = { code: 'N_SHORT_LIST', message: `No name was found for "${query}".` }
        return {
          value,
          notices: value.length === 0 ? [...listing.notices, short] : listing.notices,
          models: lister.models(),
          raw: listing.text,
        }
      }
      throw would.length === 0
        ? noBackend('LIST', 'list names')
        : unavailable(
            'LIST',
            `LIST cannot list "${query}" with what is configured.`,
            would.join(' '),
          )
    },
  }
}

/**
 * The items of a list that a model wrote (vector G15): split at newlines and commas, numbering and
 * bullets removed, repeated ones dropped without regard to letter case, cut at `max`.
 */
export function parseList(text: string, max: number): readonly string[] {
  const seen = new Set<string>()
  const items: string[] = []
  for (const part of text.split(/[\n\r,]/)) {
    const item = part.replace(/^\s*(?:\(?\d+[.):]|[-*•–])\s*/, '').trim()
    const key = item.toLowerCase()
    if (item === '' || seen.has(key)) continue
    seen.add(key)
    items.push(item)
  }
  return items.slice(0, max)
}
