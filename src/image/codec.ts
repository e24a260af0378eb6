import type { Metadata, Sharp } from 'sharp'
import { checkNumber, orAbort, sha256, UserFault } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Size } from './box.ts'
import { originalFrame } from './frame.ts'
import { createImage } from './image.ts'
import { loadSharp, plainBytes } from './native.ts'
import { mimeOf, pictureType } from './picture-type.ts'
import type { PictureType } from './picture-type.ts'
import { rememberSource } from './source.ts'
import type { Box, Image, Notice } from './types.ts'

export interface DecodeOptions extends Abortable {
  /** Longest side of the result in pixels; smaller pictures are left as they are. Default: none. */
  readonly maxSide?: number
  /** Largest file, default 64 MiB. */
  readonly maxBytes?: number
  /** Most pixels of the file, checked on its header before decoding; default 120 million. */
  readonly maxPixels?: number
  /** What the errors call it, default `The picture`. */
  readonly name?: string
}

/** A picture as it came from a file. */
export interface Decoded {
  /** In the original's frame; its `scale` says how far it was reduced. */
  readonly image: Image
  readonly type: PictureType
  /** Size of the file's picture after the EXIF turn. */
  readonly original: Size
  /** Pictures in the file: more than 1 for animations and multi-page files. */
  readonly pages: number
  readonly notices: readonly Notice[]
}

const MAX_BYTES = 64 * 2 ** 20
const MAX_PIXELS = 120e6

/**
 * The first picture of a file as frozen 8-bit sRGB: EXIF turn first, alpha flattened on white, then
 * reduced to `maxSide`.
 *
 * Reads JPEG, PNG, WebP, AVIF, GIF and TIFF, of 8 or 16 bits, grey, indexed or CMYK. The frame is
 * named by the SHA-256 of the file. Animations give notice `N_FIRST_FRAME`.
 *
 * @throws UserFault `E_PICTURE_EMPTY`, `E_PICTURE_TYPE`, `E_PICTURE_TOO_LARGE`, `E_PICTURE_BROKEN`
 *   (also for truncated files)
 */
export async function decodePicture(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Promise<Decoded> {
  const { maxSide, maxBytes = MAX_BYTES, maxPixels = MAX_PIXELS, name = 'The picture' } = options
  if (maxSide !== undefined) checkNumber(maxSide, 'maxSide', { min: 1, integer: true })
  options.signal?.throwIfAborted()
  if (bytes.length > maxBytes) throw tooManyBytes(name, bytes.length, maxBytes)
  const type = await pictureType(bytes, name)
  const sharp = await loadSharp()
  // Reading a header needs no limit of libvips' own; ours is checked before any pixel is decoded.
  const header = sharp(bytes, { failOn: 'error', limitInputPixels: false, pages: 1 })
  const { original, pages } = await readHeader(header, name, maxPixels)
  const size = fitWithin(original, maxSide)
  const { data, info } = await orAbort(
    decodePixels(bytes, { original, size, name, maxPixels }),
    options.signal,
  )
  const file = sha256(bytes)
  const scale = [original.width / info.width, original.height / info.height] as const
  const frame = originalFrame(file.slice(0, 16), info, scale)
  const isReduced = info.width < original.width
  const more = { frame, ...(isReduced ? { file } : {}) }
  const image = createImage(data, info.width, info.height, more)
  if (isReduced) rememberSource(image, { read: async () => bytes, original, type: mimeOf(type) })
  const notices = pages > 1 ? [firstFrame(name, pages)] : []
  return Object.freeze({ image, type, original, pages, notices: Object.freeze(notices) })
}

/**
 * The size that fits within a longest side, in proportion, at least 1 pixel, never enlarged.
 */
export function fitWithin({ width, height }: Size, maxSide = Infinity): Size {
  const factor = Math.min(1, maxSide / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * factor)),
    height: Math.max(1, Math.round(height * factor)),
  }
}

async function readHeader(
  picture: Sharp,
  name: string,
  maxPixels: number,
): Promise<{ original: Size; pages: number }> {
  let header: Metadata
  try {
    header = await picture.metadata()
  } catch (cause) {
    throw broken(name, cause)
  }
  const { width, height } = header.autoOrient
  if (width * height > maxPixels) throw tooManyPixels(name, { width, height }, maxPixels)
  return { original: Object.freeze({ width, height }), pages: header.pages ?? 1 }
}

/** What of a file's picture is wanted. */
interface Wanted {
  readonly original: Size
  /** Whole pixels of the original; default: all of it. */
  readonly part?: Box
  readonly size: Size
  /** What the errors call it. */
  readonly name: string
  readonly maxPixels?: number
}

/** Pixels of a file, or of a part of it, at a size; the header was checked before. */
export async function decodePixels(
  bytes: Uint8Array,
  { original, part, size, name, maxPixels }: Wanted,
): Promise<{ data: Uint8Array; info: Size }> {
  const sharp = await loadSharp()
  const limitInputPixels = maxPixels ?? false
  const turned = sharp(bytes, { failOn: 'error', limitInputPixels, pages: 1 }).autoOrient()
  const [x1, y1, x2, y2] = part ?? [0, 0, original.width, original.height]
  const from = { width: x2 - x1, height: y2 - y1 }
  const cut = part === undefined ? turned : turned.extract({ left: x1, top: y1, ...from })
  const reduced =
    size.width === from.width && size.height === from.height
      ? cut
      : cut.resize(size.width, size.height, { fit: 'fill' })
  try {
    const { data, info } = await reduced
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data: threeChannels(data, info.channels), info }
  } catch (cause) {
    throw broken(name, cause)
  }
}

/** Grey files stay grey in libvips; ours are always RGB. */
function threeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return plainBytes(data)
  const count = data.length / channels
  const out = new Uint8Array(count * 3)
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) out[i * 3 + c] = data[i * channels + (channels > 2 ? c : 0)] ?? 0
  }
  return out
}

function firstFrame(name: string, pages: number): Notice {
  return Object.freeze({
    code: 'N_FIRST_FRAME',
    message: `${name} holds ${pages} pictures; only the first is used.`,
    fields: Object.freeze({ pages }),
  })
}

function tooManyBytes(name: string, bytes: number, limit: number): UserFault {
  const mib = (n: number): string => `${(n / 2 ** 20).toFixed(n < 2 ** 20 ? 3 : 1)} MiB`
  return new UserFault(
    'E_PICTURE_TOO_LARGE',
    `${name} is a file of ${mib(bytes)}; at most ${mib(limit)} are read.`,
    { fields: { name, bytes, limit }, cure: 'Save it smaller, or raise the limit.' },
  )
}

function tooManyPixels(name: string, { width, height }: Size, limit: number): UserFault {
  return new UserFault(
    'E_PICTURE_TOO_LARGE',
    `${name} has ${width} x ${height} pixels; at most ${Math.round(limit / 1e4) / 100} million are read.`,
    { fields: { name, width, height, limit }, cure: 'Save it smaller, or raise the limit.' },
  )
}

function broken(name: string, cause: unknown): UserFault {
  return new UserFault('E_PICTURE_BROKEN', `${name} is damaged or was cut off.`, {
    fields: { name },
    cure: 'Copy or download it again, or save it anew in another program.',
    cause,
  })
}
