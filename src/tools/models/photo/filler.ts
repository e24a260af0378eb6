import { setImmediate as breathe } from 'node:timers/promises'
import {
  boxHeight,
  boxWidth,
  cropImage,
  cropMask,
  emptyMask,
  maskFromRings,
  unionMasks,
  editedImage,
  eraseInside,
  growBox,
  growMask,
  maskBox,
  maskShare,
  maskToBitmap,
  pixelBox,
  reduce,
  resizeBytes,
  resizeMask,
} from '../../../image/index.ts'
import type { Box, Image, MaskRle, Ring } from '../../../image/index.ts'
import type { Random } from '../../../base/index.ts'
import type { Filler } from '../../backends.ts'
import { unavailable } from '../../unavailable.ts'
import type { Eyes } from './eyes.ts'
import { patchFill } from './patch-fill.ts'
import { OBJECT_THRESHOLD } from './things.ts'

/** Up to this share of the picture a hole is smoothed over (photo-starter §7). */
const SMOOTH_UP_TO = 0.002
/** Above this share of the picture too little is left to fill a hole from. */
const MOST = 0.4
/** The edge of what is removed keeps a shade of it. */
const GROW = 3
/** Larger parts are filled at this side, and the filling is enlarged. */
const WORK_SIDE = 640
/** How far around the hole patches are taken from: this times its longer side, and at least so many pixels. */
const AROUND = 0.6
const LEAST_AROUND = 32

/**
 * Removes things: small spots by smoothing (Telea), larger holes with patches from around them. It
 * makes up what may have been behind; it generates nothing.
 */
export function photoFiller(eyes: Eyes): Filler {
  return {
    name: 'photo/patches',
    models: () => [],
    can: ['removes things and fills the place from their surroundings'],
    cannot: [
      'puts something else there by a prompt: a generative image model, served or from the hub',
    ],
    fills: 'removal',
    fill: async (image, mask, { random }, { signal } = {}) => {
      const share = maskShare(mask)
      if (share > MOST) throw tooLarge(share)
      if (share <= SMOOTH_UP_TO) return eraseInside(image, mask, { grow: GROW, signal })
      await breathe()
      signal?.throwIfAborted()
      return (
        (await fillFromAround(image, mask, await barredBoxes(eyes, image, signal), random)) ??
        (await eraseInside(image, mask, { grow: GROW, signal }))
      )
    },
  }
}

/** Works on the hole and what lies around it: what is far away does not belong there. */
async function fillFromAround(
  image: Image,
  mask: MaskRle,
  barred: readonly Box[],
  random: Random,
): Promise<Image | undefined> {
  const tight = maskBox(mask)
  if (tight === undefined) return image
  const around = Math.max(LEAST_AROUND, AROUND * Math.max(boxWidth(tight), boxHeight(tight)))
  const part = pixelBox(growBox(tight, around), image)
  if (part === undefined) return undefined
  const view = cropImage(image, part)
  const small = await reduce(view, WORK_SIDE)
  const fit = (one: MaskRle): MaskRle => resizeMask(cropMask(one, part), small.width, small.height)
  const hole = maskToBitmap(growMask(fit(mask), GROW))
  const { height, width } = image
  const things = barred.map((box) => maskFromRings([ellipse(box)], height, width))
  const bars = maskToBitmap(fit(unionMasks(emptyMask(height, width), ...things)))
  // Where things leave no room to copy from, they are better than nothing.
  const filled =
    patchFill(small.data, { hole, barred: bars }, small, random) ??
    patchFill(small.data, { hole, barred: hole }, small, random)
  if (filled === undefined) return undefined
  const data = small === view ? filled : await resizeBytes(filled, small, 3, view)
  const out = Uint8Array.from(image.data)
  for (let y = 0; y < view.height; y++) {
    const row = data.subarray(y * view.width * 3, (y + 1) * view.width * 3)
    out.set(row, ((y + part[1]) * image.width + part[0]) * 3)
  }
  return editedImage(image, out)
}

/** The ellipse in a box: its corners show what is around the thing. */
function ellipse([x1, y1, x2, y2]: Box): Ring {
  return Array.from({ length: 32 }, (_, i) => {
    const angle = (i / 32) * 2 * Math.PI
    return [
      (x1 + x2) / 2 + ((x2 - x1) / 2) * Math.cos(angle),
      (y1 + y2) / 2 + ((y2 - y1) / 2) * Math.sin(angle),
    ] as const
  })
}

/** Boxes of people and things: a face must not be copied into a wall. */
async function barredBoxes(
  eyes: Eyes,
  image: Image,
  signal: AbortSignal | undefined,
): Promise<readonly Box[]> {
  const found = await eyes.objects(image, { signal })
  return found
    .filter((one) => one.score > OBJECT_THRESHOLD)
    .map((one) => pixelBox(one.box, image))
    .filter((box) => box !== undefined)
}

function tooLarge(share: number): Error {
  return unavailable(
    'REPLACE',
    `What is to be removed takes ${Math.round(share * 100)} % of the picture: too little is left to fill it from.`,
    'Select less, or configure a generative image model.',
    { share },
  )
}
