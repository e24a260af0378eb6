import { orAbort, UserFault } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { clipBox } from './box.ts'
import type { Size } from './box.ts'
import { editedImage } from './image.ts'
import { loadSharp, plainBytes } from './native.ts'
import { pictureType } from './picture-type.ts'
import { resizeBytes } from './resize.ts'
import type { Box, Image } from './types.ts'

/** Pixels that may be seen through: [height, width, 4], row-major, colours not multiplied. */
export interface Rgba extends Size {
  readonly data: Uint8Array
}

/**
 * A drawing of ours (an emoji of an installed set) as pixels; never for files that users give.
 *
 * @param side  longest side in pixels
 */
export async function renderSvg(
  svg: string,
  side: number,
  { signal }: Abortable = {},
): Promise<Rgba> {
  const sharp = await loadSharp()
  const source = Buffer.from(svg)
  const { width = side, height = side } = await sharp(source).metadata()
  // 72 dots an inch draw the file's own size: ask for as many as the wanted size needs.
  const density = Math.min(2400, Math.max(1, (72 * side) / Math.max(width, height)))
  const drawn = sharp(source, { density })
    .resize(side, side, { fit: 'inside' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
  const { data, info } = await orAbort(drawn.toBuffer({ resolveWithObject: true }), signal)
  return { data: plainBytes(data), width: info.width, height: info.height }
}

/**
 * A picture file with its transparency kept, for pasting.
 *
 * @throws UserFault as `decodePicture`
 */
export async function decodeRgba(
  bytes: Uint8Array,
  { signal, maxSide = 4096 }: Abortable & { readonly maxSide?: number } = {},
): Promise<Rgba> {
  await pictureType(bytes)
  const sharp = await loadSharp()
  const decoded = sharp(bytes, { failOn: 'error', limitInputPixels: 120e6, pages: 1 })
    .autoOrient()
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
  try {
    const { data, info } = await orAbort(decoded.toBuffer({ resolveWithObject: true }), signal)
    return { data: plainBytes(data), width: info.width, height: info.height }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new UserFault('E_PICTURE_BROKEN', 'The picture is damaged, cut off or too large.', {
      cure: 'Copy or download it again, or save it smaller.',
      cause,
    })
  }
}

/** A frozen picture as RGBA, all of it opaque. */
export function toRgba(image: Pick<Image, 'width' | 'height' | 'data'>): Rgba {
  const count = image.width * image.height
  const data = new Uint8Array(count * 4).fill(255)
  for (let from = 0, to = 0; from < count * 3; from += 3, to += 4) {
    data[to] = image.data[from] as number
    data[to + 1] = image.data[from + 1] as number
    data[to + 2] = image.data[from + 2] as number
  }
  return { data, width: image.width, height: image.height }
}

/**
 * `sticker` stretched into a box of whole pixels and laid over the picture; what sticks out of the
 * picture is cut, everything outside the box is bit-identical.
 */
export async function pasteRgba(
  image: Image,
  sticker: Rgba,
  at: Box,
  options: Abortable = {},
): Promise<Image> {
  const inside = clipBox(at, image)
  if (inside === undefined) return image
  const size = { width: at[2] - at[0], height: at[3] - at[1] }
  const data =
    size.width === sticker.width && size.height === sticker.height
      ? sticker.data
      : await resizeBytes(sticker.data, sticker, 4, size, options)
  const out = Uint8Array.from(image.data)
  for (let y = inside[1]; y < inside[3]; y++) {
    for (let x = inside[0]; x < inside[2]; x++) {
      const from = ((y - at[1]) * size.width + x - at[0]) * 4
      const to = (y * image.width + x) * 3
      const alpha = (data[from + 3] as number) / 255
      for (let c = 0; c < 3; c++) {
        const under = out[to + c] as number
        out[to + c] = Math.round(under + alpha * ((data[from + c] as number) - under))
      }
    }
  }
  return editedImage(image, out)
}
