import type { Clock } from '../../base/index.ts'
import { httpSource, withQuery } from './http-source.ts'
import type { Fetch } from './http-source.ts'
import { LOCAL_SOURCE, sourceFault } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'
import { plainText } from './rows.ts'

export interface KiwixOptions {
  /** Of `kiwix-serve`, such as `http://127.0.0.1:8081`. */
  readonly url: string
  /** The book to search; needed when there are several languages. */
  readonly book?: string
  readonly clock: Clock
  readonly fetch?: Fetch
}

/** An encyclopaedia on one's own machine, served by kiwix-serve. Search answers XML only. */
export function kiwix(options: KiwixOptions): SourceProvider {
  const { url, book, clock, fetch } = options
  const id = book === undefined ? 'kiwix' : `kiwix/${book}`
  const source = httpSource({
    ...{ id, clock, fetch },
    statuses: {
      400: {
        reason: 'config',
        cure: 'Name a book: "pupil doctor" lists those that this server has.',
      },
    },
  })
  return {
    ...{ ...LOCAL_SOURCE, id, tool: 'kb_lookup', licence: 'as the book says', timeoutMs: 10_000 },
    call: async ({ q = '', subject }, { signal }) => {
      const ask = async (pattern: string): Promise<readonly FoundEntry[]> => {
        const query = { pattern, 'books.name': book, pageLength: 8, format: 'xml' }
        return itemsOf(
          id,
          url,
          await source.text(withQuery(new URL('/search', url).href, query), { signal }),
        )
      }
      const found = await ask(q)
      const entries = found.length > 0 || subject === undefined ? found : await ask(subject)
      return { entries }
    },
  }
}

/** Items of an RSS reply; a small reader, since nothing else of XML is ever needed here. */
function itemsOf(id: string, base: string, xml: string): readonly FoundEntry[] {
  if (!/<(?:rss|feed|opensearch)/i.test(xml)) {
    throw sourceFault(id, 'bad-response', 'the reply is not XML of a search', { body: xml })
  }
  return [...xml.matchAll(/<item>([\s\S]*?)<\/item>/g)].flatMap(([, item = '']): FoundEntry[] => {
    const part = (name: string): string =>
      plainText(
        (new RegExp(`<${name}[^>]*>([\\s\\S]*?)</${name}>`).exec(item)?.[1] ?? '').replace(
          /<!\[CDATA\[|\]\]>/g,
          '',
        ),
      )
    const [title, link] = [part('title'), part('link')]
    if (title === '' || link === '' || !URL.canParse(link, base)) return []
    return [{ kind: 'page', title, text: part('description'), url: new URL(link, base).href }]
  })
}
