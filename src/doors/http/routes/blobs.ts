import { z } from 'zod'
import { UserFault } from '../../../base/index.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'

const query = z.strictObject({
  side: z.coerce
    .number()
    .int()
    .min(16)
    .max(4096)
    .optional()
    .describe('a smaller picture, so many pixels at its longer side'),
  download: z.string().optional().describe('offer it as a file'),
})

/** Pictures by their address, whole, in part, or small. What lies under an address never changes. */
const get = apiRoute<z.infer<typeof query>>({
  ...{ method: 'get', path: '/v1/blobs/:hash', tag: 'pictures', scope: 'read' },
  about: 'A picture, whole, in part (Range) or small (side).',
  query,
  reply: { about: 'the picture', media: 'image/*' },
  handle: async ({ c, context, query: { side, download }, param }) => {
    const hash = param('hash')
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      throw new UserFault('E_NO_PICTURE', `There is no picture "${hash}" here.`, {
        fields: { hash },
      })
    }
    const etag = `"${hash}${side === undefined ? '' : `-${side}`}"`
    const { bytes, type } = await context.pupil.pictures.file(hash, {
      ...(side === undefined ? {} : { maxSide: side }),
      signal: c.req.raw.signal,
    })
    if (c.req.header('if-none-match') === etag) return c.body(null, 304)
    const headers = {
      etag,
      'content-type': type,
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      ...(download === undefined
        ? {}
        : { 'content-disposition': 'attachment; filename="pupil.png"' }),
    }
    return ranged(bytes, c.req.header('range'), headers)
  },
})

export const BLOB_ROUTES: readonly ApiRoute[] = [get]

/** The bytes, or the one range of them that was asked for. */
export function ranged(
  bytes: Uint8Array,
  range: string | undefined,
  headers: Readonly<Record<string, string>>,
): Response {
  const whole = new Uint8Array(bytes)
  if (range === undefined) {
    return new Response(whole, { headers: { ...headers, 'content-length': String(whole.length) } })
  }
  const span = parseRange(range, whole.length)
  // Several ranges at once are answered with the whole, as the standard allows.
  if (span === 'many') return ranged(bytes, undefined, headers)
  if (span === undefined) {
    return new Response(null, {
      status: 416,
      headers: { 'content-range': `bytes */${whole.length}` },
    })
  }
  const [from, to] = span
  return new Response(whole.subarray(from, to + 1), {
    status: 206,
    headers: {
      ...headers,
      'content-range': `bytes ${from}-${to}/${whole.length}`,
      'content-length': String(to - from + 1),
    },
  })
}

function parseRange(
  text: string,
  size: number,
): readonly [from: number, to: number] | 'many' | undefined {
  if (text.includes(',')) return 'many'
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(text.trim()) ?? []
  if (first === '' && last === '') return undefined
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from <= to && from < size ? [from, to] : undefined
}
