import type { Abortable } from '../base/index.ts'
import { pixelBox } from './box.ts'
import type { Size } from './box.ts'
import { resizeBytes } from './resize.ts'
import type { Kernel } from './resize.ts'
import type { Box, Image } from './types.ts'

/** Plain RGB pixels without a frame: what a model is fed. [height, width, 3], row-major, 0..255. */
export interface Pixels extends Size {
  readonly data: Uint8Array
}

export interface LetterboxOptions extends Abortable {
  /** Grey of the border, 0..255; default 114. */
  readonly grey?: number
  /** Default `linear`. */
  readonly kernel?: Kernel
  /** Where the picture lies: `centre` (default), or `corner` with the border right and below. */
  readonly place?: 'centre' | 'corner'
  /** Small pictures are enlarged to touch the sides unless false. */
  readonly enlarge?: boolean
}

/** A picture fitted into a rectangle of another shape, and the way back. */
export interface Letterbox extends Pixels {
  /** Model pixels for one picture pixel, along x and y (equal but for rounding). */
  readonly scale: readonly [sx: number, sy: number]
  /** Where the picture's corner lies, in model pixels. */
  readonly offset: readonly [dx: number, dy: number]
}

/** The picture in proportion within `size`, the rest filled with grey. */
export async function letterbox(
  image: Pixels,
  size: Size,
  options: LetterboxOptions = {},
): Promise<Letterbox> {
  const { grey = 114, kernel = 'linear', place = 'centre', enlarge = true, signal } = options
  const fit = Math.min(size.width / image.width, size.height / image.height)
  const factor = enlarge ? fit : Math.min(1, fit)
  const inner = {
    width: Math.max(1, Math.round(image.width * factor)),
    height: Math.max(1, Math.round(image.height * factor)),
  }
  const same = inner.width === image.width && inner.height === image.height
  const pixels = same
    ? image.data
    : await resizeBytes(image.data, image, 3, inner, { kernel, signal })
  const dx = place === 'corner' ? 0 : Math.floor((size.width - inner.width) / 2)
  const dy = place === 'corner' ? 0 : Math.floor((size.height - inner.height) / 2)
  return Object.freeze({
    width: size.width,
    height: size.height,
    data: padded(pixels, inner, size, dx, dy, grey),
    scale: [inner.width / image.width, inner.height / image.height] as const,
    offset: [dx, dy] as const,
  })
}

function padded(
  pixels: Uint8Array,
  inner: Size,
  size: Size,
  dx: number,
  dy: number,
  grey: number,
): Uint8Array {
  const out = new Uint8Array(size.width * size.height * 3).fill(grey)
  const row = inner.width * 3
  for (let y = 0; y < inner.height; y++) {
    out.set(pixels.subarray(y * row, y * row + row), ((y + dy) * size.width + dx) * 3)
  }
  return out
}

/** A point of the model's input in pixels of the picture, fractional. */
export function pointFromLetterbox(
  { scale, offset }: Pick<Letterbox, 'scale' | 'offset'>,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  return [(x - offset[0]) / scale[0], (y - offset[1]) / scale[1]]
}

/** A box of the model's input in pixels of the picture, fractional and unclipped. */
export function boxFromLetterbox(
  fitted: Pick<Letterbox, 'scale' | 'offset'>,
  [x1, y1, x2, y2]: Box,
): Box {
  return Object.freeze([
    ...pointFromLetterbox(fitted, x1, y1),
    ...pointFromLetterbox(fitted, x2, y2),
  ] as const)
}

/** The same, rounded outward and clipped to the picture; undefined when nothing is left. */
export function pixelBoxFromLetterbox(
  fitted: Pick<Letterbox, 'scale' | 'offset'>,
  found: Box,
  image: Pick<Image, 'width' | 'height'>,
): Box | undefined {
  return pixelBox(boxFromLetterbox(fitted, found), image)
}
