import { UserFault } from '../base/index.ts'
import { box, pixelBox, scaleBox, shiftBox } from './box.ts'
import type { Size } from './box.ts'
import type { Box, Frame } from './types.ts'

/**
 * The frame of a whole picture.
 *
 * @param id  the original's name, usually its hash
 * @param scale  pixels of the original file for one pixel of this frame; 1 when nothing was reduced
 */
export function originalFrame(
  id: string,
  { width, height }: Size,
  scale: readonly [sx: number, sy: number] = [1, 1],
): Frame {
  const frozen = Object.freeze([scale[0], scale[1]] as const)
  return Object.freeze({ id, original: id, x: 0, y: 0, width, height, scale: frozen })
}

/** The frame of a part of `frame`. The same part has the same id, so runs repeat exactly. */
export function croppedFrame(frame: Frame, part: Box): Frame {
  if (part[0] === 0 && part[1] === 0 && part[2] === frame.width && part[3] === frame.height) {
    return frame
  }
  const x = frame.x + part[0]
  const y = frame.y + part[1]
  return derived(frame, { x, y, width: part[2] - part[0], height: part[3] - part[1] }, frame.scale)
}

/** The frame of `frame` resampled to another size; offset and scale follow. */
export function resizedFrame(frame: Frame, { width, height }: Size): Frame {
  if (width === frame.width && height === frame.height) return frame
  const zx = width / frame.width
  const zy = height / frame.height
  const place = { x: frame.x * zx, y: frame.y * zy, width, height }
  return derived(frame, place, [frame.scale[0] / zx, frame.scale[1] / zy])
}

/**
 * The frame of a part of the original file, seen at another size.
 *
 * @param part  whole pixels of the original file
 */
export function partFrame(frame: Frame, part: Box, { width, height }: Size): Frame {
  const scale = [(part[2] - part[0]) / width, (part[3] - part[1]) / height] as const
  return derived(frame, { x: part[0] / scale[0], y: part[1] / scale[1], width, height }, scale)
}

function derived(
  from: Frame,
  place: Pick<Frame, 'x' | 'y' | 'width' | 'height'>,
  scale: readonly [number, number],
): Frame {
  const numbers = [place.x, place.y, place.width, place.height, ...scale].map(short)
  const id = `${from.original}@${numbers.slice(0, 4).join(',')}*${numbers.slice(4).join(',')}`
  const frozen = Object.freeze([scale[0], scale[1]] as const)
  return Object.freeze({ id, original: from.original, ...place, scale: frozen })
}

const short = (n: number): number => Number(n.toPrecision(9))

/** True when boxes of one frame mean something in the other. */
export function sameOriginal(a: Frame, b: Frame): boolean {
  return a.original === b.original
}

/**
 * A box of `from` in the pixels of `to`, fractional and unclipped.
 *
 * @throws UserFault `T_FRAME` when the frames belong to different pictures
 */
export function convertBox(a: Box, from: Frame, to: Frame): Box {
  if (from.id === to.id) return a
  if (!sameOriginal(from, to)) throw frameFault(from, to)
  const zx = from.scale[0] / to.scale[0]
  const zy = from.scale[1] / to.scale[1]
  const moved = scaleBox(shiftBox(a, from.x, from.y), zx, zy)
  return cleaned(shiftBox(moved, -to.x, -to.y))
}

/** Whole numbers that floating point missed by a hair, so that rounding outward adds no pixel. */
function cleaned(a: Box): Box {
  const clean = (n: number): number => (Math.abs(n - Math.round(n)) < 1e-6 ? Math.round(n) : n)
  return box(clean(a[0]), clean(a[1]), clean(a[2]), clean(a[3]))
}

/**
 * A box of any frame in whole pixels of the original file, for what leaves the house.
 *
 * Rounded outward; clipped to the original when `size` is given.
 */
export function toOriginal(a: Box, frame: Frame, size?: Size): Box {
  const shifted = shiftBox(a, frame.x, frame.y)
  const raw = cleaned(scaleBox(shifted, frame.scale[0], frame.scale[1]))
  const limit = size ?? { width: Infinity, height: Infinity }
  return pixelBox(raw, limit) ?? box(0, 0, 1, 1)
}

/**
 * A box in pixels of the original file as whole pixels of `frame`, e.g. what a person drew.
 *
 * @returns undefined when it lies outside
 */
export function fromOriginal(a: Box, frame: Frame): Box | undefined {
  const scaled = scaleBox(a, 1 / frame.scale[0], 1 / frame.scale[1])
  return pixelBox(cleaned(shiftBox(scaled, -frame.x, -frame.y)), frame)
}

/** The error for objects used with a picture that they were not found in. */
export function frameFault(from: Frame, to: Frame): UserFault {
  return new UserFault('T_FRAME', 'The objects were found in another picture than this one.', {
    fields: { objects: from.original, picture: to.original },
    cure: 'Use them with the picture they were found in, or look for them in this one.',
  })
}
