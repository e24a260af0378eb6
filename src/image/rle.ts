import { expected, UserFault } from '../base/index.ts'
import { box } from './box.ts'
import type { Box, MaskRle } from './types.ts'

/**
 * A mask from its run lengths.
 *
 * @param counts  column-major; the first run counts zeros and may be 0; they add up to the size
 * @throws UserFault `E_MASK` when they do not
 */
export function createMask(height: number, width: number, counts: ArrayLike<number>): MaskRle {
  let total = 0
  for (let i = 0; i < counts.length; i++) {
    const run = counts[i] ?? 0
    if (!Number.isInteger(run) || run < 0) throw expected('whole run lengths', 'counts', run)
    total += run
  }
  if (total !== height * width) {
    throw new UserFault(
      'E_MASK',
      `The runs of a mask of ${width} x ${height} add up to ${total}.`,
      {
        fields: { width, height, total },
        cure: `They must add up to ${width * height}, columns first.`,
      },
    )
  }
  return freezeMask(height, width, Array.from(counts))
}

function freezeMask(height: number, width: number, counts: number[]): MaskRle {
  return Object.freeze({
    size: Object.freeze([height, width] as const),
    counts: Object.freeze(counts),
  })
}

/** A mask without any pixel. */
export function emptyMask(height: number, width: number): MaskRle {
  return freezeMask(height, width, [height * width])
}

/** The filled box, clipped to the mask. */
export function maskFromBox(a: Box, height: number, width: number): MaskRle {
  const x1 = Math.min(Math.max(a[0], 0), width)
  const x2 = Math.min(Math.max(a[2], x1), width)
  const y1 = Math.min(Math.max(a[1], 0), height)
  const y2 = Math.min(Math.max(a[3], y1), height)
  const runs = new Runs()
  for (let x = x1; x < x2; x++) runs.add(x * height + y1, x * height + y2)
  return runs.mask(height, width)
}

/**
 * A mask from a bitmap.
 *
 * @param bitmap  [height, width], row-major; a pixel is in when its value is above `over`
 */
export function maskFromBitmap(
  bitmap: ArrayLike<number>,
  height: number,
  width: number,
  over = 0,
): MaskRle {
  if (bitmap.length !== height * width) {
    throw expected(`${height * width} values`, 'bitmap', bitmap.length)
  }
  const counts: number[] = []
  let last = false
  let run = 0
  for (let x = 0; x < width; x++) {
    for (let y = 0, i = x; y < height; y++, i += width) {
      const inside = (bitmap[i] as number) > over
      if (inside !== last) {
        counts.push(run)
        run = 0
        last = inside
      }
      run++
    }
  }
  counts.push(run)
  return freezeMask(height, width, counts)
}

/** The mask as 0 and 1, [height, width], row-major. */
export function maskToBitmap(mask: MaskRle): Uint8Array {
  const [height, width] = mask.size
  const out = new Uint8Array(height * width)
  eachRun(mask, (x, y1, y2) => {
    for (let y = y1, i = y1 * width + x; y < y2; y++, i += width) out[i] = 1
  })
  return out
}

/** Calls `visit` for each vertical run inside the mask, split at columns: x, y1 ≤ y < y2. */
export function eachRun(mask: MaskRle, visit: (x: number, y1: number, y2: number) => void): void {
  const height = mask.size[0]
  let at = 0
  for (let i = 0; i < mask.counts.length; i++) {
    const end = at + (mask.counts[i] ?? 0)
    if (i % 2 === 1) {
      while (at < end) {
        const x = Math.floor(at / height)
        const stop = Math.min(end, (x + 1) * height)
        visit(x, at - x * height, stop - x * height)
        at = stop
      }
    }
    at = end
  }
}

/** Pixels inside. */
export function maskArea(mask: MaskRle): number {
  let area = 0
  for (let i = 1; i < mask.counts.length; i += 2) area += mask.counts[i] ?? 0
  return area
}

/** The smallest box around the mask's pixels; undefined for an empty mask. */
export function maskBox(mask: MaskRle): Box | undefined {
  let [x1, y1, x2, y2] = [Infinity, Infinity, -1, -1]
  eachRun(mask, (x, from, to) => {
    if (x < x1) x1 = x
    if (x > x2) x2 = x
    if (from < y1) y1 = from
    if (to > y2) y2 = to
  })
  return x2 < 0 ? undefined : box(x1, y1, x2 + 1, y2)
}

/** True when the pixel is inside. */
export function inMask(mask: MaskRle, x: number, y: number): boolean {
  const [height, width] = mask.size
  if (x < 0 || y < 0 || x >= width || y >= height) return false
  const place = Math.floor(x) * height + Math.floor(y)
  let at = 0
  for (let i = 0; i < mask.counts.length; i++) {
    at += mask.counts[i] ?? 0
    if (place < at) return i % 2 === 1
  }
  return false
}

/** What lies in any of the masks. All have the same size. */
export function unionMasks(first: MaskRle, ...rest: readonly MaskRle[]): MaskRle {
  return rest.reduce((all, one) => mergeMasks(all, one, (a, b) => a || b), first)
}

/** What lies in all of the masks. */
export function intersectMasks(first: MaskRle, ...rest: readonly MaskRle[]): MaskRle {
  return rest.reduce((all, one) => mergeMasks(all, one, (a, b) => a && b), first)
}

/** What lies in the first mask and not in the second. */
export function subtractMask(from: MaskRle, what: MaskRle): MaskRle {
  return mergeMasks(from, what, (a, b) => a && !b)
}

/** What lies outside. */
export function invertMask(mask: MaskRle): MaskRle {
  const [first = 0, ...rest] = mask.counts
  const counts = first === 0 ? rest : [0, first, ...rest]
  return freezeMask(mask.size[0], mask.size[1], counts.length === 0 ? [0] : [...counts])
}

/** Intersection over union of two masks of one size, 0..1. */
export function maskIou(a: MaskRle, b: MaskRle): number {
  const shared = maskArea(intersectMasks(a, b))
  const all = maskArea(a) + maskArea(b) - shared
  return all === 0 ? 0 : shared / all
}

/** Walks both lists of runs at once: the cost is the number of runs, not of pixels. */
function mergeMasks(
  a: MaskRle,
  b: MaskRle,
  keep: (inA: boolean, inB: boolean) => boolean,
): MaskRle {
  const [height, width] = a.size
  if (b.size[0] !== height || b.size[1] !== width) {
    throw expected(`a mask of ${width} x ${height}`, 'mask', `${b.size[1]} x ${b.size[0]}`)
  }
  const total = height * width
  const counts: number[] = []
  let [ia, ib, at, run] = [0, 0, 0, 0]
  let leftA = a.counts[0] ?? total
  let leftB = b.counts[0] ?? total
  let last = false
  while (at < total) {
    while (leftA === 0 && ia < a.counts.length) leftA = a.counts[++ia] ?? 0
    while (leftB === 0 && ib < b.counts.length) leftB = b.counts[++ib] ?? 0
    const step = Math.min(leftA, leftB)
    const inside = keep(ia % 2 === 1, ib % 2 === 1)
    if (inside !== last) {
      counts.push(run)
      run = 0
      last = inside
    }
    run += step
    at += step
    leftA -= step
    leftB -= step
  }
  counts.push(run)
  return freezeMask(height, width, counts)
}

/** The part of a mask within a box, as a mask of the box's size. The box lies inside. */
export function cropMask(mask: MaskRle, part: Box): MaskRle {
  return placeMask(mask, part[2] - part[0], part[3] - part[1], -part[0], -part[1])
}

/** A mask laid into one of another size with its corner at (dx, dy); what falls outside is lost. */
export function placeMask(
  mask: MaskRle,
  width: number,
  height: number,
  dx: number,
  dy: number,
): MaskRle {
  const runs = new Runs()
  eachRun(mask, (x, y1, y2) => {
    const column = x + dx
    const from = Math.max(0, y1 + dy)
    const to = Math.min(height, y2 + dy)
    if (column >= 0 && column < width && from < to) {
      runs.add(column * height + from, column * height + to)
    }
  })
  return runs.mask(height, width)
}

/** The mask at another size: each pixel asks the nearest one of the source. */
export function resizeMask(mask: MaskRle, width: number, height: number): MaskRle {
  const [h, w] = mask.size
  if (h === height && w === width) return mask
  const from = maskToBitmap(mask)
  const out = new Uint8Array(width * height)
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor(((x + 0.5) * w) / width))
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * h) / height) * w
    for (let x = 0; x < width; x++, i++) out[i] = from[row + (columns[x] ?? 0)] ?? 0
  }
  return maskFromBitmap(out, height, width)
}

/** Collects runs in rising order of place and joins those that touch. */
class Runs {
  readonly #counts: number[] = [0]
  #end = 0

  add(from: number, to: number): void {
    const counts = this.#counts
    const inside = counts.length % 2 === 0
    const last = counts.length - 1
    if (from === this.#end) {
      if (inside) counts[last] = (counts[last] ?? 0) + to - from
      else counts.push(to - from)
    } else {
      if (inside) counts.push(from - this.#end)
      else counts[last] = (counts[last] ?? 0) + from - this.#end
      counts.push(to - from)
    }
    this.#end = to
  }

  mask(height: number, width: number): MaskRle {
    const rest = height * width - this.#end
    if (this.#end === 0) this.#counts[0] = rest
    else if (rest > 0) this.#counts.push(rest)
    return freezeMask(height, width, this.#counts)
  }
}
