import { checkNumber, orAbort } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Size } from './box.ts'
import { fitWithin } from './codec.ts'
import { resizedFrame } from './frame.ts'
import { createImage } from './image.ts'
import { loadSharp, plainBytes } from './native.ts'
import type { Image } from './types.ts'

/** How pixels are weighed: `linear` for model inputs, `lanczos3` for looking at. */
export type Kernel = 'nearest' | 'linear' | 'cubic' | 'lanczos3'

export interface ResizeOptions extends Abortable {
  readonly kernel?: Kernel
}

/**
 * The picture at another size (proportions are not kept), in a frame whose scale follows.
 *
 * Shrinking averages all source pixels, whatever the kernel but `nearest`.
 */
export async function resizeImage(
  image: Image,
  size: Size,
  options: ResizeOptions = {},
): Promise<Image> {
  checkNumber(size.width, 'width', { min: 1, integer: true })
  checkNumber(size.height, 'height', { min: 1, integer: true })
  if (size.width === image.width && size.height === image.height) return image
  const data = await resizeBytes(image.data, image, 3, size, options)
  const frame = resizedFrame(image.frame, size)
  return createImage(data, size.width, size.height, { frame, parent: image.hash })
}

/** The picture reduced to a longest side, in proportion; the same picture when it is small enough. */
export async function reduce(
  image: Image,
  maxSide: number,
  options: ResizeOptions = {},
): Promise<Image> {
  checkNumber(maxSide, 'maxSide', { min: 1 })
  return resizeImage(image, fitWithin(image, maxSide), options)
}

/** Raw pixels of 1, 3 or 4 channels at another size. */
export async function resizeBytes(
  data: Uint8Array,
  { width, height }: Size,
  channels: 1 | 3 | 4,
  size: Size,
  { kernel = 'lanczos3', signal }: ResizeOptions = {},
): Promise<Uint8Array> {
  const sharp = await loadSharp()
  const picture = sharp(data, { raw: { width, height, channels } })
    .resize(size.width, size.height, { fit: 'fill', kernel, fastShrinkOnLoad: false })
    .raw()
  const pixels = channels === 1 ? picture.toColourspace('b-w') : picture
  return plainBytes(await orAbort(pixels.toBuffer(), signal))
}
