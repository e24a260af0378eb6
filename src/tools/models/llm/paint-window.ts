import { Unavailable } from '../../../base/index.ts'
import {
  boxHeight,
  boxWidth,
  createImage,
  editedImage,
  maskBox,
  maskFromBitmap,
  maskToBitmap,
  resizeBytes,
  resizeMask,
} from '../../../image/index.ts'
import type { Box, Image, MaskRle } from '../../../image/index.ts'

/** Side of the square that is sent: what every picture model makes. */
const SENT = 1024
/** How much of its surroundings a model sees: the square's side to the hole's longer one. */
const AROUND = 2
/** A square of the picture has at least this side, as far as the picture goes. */
const LEAST = 256
/** How far from square an answer may be. */
const ODD = 0.02

/** Paints into a square picture. */
export type Paint = (square: Image, mask: MaskRle) => Promise<Image>

/**
 * The picture with what `paint` made of the square around the mask, put back where the square was.
 *
 * Where the square reaches beyond the picture, its border is continued. Pixels outside the mask may have
 * changed: the caller composites.
 *
 * @throws Unavailable `T_BACKEND` when what comes back is no square
 */
export async function paintInWindow(image: Image, mask: MaskRle, paint: Paint): Promise<Image> {
  const tight = maskBox(mask)
  if (tight === undefined) return image
  const window = windowAround(tight, image)
  const side = boxWidth(window)
  const size = { width: side, height: side }
  const pixels = await resizeBytes(cutSquare(image, window), size, 3, { width: SENT, height: SENT })
  const hole = resizeMask(squareMask(mask, window), SENT, SENT)
  const painted = await paint(createImage(pixels, SENT, SENT), hole)
  if (Math.abs(painted.width / painted.height - 1) > ODD) throw notSquare(painted)
  const back = await resizeBytes(painted.data, painted, 3, size)
  return putBack(image, back, window)
}

/** A square of whole pixels around a box, moved into the picture where there is room for it. */
function windowAround(tight: Box, { width, height }: Image): Box {
  const longest = Math.max(boxWidth(tight), boxHeight(tight))
  const wanted = Math.max(LEAST, AROUND * longest)
  const side = Math.ceil(Math.max(longest, Math.min(wanted, Math.max(width, height))))
  const start = (from: number, to: number, room: number): number => {
    const middle = Math.round((from + to - side) / 2)
    if (side >= room) return Math.round((room - side) / 2)
    return Math.max(0, Math.min(room - side, middle))
  }
  const x = start(tight[0], tight[2], width)
  const y = start(tight[1], tight[3], height)
  return [x, y, x + side, y + side]
}

function cutSquare({ data, width, height }: Image, window: Box): Uint8Array {
  const side = boxWidth(window)
  const out = new Uint8Array(side * side * 3)
  const within = (n: number, room: number): number => Math.max(0, Math.min(room - 1, n))
  for (let y = 0, to = 0; y < side; y++) {
    const row = within(y + window[1], height) * width
    for (let x = 0; x < side; x++, to += 3) {
      const from = (row + within(x + window[0], width)) * 3
      out[to] = data[from] as number
      out[to + 1] = data[from + 1] as number
      out[to + 2] = data[from + 2] as number
    }
  }
  return out
}

function squareMask(mask: MaskRle, window: Box): MaskRle {
  const [height, width] = mask.size
  const bits = maskToBitmap(mask)
  const side = boxWidth(window)
  const out = new Uint8Array(side * side)
  forInside(window, { width, height }, (from, to) => (out[to] = bits[from] as number))
  return maskFromBitmap(out, side, side)
}

function putBack(image: Image, square: Uint8Array, window: Box): Image {
  const out = Uint8Array.from(image.data)
  forInside(window, image, (to, from) => out.set(square.subarray(from * 3, from * 3 + 3), to * 3))
  return editedImage(image, out)
}

/** Calls for each pixel of the window that lies in the picture: its place there, and in the square. */
function forInside(
  window: Box,
  { width, height }: { readonly width: number; readonly height: number },
  each: (inPicture: number, inSquare: number) => void,
): void {
  const side = boxWidth(window)
  for (let y = Math.max(0, window[1]); y < Math.min(height, window[3]); y++) {
    for (let x = Math.max(0, window[0]); x < Math.min(width, window[2]); x++) {
      each(y * width + x, (y - window[1]) * side + (x - window[0]))
    }
  }
}

function notSquare({ width, height }: Image): Unavailable {
  return new Unavailable(
    'T_BACKEND',
    `The model made a picture of ${width} x ${height} pixels where ${SENT} x ${SENT} were asked for.`,
    {
      fields: { width, height, wanted: SENT, retry: false },
      cure: 'Use a model that makes square pictures.',
    },
  )
}
