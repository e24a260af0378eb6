import { z } from 'zod'
import { httpSource, withQuery } from './http-source.ts'
import type { Fetch } from './http-source.ts'
import { LOCAL_SOURCE } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'
import { field, plainText, readRows } from './rows.ts'
import type { Clock } from '../../base/index.ts'

interface WebOptions {
  readonly clock: Clock
  readonly fetch?: Fetch
  readonly language?: string
}

const REMOTE = { ...LOCAL_SOURCE, needsNetwork: true, sends: 'text', timeoutMs: 10_000 } as const

const searxngRow = z.object({
  title: z.string(),
  url: z.string(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish(),
  score: z.number().nullish(),
})

/** A SearXNG of one's own. @param options.url  such as `http://127.0.0.1:8080` */
export function searxng(
  options: WebOptions & { readonly url: string; readonly id?: string },
): SourceProvider {
  const { url, language, id = 'searxng' } = options
  const source = httpSource({
    ...{ id, clock: options.clock, perMinute: 60, fetch: options.fetch },
    statuses: {
      403: {
        reason: 'config',
        cure: 'Enable JSON in its settings.yml: search.formats must list json.',
      },
    },
  })
  const ask = (q: string, more: Readonly<Record<string, string>>, signal?: AbortSignal) =>
    source.json(withQuery(new URL('/search', url).href, { q, format: 'json', language, ...more }), {
      signal,
    })
  return {
    ...{ ...REMOTE, id, tool: 'web_search', licence: '' },
    call: async ({ q = '' }, { signal }) => {
      const reply = await ask(q, {}, signal)
      const { rows, dropped } = readRows(id, field(reply, 'results'), searxngRow)
      const entries = rows.slice(0, 10).map((row): FoundEntry => ({
        ...{ kind: 'page', title: plainText(row.title), url: row.url },
        ...(row.content ? { snippet: plainText(row.content) } : {}),
        ...(row.publishedDate ? { date: row.publishedDate.slice(0, 10) } : {}),
        ...(row.score ? { score: row.score } : {}),
      }))
      const infobox = firstOf(field(reply, 'infoboxes'))
      const answers = stringsOf(field(reply, 'answers'))
      const failed = stringsOf(field(reply, 'unresponsive_engines'))
      return {
        ...{ entries, dropped },
        ...(infobox === undefined ? {} : { infobox: infoboxOf(infobox) }),
        ...(answers.length === 0 ? {} : { answers }),
        ...(failed.length === 0 ? {} : { failedEngines: failed }),
      }
    },
  }
}

function firstOf(list: unknown): Readonly<Record<string, unknown>> | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  return typeof first === 'object' && first !== null
    ? (first as Record<string, unknown>)
    : undefined
}

function infoboxOf(box: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const attributes = Array.isArray(box['attributes'])
    ? Object.fromEntries(
        box['attributes'].map((one) => [String(field(one, 'label')), String(field(one, 'value'))]),
      )
    : undefined
  return {
    ...(typeof box['infobox'] === 'string' ? { title: box['infobox'] } : {}),
    ...(typeof box['content'] === 'string' ? { content: plainText(box['content']) } : {}),
    ...(attributes === undefined ? {} : { attributes }),
  }
}

/** Texts of a list whose items are texts, lists that start with one, or objects with an `answer`. */
function stringsOf(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const text = Array.isArray(one)
      ? one.join(': ')
      : typeof one === 'string'
        ? one
        : field(one, 'answer')
    return typeof text === 'string' && text !== '' ? [plainText(text)] : []
  })
}

const braveRow = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string().nullish(),
  age: z.string().nullish(),
  page_age: z.string().nullish(),
  extra_snippets: z.array(z.string()).nullish(),
})

/** Brave Search. `mayStore` comes from the plan: false unless the configuration says otherwise. */
export function brave(
  options: WebOptions & {
    readonly key: string
    readonly url?: string
    readonly mayStore?: boolean
    /** USD a request by the plan; left out: not known. */
    readonly price?: number
  },
): SourceProvider {
  const { key, url = 'https://api.search.brave.com', language, mayStore = false } = options
  const id = 'brave'
  const source = httpSource({
    ...{ id, clock: options.clock, perMinute: 60, fetch: options.fetch, secret: key },
    headers: { 'x-subscription-token': key },
    statuses: {
      422: { reason: 'auth', cure: 'Check the key of Brave Search in the configuration.' },
    },
  })
  return {
    ...{ ...REMOTE, id, tool: 'web_search', licence: '', needsKey: true, mayStore },
    price: options.price ?? null,
    call: async ({ q = '' }, { signal }) => {
      const query = { q: q.slice(0, 400), count: 10, extra_snippets: 'true', search_lang: language }
      const reply = await source.json(withQuery(new URL('/res/v1/web/search', url).href, query), {
        signal,
      })
      const list = field(reply, 'web', 'results')
      // No `web` part at all is how nothing found looks.
      const none = list === undefined && field(reply, 'type') === 'search'
      const { rows, dropped } = readRows(id, none ? [] : list, braveRow)
      const entries = rows.map((row): FoundEntry => {
        const snippet = [row.description, ...(row.extra_snippets ?? [])].filter(
          (one) => typeof one === 'string',
        )
        const date = row.page_age ?? undefined
        return {
          ...{ kind: 'page', title: plainText(row.title), url: row.url },
          snippet: snippet.map(plainText).join('\n'),
          ...(date === undefined ? {} : { date: date.slice(0, 10) }),
        }
      })
      return { entries, dropped }
    },
  }
}
