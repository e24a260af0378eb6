import { orAbort } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Size } from './box.ts'
import { fitWithin } from './codec.ts'
import { loadSharp, plainBytes } from './native.ts'
import type { Image } from './types.ts'

/** The kinds of file that are written. */
export type WrittenType = 'png' | 'jpeg' | 'webp'

export interface EncodeOptions extends Abortable {
  /** 1..100 for JPEG and WebP, default 90. */
  readonly quality?: number
  /** Reduced to this longest side first; never enlarged. */
  readonly maxSide?: number
}

/** The picture as a file without any metadata. */
export async function encodePicture(
  image: Image,
  type: WrittenType,
  options: EncodeOptions = {},
): Promise<Uint8Array> {
  return encodeBytes(image.data, image, 3, type, options)
}

/** Raw pixels as a file: 3 channels RGB or 4 channels RGBA. */
export async function encodeBytes(
  data: Uint8Array,
  { width, height }: Size,
  channels: 3 | 4,
  type: WrittenType,
  { signal, quality = 90, maxSide }: EncodeOptions = {},
): Promise<Uint8Array> {
  const sharp = await loadSharp()
  let picture = sharp(data, { raw: { width, height, channels } })
  const size = fitWithin({ width, height }, maxSide)
  if (size.width !== width || size.height !== height) {
    picture = picture.resize(size.width, size.height, { fit: 'fill' })
  }
  switch (type) {
    case 'png':
      picture = picture.png({ compressionLevel: 6 })
      break
    case 'jpeg':
      picture = picture.jpeg({ quality, chromaSubsampling: '4:4:4' })
      break
    case 'webp':
      picture = picture.webp({ quality, effort: 2 })
      break
    default:
      return type satisfies never
  }
  return plainBytes(await orAbort(picture.toBuffer(), signal))
}

/** The kind of file that a name asks for by its ending; undefined for any other. */
export function writtenType(name: string): WrittenType | undefined {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'jpg' || ending === 'jpeg') return 'jpeg'
  return ending === 'png' || ending === 'webp' ? ending : undefined
}

/** Bytes as a `data:` address, for pages and messages that must stand alone. */
export function dataUrl(bytes: Uint8Array, type: WrittenType): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
}
