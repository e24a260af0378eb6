import { checkNumber } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import { clipBox, growBox } from './box.ts'
import { growMask } from './distance.ts'
import { cropBytes, editedImage } from './image.ts'
import { withOpenCv } from './opencv.ts'
import { cropMask, eachRun, maskArea, maskBox, maskToBitmap } from './rle.ts'
import type { Image, MaskRle } from './types.ts'

export interface EraseOptions extends Abortable {
  /** How far around a pixel colours are gathered, default 5. */
  readonly radius?: number
  /** The hole is grown by so many pixels first, since edges keep a shade of what is erased; default 3. */
  readonly grow?: number
}

/**
 * The picture with a hole filled from its border inwards; outside the (grown) hole bit-identical.
 *
 * A smooth blur: right for small spots on plain ground. On textured ground, or for holes above about
 * 2 % of the picture (`maskShare`), it shows.
 *
 * @returns the same picture for an empty mask
 * @source Telea (2004), as OpenCV has it; photo-starter §7
 */
export async function eraseInside(
  image: Image,
  mask: MaskRle,
  options: EraseOptions = {},
): Promise<Image> {
  const { radius = 5, grow = 3, signal } = options
  checkNumber(radius, 'radius', { min: 1, max: 100 })
  signal?.throwIfAborted()
  const hole = growMask(mask, grow)
  const tight = maskBox(hole)
  const part = tight === undefined ? undefined : clipBox(growBox(tight, 4 * radius + 8), image)
  if (part === undefined) return image
  const inner = cropMask(hole, part)
  const filled = await inpaint(cropBytes(image.data, image.width, part, 3), inner, radius)
  signal?.throwIfAborted()
  const out = Uint8Array.from(image.data)
  const width = inner.size[1]
  eachRun(inner, (x, y1, y2) => {
    for (let y = y1; y < y2; y++) {
      const from = (y * width + x) * 3
      const to = ((y + part[1]) * image.width + x + part[0]) * 3
      for (let c = 0; c < 3; c++) out[to + c] = filled[from + c] as number
    }
  })
  return editedImage(image, out)
}

/** How much of its picture a mask takes, 0..1. */
export function maskShare(mask: MaskRle): number {
  return maskArea(mask) / (mask.size[0] * mask.size[1])
}

async function inpaint(pixels: Uint8Array, hole: MaskRle, radius: number): Promise<Uint8Array> {
  return withOpenCv(async ({ cv }, own) => {
    const [height, width] = hole.size
    const bits = maskToBitmap(hole).map((bit) => bit * 255)
    const picture = own(cv.matFromArray(height, width, cv.CV_8UC3, pixels as unknown as number[]))
    const mask = own(cv.matFromArray(height, width, cv.CV_8UC1, bits as unknown as number[]))
    const filled = own(new cv.Mat())
    cv.inpaint(picture, mask, filled, radius, cv.INPAINT_TELEA)
    return Uint8Array.from(filled.data as Uint8Array)
  })
}
