import { maskFromBitmap } from './rle.ts'
import type { Point } from './matrix.ts'
import type { Box, MaskRle } from './types.ts'

/** Pixels that hang together. */
export interface Blob {
  readonly area: number
  readonly box: Box
  /** Corners of its border pixels, enough for its hull. */
  readonly points: readonly Point[]
}

/** A rectangle that may be turned. */
export interface TurnedRect {
  /** Top left, top right, bottom right, bottom left, as it is read. */
  readonly corners: readonly [Point, Point, Point, Point]
  /** Along the upper edge and down the side. */
  readonly width: number
  readonly height: number
}

/**
 * The blobs of a bitmap, pixels joined along edges and corners, in reading order of their first pixel.
 *
 * @param bits  [height, width], row-major; not 0 is in
 * @param options.least  smaller blobs are left out, in pixels; default 1
 */
export function findBlobs(
  bits: ArrayLike<number>,
  width: number,
  height: number,
  { least = 1 }: { readonly least?: number } = {},
): Blob[] {
  const seen = new Uint8Array(width * height)
  const stack: number[] = []
  const blobs: Blob[] = []
  for (let start = 0; start < seen.length; start++) {
    if (!bits[start] || seen[start] === 1) continue
    seen[start] = 1
    stack.push(start)
    const blob = flood(bits, seen, stack, width, height)
    if (blob.area >= least) blobs.push(blob)
  }
  return blobs
}

function flood(
  bits: ArrayLike<number>,
  seen: Uint8Array,
  stack: number[],
  width: number,
  height: number,
): Blob {
  // For each row only its outermost pixels can be corners of the hull.
  const rows = new Map<number, [left: number, right: number]>()
  let area = 0
  let [x1, x2] = [width, 0]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    area++
    const y = Math.floor(at / width)
    const x = at - y * width
    const row = rows.get(y)
    if (row === undefined) rows.set(y, [x, x])
    else if (x < row[0]) row[0] = x
    else if (x > row[1]) row[1] = x
    if (x < x1) x1 = x
    if (x > x2) x2 = x
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
        const next = ny * width + nx
        if (bits[next] && seen[next] === 0) {
          seen[next] = 1
          stack.push(next)
        }
      }
    }
  }
  const ys = [...rows.keys()]
  const points = [...rows].flatMap(([y, [left, right]]): Point[] => [
    [left, y],
    [right + 1, y],
    [left, y + 1],
    [right + 1, y + 1],
  ])
  return { area, box: Object.freeze([x1, Math.min(...ys), x2 + 1, Math.max(...ys) + 1]), points }
}

/** The convex hull, clockwise as seen (y down), without points on its edges. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = []
    for (const p of list) {
      while (chain.length >= 2 && turn(chain.at(-2) as Point, chain.at(-1) as Point, p) <= 0) {
        chain.pop()
      }
      chain.push(p)
    }
    return chain.slice(0, -1)
  }
  const hull = [...half(sorted), ...half(sorted.toReversed())]
  return hull.length === 0 ? sorted.slice(0, 1) : hull
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/**
 * The smallest rectangle around points, turned as it must be; it lies along one edge of their hull.
 *
 * Its upper edge is the one that runs rightwards, at most 45° from level.
 *
 * @returns undefined without points
 */
export function minAreaRect(points: readonly Point[]): TurnedRect | undefined {
  const hull = convexHull(points)
  let best: { area: number; rect: TurnedRect } | undefined
  for (let i = 0; i < hull.length; i++) {
    const [ax, ay] = hull[i] as Point
    const [bx, by] = hull[(i + 1) % hull.length] as Point
    const length = Math.hypot(bx - ax, by - ay)
    const along: Point = length === 0 ? [1, 0] : level([(bx - ax) / length, (by - ay) / length])
    const rect = rectAlong(hull, along)
    const area = rect.width * rect.height
    if (best === undefined || area < best.area - 1e-9) best = { area, rect }
  }
  return best?.rect
}

/** The direction turned by quarter turns until it runs right, at most 45° from level. */
function level([x, y]: Point): Point {
  if (Math.abs(y) > Math.abs(x)) return level([y, -x])
  return x < 0 ? [-x, -y] : [x, y]
}

function rectAlong(points: readonly Point[], [ux, uy]: Point): TurnedRect {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const [x, y] of points) {
    const along = x * ux + y * uy
    const down = y * ux - x * uy
    left = Math.min(left, along)
    right = Math.max(right, along)
    top = Math.min(top, down)
    bottom = Math.max(bottom, down)
  }
  const corner = (along: number, down: number): Point => [
    along * ux - down * uy,
    along * uy + down * ux,
  ]
  return Object.freeze({
    corners: [
      corner(left, top),
      corner(right, top),
      corner(right, bottom),
      corner(left, bottom),
    ] as const,
    width: right - left,
    height: bottom - top,
  })
}

/** The rectangle grown by so many pixels on each side. */
export function growRect({ corners, width, height }: TurnedRect, by: number): TurnedRect {
  const [tl, tr, , bl] = corners
  const unit = (a: Point, b: Point, length: number, other: Point): Point =>
    length > 0 ? [(b[0] - a[0]) / length, (b[1] - a[1]) / length] : other
  const u = unit(tl, tr, width, [1, 0])
  const v = unit(tl, bl, height, [-u[1], u[0]])
  const move = ([x, y]: Point, a: number, b: number): Point => [
    x + by * (a * u[0] + b * v[0]),
    y + by * (a * u[1] + b * v[1]),
  ]
  return Object.freeze({
    corners: [
      move(corners[0], -1, -1),
      move(corners[1], 1, -1),
      move(corners[2], 1, 1),
      move(corners[3], -1, 1),
    ] as const,
    width: width + 2 * by,
    height: height + 2 * by,
  })
}

/**
 * A bitmap's largest blob, or all that are at least `share` of it.
 *
 * @param options.keep  indices of pixels whose blobs stay whatever their size
 */
export function largestBlobs(
  bits: Uint8Array,
  width: number,
  height: number,
  { share = 1, keep = [] }: { readonly share?: number; readonly keep?: readonly number[] } = {},
): MaskRle {
  const labels = labelBlobs(bits, width, height)
  const areas = new Map<number, number>()
  for (const label of labels) if (label > 0) areas.set(label, (areas.get(label) ?? 0) + 1)
  const least = Math.max(0, ...areas.values()) * share
  const kept = new Set([...areas].filter(([, area]) => area >= least).map(([label]) => label))
  for (const i of keep) if ((labels[i] ?? 0) > 0) kept.add(labels[i] as number)
  const out = Uint8Array.from(labels, (label) => (kept.has(label) ? 1 : 0))
  return maskFromBitmap(out, height, width)
}

/**
 * Fills, in place, the holes of a bitmap that are smaller than `share` of what is set.
 *
 * What touches the border is no hole.
 */
export function fillHoles(
  bits: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  share: number,
): void {
  const labels = labelBlobs(
    bits.map((bit) => 1 - bit),
    width,
    height,
  )
  const areas = new Map<number, number>()
  const open = new Set<number>()
  let inside = 0
  labels.forEach((label, i) => {
    if (label === 0) inside++
    else areas.set(label, (areas.get(label) ?? 0) + 1)
    const x = i % width
    if (x === 0 || x === width - 1 || i < width || i >= labels.length - width) open.add(label)
  })
  labels.forEach((label, i) => {
    const small = (areas.get(label) ?? 0) < share * inside
    if (label > 0 && small && !open.has(label)) bits[i] = 1
  })
}

/** For each pixel the number of its blob from 1 (joined along edges only), 0 outside. */
export function labelBlobs(bits: Uint8Array, width: number, height: number): Int32Array {
  const labels = new Int32Array(width * height)
  const stack: number[] = []
  let next = 0
  for (let start = 0; start < labels.length; start++) {
    if (bits[start] === 0 || labels[start] !== 0) continue
    labels[start] = ++next
    stack.push(start)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width
      for (const to of [
        x > 0 ? at - 1 : -1,
        x < width - 1 ? at + 1 : -1,
        at - width,
        at + width < labels.length ? at + width : -1,
      ]) {
        if (to >= 0 && bits[to] === 1 && labels[to] === 0) {
          labels[to] = next
          stack.push(to)
        }
      }
    }
  }
  return labels
}
