import { z } from 'zod'
import type { Conversation } from '../agents/index.ts'
import { UserFault } from '../base/index.ts'
import { createImage, decodePicture, encodePicture, isImage } from '../image/index.ts'
import type { Image } from '../image/index.ts'

/** A conversation as a file: self-contained, pictures as PNG in base64 under the hash of their pixels. */
export interface SavedChat {
  readonly kind: 'pupil-conversation'
  readonly version: 1
  readonly conversation: unknown
  readonly pictures: Readonly<Record<string, string>>
}

/** The conversation as plain JSON. */
export async function saveChat(conversation: Conversation): Promise<SavedChat> {
  const found = new Map<string, Image>()
  const packed = pack(conversation, found)
  const entries: [string, string][] = []
  for (const [hash, image] of found) {
    entries.push([hash, Buffer.from(await encodePicture(image, 'png')).toString('base64')])
  }
  const pictures = Object.fromEntries(entries)
  return { kind: 'pupil-conversation', version: 1, conversation: packed, pictures }
}

/** The conversation of a saved file, pixel for pixel. @throws UserFault `E_CONVERSATION` */
export async function reopenChat(saved: unknown): Promise<Conversation> {
  const file = FILE.safeParse(saved)
  if (!file.success) throw notSaved('it is no saved conversation', file.error)
  const pixels = new Map<string, Image>()
  for (const [hash, text] of Object.entries(file.data.pictures)) {
    const { image } = await decodePicture(Buffer.from(text, 'base64'))
    if (image.hash !== hash) throw notSaved(`the picture ${hash.slice(0, 12)} was changed`)
    pixels.set(hash, image)
  }
  const conversation = unpack(file.data.conversation, pixels, new Map())
  const shape = CONVERSATION.safeParse(conversation)
  if (!shape.success) {
    const [issue] = shape.error.issues
    throw notSaved(`${issue?.path.join('.')}: ${issue?.message}`, shape.error)
  }
  return Object.freeze(conversation as Conversation)
}

function notSaved(reason: string, cause?: unknown): UserFault {
  return new UserFault('E_CONVERSATION', `The conversation cannot be reopened: ${reason}.`, {
    fields: { reason },
    cure: 'Give a file that "/save" of "pupil chat" wrote.',
    cause,
  })
}

/** Plain JSON for what JSON lacks: dicts, whole numbers, numbers beyond it, pictures. */
function pack(value: unknown, found: Map<string, Image>): unknown {
  if (typeof value === 'bigint') return { $int: String(value) }
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $number: Object.is(value, -0) ? '-0' : String(value) }
  }
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: unknown) => pack(item, found))
  if (value instanceof Map) {
    return { $dict: [...value].map(([key, item]) => [key, pack(item, found)]) }
  }
  if (isImage(value)) {
    found.set(value.hash, value)
    const { hash, frame, parent, tags } = value
    return { $picture: pack({ hash, frame, parent, tags }, found) }
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, pack(item, found)]],
    ),
  )
}

function unpack(
  value: unknown,
  pixels: ReadonlyMap<string, Image>,
  known: Map<string, Image>,
): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: unknown) => unpack(item, pixels, known))
  const one = value as Readonly<Record<string, unknown>>
  if (typeof one.$int === 'string' && /^-?\d+$/.test(one.$int)) return BigInt(one.$int)
  if (typeof one.$number === 'string') return Number(one.$number)
  if (Array.isArray(one.$dict)) {
    const pairs = one.$dict as readonly (readonly [unknown, unknown])[]
    return new Map(pairs.map(([key, item]) => [String(key), unpack(item, pixels, known)]))
  }
  if (one.$picture !== undefined) {
    // The same value each time, so that a picture is encoded once.
    const key = JSON.stringify(one.$picture)
    const image = known.get(key) ?? picture(unpack(one.$picture, pixels, known), pixels)
    known.set(key, image)
    return image
  }
  return Object.fromEntries(
    Object.entries(one).map(([key, item]) => [key, unpack(item, pixels, known)]),
  )
}

function picture(reference: unknown, pixels: ReadonlyMap<string, Image>): Image {
  const { hash, ...more } = reference as Pick<Image, 'hash' | 'frame' | 'parent' | 'tags'>
  const image = pixels.get(hash)
  if (image === undefined) throw notSaved(`the picture ${String(hash).slice(0, 12)} is missing`)
  return createImage(image.data, image.width, image.height, more)
}

const FILE = z.object({
  kind: z.literal('pupil-conversation'),
  version: z.literal(1),
  conversation: z.unknown(),
  pictures: z.record(z.string(), z.base64()),
})

const texts = z.array(z.string())
const action = z.object({ name: z.string(), params: z.instanceof(Map) })

/** What every turn must have to be gone on with. */
const CONVERSATION = z.object({
  id: z.string(),
  pictures: z.array(
    z.object({
      name: z.string(),
      image: z.custom((value) => typeof value === 'object' && value !== null && isImage(value)),
    }),
  ),
  turns: z.array(
    z.discriminatedUnion('role', [
      z.object({ role: z.literal('user'), text: z.string(), pictures: texts }),
      z.object({
        ...{ role: z.literal('assistant'), thoughts: z.string(), value: z.string() },
        ...{ actions: z.array(action), notes: texts, run: z.string() },
      }),
      z.object({
        ...{ role: z.literal('results'), run: z.string() },
        outcomes: z.array(z.object({ action, made: texts })),
      }),
    ]),
  ),
  state: z.object({}),
  masks: z.array(z.object({ type: z.literal('object') })),
})
