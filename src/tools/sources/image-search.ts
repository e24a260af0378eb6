import { z } from 'zod'
import type { Clock } from '../../base/index.ts'
import { cropImage, encodePicture } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { httpSource, withQuery } from './http-source.ts'
import type { Fetch } from './http-source.ts'
import { LOCAL_SOURCE, sourceFault } from './provider.ts'
import type { FoundEntry, SourceArgs, SourceProvider } from './provider.ts'
import { field, readRows } from './rows.ts'

const REMOTE = {
  ...LOCAL_SOURCE,
  tool: 'image_search',
  needsNetwork: true,
  needsKey: true,
  sends: 'image',
  timeoutMs: 15_000,
  price: null,
} as const

/** The longest side of what leaves the machine. @source avis §12 */
const LONGEST = 1024

/**
 * What would be sent: the crop, encoded anew (so that nothing of the file's metadata is left), its longest
 * side at most 1,024.
 */
export async function outgoingPicture(args: SourceArgs): Promise<Uint8Array> {
  return encodePicture(regionOf(args), 'jpeg', { quality: 85, maxSide: LONGEST })
}

/** The region of the picture that is asked about. */
export function regionOf({ picture, region }: SourceArgs): Image {
  if (picture === undefined) throw sourceFault('image_search', 'config', 'there is no picture')
  return region === undefined ? picture : cropImage(picture, region)
}

const entityRow = z.object({
  entityId: z.string().nullish(),
  description: z.string(),
  score: z.number().nullish(),
})
const pageRow = z.object({ url: z.string(), pageTitle: z.string() })

/** Google Cloud Vision's web detection. Sends the crop: used only with consent. */
export function cloudVision(options: {
  readonly key: string
  readonly clock: Clock
  readonly fetch?: Fetch
  readonly url?: string
  readonly price?: number
}): SourceProvider {
  const { key, clock, fetch, url = 'https://vision.googleapis.com' } = options
  const id = 'cloud-vision'
  const source = httpSource({
    ...{ id, clock, fetch, perMinute: 60, secret: key },
    headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
    statuses: {
      400: { reason: 'config', cure: 'Check the key and that the Vision API is enabled.' },
    },
  })
  return {
    ...{ ...REMOTE, id, licence: '', price: options.price ?? null, mayStore: false },
    call: async (args, { signal }) => {
      const content = Buffer.from(await outgoingPicture(args)).toString('base64')
      const features = [{ type: 'WEB_DETECTION', maxResults: 10 }]
      const body = JSON.stringify({ requests: [{ image: { content }, features }] })
      const reply = await source.json(new URL('/v1/images:annotate', url).href, {
        method: 'POST',
        body,
        signal,
      })
      const first = (field(reply, 'responses') as readonly unknown[] | undefined)?.[0]
      const failed = field(first, 'error', 'message')
      if (typeof failed === 'string')
        throw sourceFault(id, 'server', 'it could not read the picture', { body: failed })
      const found = field(first, 'webDetection')
      if (found === undefined) throw sourceFault(id, 'bad-response', 'webDetection is missing')
      const entities = readRows(id, field(found, 'webEntities') ?? [], entityRow)
      const pages = readRows(id, field(found, 'pagesWithMatchingImages') ?? [], pageRow)
      const guesses = readRows(
        id,
        field(found, 'bestGuessLabels') ?? [],
        z.object({ label: z.string() }),
      )
      return {
        dropped: entities.dropped + pages.dropped,
        entries: [
          ...guesses.rows.map(({ label }): FoundEntry => ({ kind: 'entity', title: label })),
          ...entities.rows.map(({ description, score, entityId }): FoundEntry => ({
            ...{ kind: 'entity', title: description },
            ...(score ? { score } : {}),
            ...(entityId ? { entity: entityId } : {}),
          })),
          ...pages.rows.map(({ url, pageTitle }): FoundEntry => ({
            ...{ kind: 'page', title: pageTitle.replace(/<[^>]*>/g, ''), url },
          })),
        ],
      }
    },
  }
}

const lensRow = z.object({ title: z.string(), link: z.string(), source: z.string().nullish() })

/**
 * Google Lens by SerpApi. It looks only at pictures that stand at a public address; Pupil never uploads one
 * to make such an address.
 */
export function serpapiLens(options: {
  readonly key: string
  readonly clock: Clock
  /** The public address of a picture (by its hash), if its owner published it. */
  readonly publicUrl: (picture: Image) => string | undefined
  readonly fetch?: Fetch
  readonly url?: string
  readonly price?: number
}): SourceProvider {
  const { key, clock, fetch, publicUrl, url = 'https://serpapi.com' } = options
  const id = 'serpapi-lens'
  const source = httpSource({ ...{ id, clock, fetch, perMinute: 30, secret: key } })
  return {
    ...{
      ...REMOTE,
      id,
      licence: '',
      needsPublicUrl: true,
      price: options.price ?? null,
      mayStore: false,
    },
    call: async (args, { signal }) => {
      const address = args.picture === undefined ? undefined : publicUrl(args.picture)
      if (address === undefined) {
        throw sourceFault(id, 'config', 'the picture stands at no public address', {
          cure: 'Give its address with the picture, or use a service that takes files.',
        })
      }
      const query = { engine: 'google_lens', url: address, api_key: key }
      const reply = await source.json(withQuery(new URL('/search.json', url).href, query), {
        signal,
      })
      const failed = field(reply, 'error')
      if (typeof failed === 'string' && field(reply, 'visual_matches') === undefined) {
        throw sourceFault(id, 'bad-response', 'it gave no matches', {
          body: failed.replaceAll(key, '***'),
        })
      }
      const { rows, dropped } = readRows(id, field(reply, 'visual_matches') ?? [], lensRow)
      const entries = rows.slice(0, 10).map((row): FoundEntry => ({
        ...{ kind: 'page', title: row.title, url: row.link },
        ...(row.source ? { source: row.source } : {}),
      }))
      return { entries, dropped }
    },
  }
}
