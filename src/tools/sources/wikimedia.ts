import { z } from 'zod'
import type { Clock } from '../../base/index.ts'
import { httpSource, withQuery } from './http-source.ts'
import type { Fetch, HttpSource } from './http-source.ts'
import { LOCAL_SOURCE } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'
import { field, plainText, readRows } from './rows.ts'

export interface WikimediaOptions {
  readonly clock: Clock
  /** Whom to write to; without one these sources are off (Wikimedia's manners). */
  readonly contact?: string
  readonly fetch?: Fetch
  readonly language?: string
  /** For tests: another address for each wiki. */
  readonly bases?: {
    readonly wikipedia?: string
    readonly wikidata?: string
    readonly commons?: string
  }
}

/** One client for all of Wikimedia: one request at a time, named, at most 60 a minute. */
export function wikimediaClient(options: WikimediaOptions): HttpSource {
  const { contact = '', clock, fetch } = options
  return httpSource({
    ...{ id: 'wikimedia', clock, perMinute: 60, fetch },
    headers: { 'user-agent': `Pupil/0.1 (${contact})`, 'accept-encoding': 'gzip' },
  })
}

const noContact = (contact: string | undefined): string | null =>
  contact === undefined || contact === ''
    ? 'Wikimedia asks for a contact in every request: set "sources.contact" to an address of yours.'
    : null

const KB = {
  ...LOCAL_SOURCE,
  tool: 'kb_lookup',
  needsNetwork: true,
  sends: 'text',
  timeoutMs: 10_000,
} as const

const searchRow = z.object({
  key: z.string(),
  title: z.string(),
  excerpt: z.string().nullish(),
  description: z.string().nullish(),
})

/** Wikipedia: searches, then reads the introductions of what was found. */
export function wikipedia(
  options: WikimediaOptions,
  client = wikimediaClient(options),
): SourceProvider {
  const { language = 'en', contact } = options
  const base = options.bases?.wikipedia ?? `https://${language}.wikipedia.org`
  const id = `wikipedia/${language}`
  return {
    ...{ ...KB, id, licence: 'CC BY-SA 4.0' },
    probe: async () => noContact(contact),
    call: async ({ q = '', subject }, { signal }) => {
      const search = (words: string) =>
        client.json(withQuery(`${base}/w/rest.php/v1/search/page`, { q: words, limit: 4 }), {
          signal,
        })
      const found = readRows(id, field(await search(q), 'pages'), searchRow)
      // A whole question may find nothing where the bare subject does.
      const rows =
        found.rows.length > 0 || subject === undefined
          ? found.rows
          : readRows(id, field(await search(subject), 'pages'), searchRow).rows
      if (rows.length === 0) return { entries: [], dropped: found.dropped }
      const titles = rows.map(({ title }) => title)
      const extracts = await client.json(
        withQuery(`${base}/w/api.php`, {
          ...{ action: 'query', format: 'json', prop: 'extracts|info|pageprops', explaintext: 1 },
          ...{ exlimit: 'max', exintro: 1, titles: titles.join('|'), redirects: 1 },
        }),
        { signal },
      )
      const pages = Object.values((field(extracts, 'query', 'pages') ?? {}) as object)
      const entries = rows.map((row): FoundEntry => {
        const page: unknown = pages.find((one) => field(one, 'title') === row.title)
        const extract = field(page, 'extract')
        const qid = field(page, 'pageprops', 'wikibase_item')
        const revision = field(page, 'lastrevid')
        const text =
          typeof extract === 'string' && extract !== ''
            ? extract.slice(0, 4000)
            : plainText(row.excerpt ?? '')
        return {
          ...{ kind: 'page', title: row.title, text, licence: 'CC BY-SA 4.0' },
          url: `${base}/wiki/${encodeURIComponent(row.key)}`,
          ...(row.description ? { description: row.description } : {}),
          ...(typeof qid === 'string' ? { qid } : {}),
          ...(typeof revision === 'number' ? { revision: String(revision) } : {}),
        }
      })
      return { entries, dropped: found.dropped }
    },
  }
}

const entityRow = z.object({
  id: z.string(),
  label: z.string().nullish(),
  description: z.string().nullish(),
})

/** Wikidata: the best statements of the entities that a subject may mean, as sentences. */
export function wikidata(
  options: WikimediaOptions,
  client = wikimediaClient(options),
): SourceProvider {
  const { language = 'en', contact } = options
  const base = options.bases?.wikidata ?? 'https://www.wikidata.org'
  const id = 'wikidata'
  const api = (query: Readonly<Record<string, string | number>>, signal?: AbortSignal) =>
    client.json(withQuery(`${base}/w/api.php`, { format: 'json', ...query }), { signal })
  return {
    ...{ ...KB, id, licence: 'CC0' },
    probe: async () => noContact(contact),
    call: async ({ q = '', subject }, { signal }) => {
      const search = subject ?? q
      const reply = await api({ action: 'wbsearchentities', search, language, limit: 3 }, signal)
      const { rows, dropped } = readRows(id, field(reply, 'search'), entityRow)
      if (rows.length === 0) return { entries: [], dropped }
      const ids = rows.map((row) => row.id)
      const props = 'labels|descriptions|claims'
      const found = await api(
        { action: 'wbgetentities', ids: ids.join('|'), languages: language, props },
        signal,
      )
      const entities = (field(found, 'entities') ?? {}) as Readonly<Record<string, unknown>>
      const facts = new Map(ids.map((one) => [one, statementsOf(entities[one])]))
      const named = await labelsOf([...facts.values()].flat(), language, api, signal)
      const entries = rows.map((row): FoundEntry => {
        const label = row.label ?? row.id
        const lines = (facts.get(row.id) ?? []).map((one) => factLine(label, one, named))
        const text = [row.description ? `${label}: ${row.description}.` : '', ...lines]
        return {
          ...{
            kind: 'entity',
            title: label,
            qid: row.id,
            licence: 'CC0',
            url: `${base}/wiki/${row.id}`,
          },
          text: text.filter((line) => line !== '').join('\n'),
        }
      })
      return { entries, dropped }
    },
  }
}

interface Statement {
  readonly property: string
  readonly value: string
  /** The value is the id of an entity whose label must be asked for. */
  readonly isEntity: boolean
  readonly unit?: string
  readonly at?: string
}

/** Statements of best rank: the preferred ones of a property, else the normal ones. */
function statementsOf(entity: unknown): readonly Statement[] {
  const claims = (field(entity, 'claims') ?? {}) as Readonly<Record<string, unknown>>
  return Object.entries(claims)
    .flatMap(([property, list]) => {
      const all: readonly unknown[] = Array.isArray(list) ? list : []
      const preferred = all.filter((one) => field(one, 'rank') === 'preferred')
      const normal = all.filter((one) => field(one, 'rank') === 'normal')
      const best = preferred.length > 0 ? preferred : normal
      return best.slice(0, 3).flatMap((one) => statementOf(property, one) ?? [])
    })
    .slice(0, 60)
}

function statementOf(property: string, claim: unknown): Statement | undefined {
  const value = field(claim, 'mainsnak', 'datavalue', 'value')
  const type = field(claim, 'mainsnak', 'datavalue', 'type')
  const at = timeText(
    field(
      (field(claim, 'qualifiers', 'P585') as unknown[] | undefined)?.[0],
      'datavalue',
      'value',
      'time',
    ),
  )
  const common = { property, ...(at === undefined ? {} : { at }) }
  switch (type) {
    case 'wikibase-entityid':
      return { ...common, value: String(field(value, 'id')), isEntity: true }
    case 'quantity': {
      const unit = /(Q\d+)$/.exec(String(field(value, 'unit')))?.[1]
      const amount = String(field(value, 'amount')).replace(/^\+/, '')
      return { ...common, value: amount, isEntity: false, ...(unit === undefined ? {} : { unit }) }
    }
    case 'time': {
      const time = timeText(field(value, 'time'), field(value, 'precision'))
      return time === undefined ? undefined : { ...common, value: time, isEntity: false }
    }
    case 'monolingualtext':
      return { ...common, value: String(field(value, 'text')), isEntity: false }
    default:
      return undefined
  }
}

/** `+1889-03-31T00:00:00Z` as 1889-03-31, or 1889 where the precision says no more. */
function timeText(time: unknown, precision: unknown = 11): string | undefined {
  const [, sign, year, month, day] = /^([+-])0*(\d+)-(\d\d)-(\d\d)/.exec(String(time)) ?? []
  if (year === undefined) return undefined
  const era = sign === '-' ? ' BC' : ''
  if (Number(precision) < 10 || month === '00') return `${year}${era}`
  return `${year}-${month}${Number(precision) >= 11 && day !== '00' ? `-${day}` : ''}${era}`
}

async function labelsOf(
  facts: readonly Statement[],
  language: string,
  api: (query: Readonly<Record<string, string | number>>, signal?: AbortSignal) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const ids = facts.flatMap(({ property, value, isEntity, unit }) => [
    property,
    ...(isEntity ? [value] : []),
    ...(unit === undefined ? [] : [unit]),
  ])
  // One batch of the most that is allowed: what is beyond keeps its id, and is then left out.
  const asked = [...new Set(ids)].slice(0, 50)
  if (asked.length === 0) return new Map()
  const reply = await api(
    { action: 'wbgetentities', ids: asked.join('|'), languages: language, props: 'labels' },
    signal,
  )
  const entities = (field(reply, 'entities') ?? {}) as Readonly<Record<string, unknown>>
  return new Map(
    Object.entries(entities).flatMap(([id, entity]) => {
      const label = field(entity, 'labels', language, 'value')
      return typeof label === 'string' ? [[id, label] as const] : []
    }),
  )
}

function factLine(label: string, fact: Statement, named: ReadonlyMap<string, string>): string {
  const property = named.get(fact.property)
  const value = fact.isEntity ? named.get(fact.value) : fact.value
  if (property === undefined || value === undefined) return ''
  const unit = fact.unit === undefined ? '' : ` ${named.get(fact.unit) ?? ''}`
  const at = fact.at === undefined ? '' : ` (${fact.at})`
  return `${label}, ${property}: ${value}${unit}${at}.`
}
