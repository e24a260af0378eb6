import { z } from 'zod'
import type { Abortable, Clock } from '../../base/index.ts'
import { httpSource, withQuery } from './http-source.ts'
import type { Fetch } from './http-source.ts'
import { LOCAL_SOURCE } from './provider.ts'
import type { SourceProvider } from './provider.ts'
import { field, plainText, readRows } from './rows.ts'
import { wikimediaClient } from './wikimedia.ts'
import type { WikimediaOptions } from './wikimedia.ts'

/** A picture that words found. */
export interface FoundPicture {
  readonly title: string
  /** Of the file. */
  readonly url: string
  readonly thumbnail?: string
  /** The page about it. */
  readonly page?: string
  readonly width?: number
  readonly height?: number
  readonly licence?: string
  readonly creator?: string
}

/** Finds pictures by words: examples of a concept, or what a thing looks like. */
export interface PictureSource {
  readonly id: string
  readonly licence: string
  probe(): Promise<string | null>
  /** @throws Unavailable `E_TOOL` by what came */
  find(
    words: string,
    options?: Abortable & { readonly limit?: number },
  ): Promise<readonly FoundPicture[]>
}

/** Wikimedia Commons: bitmaps and drawings, each with its licence. */
export function commons(
  options: WikimediaOptions,
  client = wikimediaClient(options),
): PictureSource {
  const base = options.bases?.commons ?? 'https://commons.wikimedia.org'
  const id = 'commons'
  return {
    ...{ id, licence: 'of each picture' },
    probe: async () =>
      options.contact === undefined || options.contact === ''
        ? 'Wikimedia asks for a contact in every request: set "sources.contact" to an address of yours.'
        : null,
    find: async (words, { limit = 10, signal } = {}) => {
      const reply = await client.json(
        withQuery(`${base}/w/api.php`, {
          ...{ action: 'query', format: 'json', generator: 'search', gsrnamespace: 6 },
          ...{ gsrlimit: Math.min(50, limit), gsrsearch: `filetype:bitmap|drawing ${words}` },
          ...{ prop: 'imageinfo', iiprop: 'url|size|mime|extmetadata', iiurlheight: 180 },
        }),
        { signal },
      )
      const pages = Object.values((field(reply, 'query', 'pages') ?? {}) as object) as unknown[]
      const placed = pages.toSorted((a, b) => Number(field(a, 'index')) - Number(field(b, 'index')))
      const { rows } = readRows(id, placed, commonsRow)
      return rows.flatMap(({ title, imageinfo: [info] }) =>
        info === undefined
          ? []
          : [
              {
                ...{
                  title: title.replace(/^File:/, ''),
                  url: info.url,
                  width: info.width,
                  height: info.height,
                },
                page: info.descriptionurl,
                ...(info.thumburl === undefined ? {} : { thumbnail: info.thumburl }),
                ...textOf('licence', field(info.extmetadata, 'LicenseShortName', 'value')),
                ...textOf('creator', field(info.extmetadata, 'Artist', 'value')),
              },
            ],
      )
    },
  }
}

function textOf<K extends string>(name: K, value: unknown): { readonly [key in K]?: string } {
  return typeof value === 'string' ? ({ [name]: plainText(value) } as { [key in K]: string }) : {}
}

const commonsRow = z.object({
  title: z.string(),
  imageinfo: z.array(
    z.object({
      url: z.string(),
      descriptionurl: z.string(),
      thumburl: z.string().optional(),
      width: z.number(),
      height: z.number(),
      extmetadata: z.unknown(),
    }),
  ),
})

const openverseRow = z.object({
  title: z.string().nullish(),
  url: z.string(),
  foreign_landing_url: z.string().nullish(),
  license: z.string().nullish(),
  creator: z.string().nullish(),
  thumbnail: z.string().nullish(),
  width: z.number().nullish(),
  height: z.number().nullish(),
})

/** Openverse without a key: 20 pictures a page, 20 requests a minute. */
export function openverse(options: {
  readonly clock: Clock
  readonly fetch?: Fetch
  readonly url?: string
  readonly contact?: string
}): PictureSource {
  const { clock, fetch, url = 'https://api.openverse.org', contact } = options
  const id = 'openverse'
  const source = httpSource({
    ...{ id, clock, fetch, perMinute: 20 },
    headers: { 'user-agent': `Pupil/0.1 (${contact ?? 'no contact given'})` },
  })
  return {
    ...{ id, licence: 'of each picture' },
    probe: async () => null,
    find: async (words, { limit = 10, signal } = {}) => {
      const query = { q: words, page_size: Math.min(20, limit) }
      const reply = await source.json(withQuery(new URL('/v1/images/', url).href, query), {
        signal,
      })
      const { rows } = readRows(id, field(reply, 'results'), openverseRow)
      return rows.map((row) => ({
        ...{ title: row.title ?? '', url: row.url },
        ...(row.foreign_landing_url ? { page: row.foreign_landing_url } : {}),
        ...(row.license ? { licence: row.license } : {}),
        ...(row.creator ? { creator: row.creator } : {}),
        ...(row.thumbnail ? { thumbnail: row.thumbnail } : {}),
        ...(row.width ? { width: row.width } : {}),
        ...(row.height ? { height: row.height } : {}),
      }))
    },
  }
}

const searxngImage = z.object({
  title: z.string(),
  img_src: z.string(),
  url: z.string().nullish(),
  thumbnail_src: z.string().nullish(),
})

/** Pictures by a SearXNG of one's own. */
export function searxngPictures(options: {
  readonly clock: Clock
  readonly fetch?: Fetch
  readonly url: string
}): PictureSource {
  const id = 'searxng/images'
  const source = httpSource({
    ...{ id, clock: options.clock, fetch: options.fetch, perMinute: 60 },
    statuses: {
      403: {
        reason: 'config',
        cure: 'Enable JSON in its settings.yml: search.formats must list json.',
      },
    },
  })
  return {
    ...{ id, licence: 'not told' },
    probe: async () => null,
    find: async (words, { limit = 10, signal } = {}) => {
      const query = { q: words, format: 'json', categories: 'images' }
      const reply = await source.json(withQuery(new URL('/search', options.url).href, query), {
        signal,
      })
      const { rows } = readRows(id, field(reply, 'results'), searxngImage)
      return rows.slice(0, limit).flatMap((row) => {
        // Some engines leave the scheme out.
        const address = row.img_src.startsWith('//') ? `https:${row.img_src}` : row.img_src
        if (!URL.canParse(address)) return []
        return [
          {
            ...{ title: plainText(row.title), url: address },
            ...(row.url ? { page: row.url } : {}),
            ...(row.thumbnail_src ? { thumbnail: row.thumbnail_src } : {}),
          },
        ]
      })
    },
  }
}

/** Pictures found by words as a search whose titles tell what they show; each with its page and licence. */
export function pictureTitles(source: PictureSource): SourceProvider {
  return {
    ...{ ...LOCAL_SOURCE, id: source.id, tool: 'web_search', licence: source.licence },
    ...{ needsNetwork: true, sends: 'text', timeoutMs: 10_000 },
    probe: () => source.probe(),
    call: async ({ q = '' }, { signal }) => {
      const found = await source.find(q, { limit: 8, ...(signal === undefined ? {} : { signal }) })
      return {
        entries: found.map(({ title, url, page, licence }) => ({
          ...{ kind: 'picture', title, url: page ?? url },
          ...(licence === undefined ? {} : { licence }),
        })),
      }
    },
  }
}
