import type { Abortable } from '../base/index.ts'
import { boxHeight, boxWidth, clipBox, growBox } from './box.ts'
import { fitWithin } from './codec.ts'
import { marksFor } from './draw.ts'
import type { DrawStyle } from './draw.ts'
import { dataUrl, encodeBytes } from './encode.ts'
import { cropImage } from './image.ts'
import type { Pixels } from './letterbox.ts'
import { toFrame } from './objects.ts'
import { paintMarks } from './paint.ts'
import { resizeBytes } from './resize.ts'
import type { Box, Image, ObjectRecord } from './types.ts'

export interface ThumbnailOptions extends Abortable {
  /** Longest side in pixels, default 300; pictures are never enlarged. */
  readonly side?: number
  /** Drawn on it; by default the first red, the others blue and dashed, without labels. */
  readonly objects?: readonly ObjectRecord[]
  readonly style?: DrawStyle
  /** A part of the picture that is shown bright, the rest dark: what a crop took. */
  readonly region?: Box
}

/**
 * A small picture for a page, as a `data:` address (WebP, no metadata).
 *
 * Objects are drawn after reducing, so lines stay sharp: 5 pixels at 1000, scaled, at least 2.
 * @throws UserFault `T_FRAME` when objects belong to another picture
 * @source program-language §10
 */
export async function thumbnail(image: Image, options: ThumbnailOptions = {}): Promise<string> {
  const pixels = await thumbnailPixels(image, options)
  const bytes = await encodeBytes(pixels.data, pixels, 3, 'webp', {
    quality: 82,
    signal: options.signal,
  })
  return dataUrl(bytes, 'webp')
}

/** The thumbnail's pixels, for those who write files of their own. */
export async function thumbnailPixels(
  image: Image,
  options: ThumbnailOptions = {},
): Promise<Pixels> {
  const { side = 300, objects = [], region, signal } = options
  const style = options.style ?? { pens: 'best', labels: 'none' }
  const size = fitWithin(image, side)
  const data =
    size.width === image.width && size.height === image.height
      ? image.data
      : await resizeBytes(image.data, image, 3, size, { signal })
  const scale = [size.width / image.width, size.height / image.height] as const
  const small = region === undefined ? { ...size, data } : dimmed({ ...size, data }, region, scale)
  const here = toFrame(objects, image).objects
  if (here.length === 0) return small
  const line = Math.max(2, (5 * Math.max(size.width, size.height)) / 1000)
  const paint = { line: style.line ?? line, font: style.font ?? Math.max(11, side / 24) }
  return (await paintMarks(small, marksFor(here, style, scale), paint)).pixels
}

/**
 * One object close up, with some of its surroundings: its box green, its mask outlined.
 */
export async function objectThumbnail(
  image: Image,
  object: ObjectRecord,
  options: Omit<ThumbnailOptions, 'objects' | 'region'> = {},
): Promise<string> {
  const [here = object] = toFrame([object], image).objects
  const around = Math.round(0.2 * Math.max(boxWidth(here.box), boxHeight(here.box))) + 4
  const part = cropImage(image, clipBox(growBox(here.box, around), image) ?? here.box)
  const style: DrawStyle = { pens: 'chosen', labels: 'none', ...options.style }
  return thumbnail(part, { ...options, objects: [here], style })
}

/** The picture dark outside the region. */
function dimmed({ width, height, data }: Pixels, region: Box, [sx, sy]: readonly number[]): Pixels {
  const x1 = Math.floor(region[0] * (sx ?? 1))
  const x2 = Math.max(x1 + 1, Math.ceil(region[2] * (sx ?? 1)))
  const y1 = Math.floor(region[1] * (sy ?? 1))
  const y2 = Math.max(y1 + 1, Math.ceil(region[3] * (sy ?? 1)))
  const out = Uint8Array.from(data)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      if (x >= x1 && x < x2 && y >= y1 && y < y2) continue
      for (let c = i; c < i + 3; c++) out[c] = Math.round((data[c] as number) * 0.35)
    }
  }
  return { width, height, data: out }
}
