import type { Box } from './types.ts'

/** Anything with a width and a height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The four half pictures of the language (program-language §9). */
export type Side = 'TOP' | 'BOTTOM' | 'LEFT' | 'RIGHT'

/** A box as other tools write it: corner, width, height. */
export type Xywh = readonly [x: number, y: number, width: number, height: number]

/** A frozen box. */
export function box(x1: number, y1: number, x2: number, y2: number): Box {
  return Object.freeze([x1, y1, x2, y2] as const)
}

/** The box that covers a picture. */
export function wholeBox(size: Size): Box {
  return box(0, 0, size.width, size.height)
}

/** The width, 0 for a box turned inside out. */
export function boxWidth(a: Box): number {
  return Math.max(0, a[2] - a[0])
}

/** The height, 0 for a box turned inside out. */
export function boxHeight(a: Box): number {
  return Math.max(0, a[3] - a[1])
}

/** Half-open area in pixels; 0 when the box holds none. */
export function boxArea(a: Box): number {
  return boxWidth(a) * boxHeight(a)
}

/** The middle of a box, fractional. */
export function boxCentre(a: Box): readonly [x: number, y: number] {
  return [(a[0] + a[2]) / 2, (a[1] + a[3]) / 2]
}

/** What two boxes share, or undefined when they share no pixel. */
export function intersectBoxes(a: Box, b: Box): Box | undefined {
  const shared = box(
    Math.max(a[0], b[0]),
    Math.max(a[1], b[1]),
    Math.min(a[2], b[2]),
    Math.min(a[3], b[3]),
  )
  return shared[2] > shared[0] && shared[3] > shared[1] ? shared : undefined
}

/** The smallest box around all of them; undefined for an empty list. */
export function boundingBox(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  let [x1, y1, x2, y2] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const b of boxes) {
    x1 = Math.min(x1, b[0])
    y1 = Math.min(y1, b[1])
    x2 = Math.max(x2, b[2])
    y2 = Math.max(y2, b[3])
  }
  return box(x1, y1, x2, y2)
}

/**
 * Intersection over union of half-open areas, 0..1; 0 when both are empty.
 *
 * @source program-language §8: the reference code adds 1 to widths, ours does not.
 */
export function iou(a: Box, b: Box): number {
  const w = Math.min(a[2], b[2]) - Math.max(a[0], b[0])
  const h = Math.min(a[3], b[3]) - Math.max(a[1], b[1])
  if (w <= 0 || h <= 0) return 0
  const shared = w * h
  return shared / (boxArea(a) + boxArea(b) - shared)
}

/** The share of `inner` that lies in `outer`, 0..1. */
export function coveredShare(inner: Box, outer: Box): number {
  const area = boxArea(inner)
  const shared = intersectBoxes(inner, outer)
  return area === 0 || shared === undefined ? 0 : boxArea(shared) / area
}

/** The box cut to a picture; undefined when nothing of it lies inside. */
export function clipBox(a: Box, size: Size): Box | undefined {
  return intersectBoxes(a, wholeBox(size))
}

/** The smallest whole-pixel box that covers a fractional one. */
export function roundOutward(a: Box): Box {
  return box(Math.floor(a[0]), Math.floor(a[1]), Math.ceil(a[2]), Math.ceil(a[3]))
}

/**
 * A detector's raw box as the language wants it: rounded outward, then clipped (vector G8).
 *
 * @returns undefined when nothing remains inside the picture
 */
export function pixelBox(raw: Box, size: Size): Box | undefined {
  return raw.every(Number.isFinite) ? clipBox(roundOutward(raw), size) : undefined
}

/** The box scaled about its centre, fractional and unclipped. */
export function scaleAboutCentre(a: Box, factor: number): Box {
  const [cx, cy] = boxCentre(a)
  const w = (boxWidth(a) / 2) * factor
  const h = (boxHeight(a) / 2) * factor
  return box(cx - w, cy - h, cx + w, cy + h)
}

/** The box moved by (dx, dy). */
export function shiftBox(a: Box, dx: number, dy: number): Box {
  return box(a[0] + dx, a[1] + dy, a[2] + dx, a[3] + dy)
}

/** The box with x and y multiplied, fractional. */
export function scaleBox(a: Box, sx: number, sy: number = sx): Box {
  return box(a[0] * sx, a[1] * sy, a[2] * sx, a[3] * sy)
}

/** The box grown by so many pixels on each side, unclipped. */
export function growBox(a: Box, by: number): Box {
  return box(a[0] - by, a[1] - by, a[2] + by, a[3] + by)
}

/** True when the point lies in the half-open box. */
export function inBox(a: Box, x: number, y: number): boolean {
  return x >= a[0] && x < a[2] && y >= a[1] && y < a[3]
}

/** Corner and size, as COCO writes boxes. */
export function toXywh(a: Box): Xywh {
  return [a[0], a[1], a[2] - a[0], a[3] - a[1]]
}

/** From corner and size. */
export function fromXywh([x, y, w, h]: Xywh): Box {
  return box(x, y, x + w, y + h)
}

/** True for `TOP BOTTOM LEFT RIGHT` in capitals. */
export function isSide(word: string): word is Side {
  return word === 'TOP' || word === 'BOTTOM' || word === 'LEFT' || word === 'RIGHT'
}

/** The half picture of a side; both halves own the middle line of an odd size. */
export function halfBox(side: Side, { width, height }: Size): Box {
  switch (side) {
    case 'TOP':
      return box(0, 0, width, Math.ceil(height / 2))
    case 'BOTTOM':
      return box(0, Math.floor(height / 2), width, height)
    case 'LEFT':
      return box(0, 0, Math.ceil(width / 2), height)
    case 'RIGHT':
      return box(Math.floor(width / 2), 0, width, height)
    default:
      return side satisfies never
  }
}

/** Where a picture lies from a box: `CROP_LEFTOF`, `_RIGHTOF`, `_ABOVE`, `_BELOW`. */
export type Beside = 'leftof' | 'rightof' | 'above' | 'below'

/**
 * The part of a picture from the centre of a box to the border (program-language §8).
 *
 * The cutting line is moved so that at least one pixel remains, even in a 1 x 1 picture (G2..G4).
 */
export function besideBox(where: Beside, a: Box, { width, height }: Size): Box {
  const cut = (low: number, high: number, from: number, to: number): number =>
    Math.min(Math.max(Math.floor((low + high) / 2), from), to)
  switch (where) {
    case 'leftof':
      return box(0, 0, cut(a[0], a[2], 1, width), height)
    case 'rightof':
      return box(cut(a[0], a[2], 0, width - 1), 0, width, height)
    case 'above':
      return box(0, 0, width, cut(a[1], a[3], 1, height))
    case 'below':
      return box(0, cut(a[1], a[3], 0, height - 1), width, height)
    default:
      return where satisfies never
  }
}
