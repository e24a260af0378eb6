import { boxArea, clipBox, pixelBox } from './box.ts'
import { convertBox, frameFault, sameOriginal } from './frame.ts'
import {
  emptyMask,
  maskArea,
  maskBox,
  maskFromBox,
  placeMask,
  resizeMask,
  unionMasks,
} from './rle.ts'
import type { Box, Frame, Image, MaskRle, Notice, ObjectRecord } from './types.ts'

/** What a tool says about an object it found. */
export interface Found {
  readonly id: string
  /** Raw: may be fractional and stick out. */
  readonly box: Box
  readonly category: string
  readonly label?: string
  readonly score?: number | null
  readonly mask?: MaskRle | null
}

/**
 * A frozen object in the frame of a picture: its box rounded outward and clipped.
 *
 * @returns undefined when no pixel of the box lies inside
 */
export function createObject(found: Found, image: Pick<Image, 'frame'>): ObjectRecord | undefined {
  const inside = pixelBox(found.box, image.frame)
  if (inside === undefined) return undefined
  return Object.freeze({
    type: 'object' as const,
    id: found.id,
    box: inside,
    category: found.category,
    ...(found.label === undefined ? {} : { label: found.label }),
    score: found.score ?? null,
    mask: found.mask ?? null,
    frame: image.frame,
  })
}

/** Objects moved into another frame, and what was lost on the way. */
export interface Moved {
  readonly objects: readonly ObjectRecord[]
  /** Those that lie outside. */
  readonly dropped: readonly ObjectRecord[]
  /** `N_OUT_OF_FRAME`, once, when any was dropped. */
  readonly notices: readonly Notice[]
}

/**
 * The objects in the frame of `image`, boxes and masks shifted and clipped (program-language §9).
 *
 * Those already in that frame are passed on as they are.
 *
 * @throws UserFault `T_FRAME` when an object belongs to another original picture
 */
export function toFrame(objects: readonly ObjectRecord[], image: Pick<Image, 'frame'>): Moved {
  const kept: ObjectRecord[] = []
  const dropped: ObjectRecord[] = []
  for (const one of objects) {
    const moved = moveObject(one, image.frame)
    if (moved === undefined) dropped.push(one)
    else kept.push(moved)
  }
  const notices = dropped.length === 0 ? [] : [outOfFrame(dropped)]
  return Object.freeze({
    objects: Object.freeze(kept),
    dropped: Object.freeze(dropped),
    notices: Object.freeze(notices),
  })
}

function moveObject(one: ObjectRecord, frame: Frame): ObjectRecord | undefined {
  if (one.frame.id === frame.id) return one
  if (!sameOriginal(one.frame, frame)) throw frameFault(one.frame, frame)
  const box = pixelBox(convertBox(one.box, one.frame, frame), frame)
  if (box === undefined) return undefined
  if (one.mask === null) return Object.freeze({ ...one, box, frame })
  const mask = moveMask(one.mask, one.frame, frame)
  const tight = maskBox(mask)
  if (tight === undefined) return undefined
  // A box that was tight around its mask stays so; one that a detector gave is only cut.
  const wasTight = String(maskBox(one.mask)) === String(one.box)
  return Object.freeze({ ...one, box: wasTight ? tight : box, mask, frame })
}

/**
 * A mask of one frame as a mask of another of the same original.
 *
 * @throws UserFault `T_FRAME` when the originals differ
 */
export function moveMask(mask: MaskRle, from: Frame, to: Frame): MaskRle {
  if (from.id === to.id) return mask
  const [x1, y1, x2, y2] = convertBox([0, 0, from.width, from.height], from, to)
  const width = Math.max(1, Math.round(x2 - x1))
  const height = Math.max(1, Math.round(y2 - y1))
  const scaled = resizeMask(mask, width, height)
  return placeMask(scaled, to.width, to.height, Math.round(x1), Math.round(y1))
}

function outOfFrame(dropped: readonly ObjectRecord[]): Notice {
  const names = dropped.map((one) => one.category).join(', ')
  const are = dropped.length === 1 ? 'object lies' : 'objects lie'
  return Object.freeze({
    code: 'N_OUT_OF_FRAME',
    message: `${dropped.length} ${are} outside this picture and left out: ${names}.`,
    fields: Object.freeze({ ids: dropped.map((one) => one.id) }),
  })
}

/** The object's mask, or its filled box where it has none (then the caller tells `N_BOX_AS_MASK`). */
export function maskOrBox(one: ObjectRecord): MaskRle {
  return one.mask ?? maskFromBox(one.box, one.frame.height, one.frame.width)
}

/** The union of the objects' masks (boxes where there is none); empty without objects. */
export function objectsMask(objects: readonly ObjectRecord[], size: Frame | Image): MaskRle {
  return unionMasks(emptyMask(size.height, size.width), ...objects.map(maskOrBox))
}

/** Pixels of the mask, or of the box where there is none. */
export function objectArea(one: ObjectRecord): number {
  return one.mask === null ? boxArea(one.box) : maskArea(one.mask)
}

/** The object with a mask, its box drawn tight around it; undefined when the mask is empty. */
export function withMask(one: ObjectRecord, mask: MaskRle): ObjectRecord | undefined {
  const tight = maskBox(mask)
  const inside = tight === undefined ? undefined : clipBox(tight, one.frame)
  return inside === undefined ? undefined : Object.freeze({ ...one, mask, box: inside })
}
