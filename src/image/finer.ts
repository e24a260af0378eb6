import { orAbort } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { decodePixels, fitWithin } from './codec.ts'
import { partFrame, toOriginal } from './frame.ts'
import { createImage } from './image.ts'
import { sourceOf } from './source.ts'
import type { Image } from './types.ts'

/**
 * The same view with more of the pixels that its file has, for small print and other details.
 *
 * The picture itself when it was not reduced, was edited, or its file was not kept: then there is
 * nothing finer. Otherwise at most `maxSide` pixels long, in a frame of the same original, so that
 * what is found there converts to the picture's own frame.
 *
 * @throws UserFault `E_PICTURE_BROKEN`
 */
export async function finerImage(
  image: Image,
  options: Abortable & { readonly maxSide: number },
): Promise<Image> {
  const source = sourceOf(image)
  if (source === undefined) return image
  const { original, read } = source
  const part = toOriginal([0, 0, image.width, image.height], image.frame, original)
  const [x1, y1, x2, y2] = part
  const size = fitWithin({ width: x2 - x1, height: y2 - y1 }, options.maxSide)
  if (size.width <= image.width || size.height <= image.height) return image
  const wanted = { original, part, size, name: 'The picture' }
  const { data } = await orAbort(
    read().then((bytes) => decodePixels(bytes, wanted)),
    options.signal,
  )
  const frame = partFrame(image.frame, part, size)
  return createImage(data, size.width, size.height, { frame, parent: image.hash })
}
