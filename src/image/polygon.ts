import { emptyMask, maskFromBitmap, maskToBitmap } from './rle.ts'
import type { Point } from './matrix.ts'
import type { MaskRle } from './types.ts'

/** A closed line; the last point joins the first. In pixels, corners on the pixel grid or between. */
export type Ring = readonly Point[]

/** An outline of a mask: clockwise as seen (y down) around its inside. */
export interface Outline {
  readonly ring: Ring
  /** True for the border of a hole. */
  readonly hole: boolean
}

/**
 * The mask inside rings: a pixel is in when a ring's inside holds its centre (even-odd, so a ring
 * within a ring is a hole).
 */
export function maskFromRings(rings: readonly Ring[], height: number, width: number): MaskRle {
  if (rings.length === 0) return emptyMask(height, width)
  const bits = new Uint8Array(height * width)
  for (let y = 0; y < height; y++) {
    const crossings = rings.flatMap((ring) => crossingsAt(ring, y + 0.5)).sort((a, b) => a - b)
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      // Centres at x + 0.5 within [left, right).
      const from = Math.max(0, Math.ceil((crossings[i] as number) - 0.5))
      const to = Math.min(width, Math.ceil((crossings[i + 1] as number) - 0.5))
      for (let x = from; x < to; x++) bits[y * width + x] = 1
    }
  }
  return maskFromBitmap(bits, height, width)
}

function crossingsAt(ring: Ring, y: number): number[] {
  const found: number[] = []
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = ring[i] as Point
    const [bx, by] = ring[(i + 1) % ring.length] as Point
    if (ay <= y !== by <= y) found.push(ax + ((y - ay) / (by - ay)) * (bx - ax))
  }
  return found
}

/**
 * The mask's outlines along the edges of its pixels: exact, `maskFromRings` gives the mask back.
 *
 * Pixels that touch at a corner only belong to different outlines.
 *
 * @returns largest first; corners only, no points along straight edges
 */
export function maskOutlines(mask: MaskRle): readonly Outline[] {
  const [height, width] = mask.size
  const bits = maskToBitmap(mask)
  const inside = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && bits[y * width + x] === 1
  const seen = new Uint8Array(height * width)
  const outlines: { ring: Ring; hole: boolean; area: number }[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      // Every outline has an upper edge, walked from left to right, that starts it.
      if (!inside(x, y) || inside(x, y - 1) || seen[y * width + x] === 1) continue
      const ring = follow(x, y, inside, (ex, ey) => (seen[ey * width + ex] = 1))
      const area = ringArea(ring)
      outlines.push({ ring, hole: area < 0, area: Math.abs(area) })
    }
  }
  return outlines
    .sort((a, b) => b.area - a.area)
    .map(({ ring, hole }) => Object.freeze({ ring, hole }))
}

/** Right, down, left, up. */
const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const
/** For a heading: the pixel ahead on the right hand and on the left, from the grid point. */
const RIGHT_AHEAD = [
  [0, 0],
  [-1, 0],
  [-1, -1],
  [0, -1],
] as const
const LEFT_AHEAD = [
  [0, -1],
  [0, 0],
  [-1, 0],
  [-1, -1],
] as const

/** Walks with the inside on the right hand, turning right where two pixels touch at a corner. */
function follow(
  startX: number,
  startY: number,
  inside: (x: number, y: number) => boolean,
  seeTop: (x: number, y: number) => void,
): Ring {
  const ring: Point[] = []
  let [x, y, heading] = [startX, startY, 0]
  do {
    if (heading === 0) seeTop(x, y)
    const [dx, dy] = STEPS[heading] as readonly [number, number]
    x += dx
    y += dy
    const [rx, ry] = RIGHT_AHEAD[heading] as readonly [number, number]
    const [lx, ly] = LEFT_AHEAD[heading] as readonly [number, number]
    const right = inside(x + rx, y + ry)
    const left = inside(x + lx, y + ly)
    const turn = !right ? 1 : left ? 3 : 0
    if (turn !== 0) ring.push([x, y])
    heading = (heading + turn) % 4
  } while (x !== startX || y !== startY || heading !== 0)
  return ring
}

/** Signed area in square pixels: positive when the ring runs clockwise as seen (y down). */
export function ringArea(ring: Ring): number {
  let twice = 0
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = ring[i] as Point
    const [bx, by] = ring[(i + 1) % ring.length] as Point
    twice += ax * by - bx * ay
  }
  return twice / 2
}

/**
 * The ring with fewer points, none further than `tolerance` pixels from where it was.
 *
 * @source Douglas and Peucker (1973), on the two halves between the farthest points
 */
export function simplifyRing(ring: Ring, tolerance: number): Ring {
  if (ring.length < 4 || tolerance <= 0) return ring
  const far = farthestFrom(ring, ring[0] as Point)
  const first = reduceLine(ring.slice(0, far + 1), tolerance)
  const second = reduceLine([...ring.slice(far), ring[0] as Point], tolerance)
  const simple = [...first.slice(0, -1), ...second.slice(0, -1)]
  return simple.length < 3 ? ring : simple
}

function farthestFrom(ring: Ring, [x, y]: Point): number {
  let [best, at] = [-1, 0]
  ring.forEach(([px, py], i) => {
    const distance = Math.hypot(px - x, py - y)
    if (distance > best) [best, at] = [distance, i]
  })
  return at
}

/** Iterative, since outlines of photographs are long. */
function reduceLine(line: readonly Point[], tolerance: number): Point[] {
  const keep = new Uint8Array(line.length)
  keep[0] = keep[line.length - 1] = 1
  const open: [from: number, to: number][] = [[0, line.length - 1]]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part
    let [worst, at] = [tolerance, -1]
    for (let i = from + 1; i < to; i++) {
      const off = lineDistance(line[i] as Point, line[from] as Point, line[to] as Point)
      if (off > worst) [worst, at] = [off, i]
    }
    if (at < 0) continue
    keep[at] = 1
    open.push([from, at], [at, to])
  }
  return line.filter((_, i) => keep[i] === 1)
}

function lineDistance([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}
