import { clipBox, growBox } from './box.ts'
import { cropMask, invertMask, maskBox, maskFromBitmap, maskToBitmap, placeMask } from './rle.ts'
import type { Box, MaskRle } from './types.ts'

const FAR = 1e12

/**
 * For each pixel the squared Euclidean distance to the nearest pixel whose bit is set; 1e12 when
 * there is none.
 *
 * @param bits  [height, width], row-major, 0 or 1
 * @source Felzenszwalb and Huttenlocher, Distance Transforms of Sampled Functions (2012): the lower
 *   envelope of parabolas, first along the columns, then along the rows
 */
export function squaredDistances(
  bits: ArrayLike<number>,
  width: number,
  height: number,
): Float64Array {
  const field = new Float64Array(width * height)
  for (let i = 0; i < field.length; i++) field[i] = bits[i] ? 0 : FAR
  const longest = Math.max(width, height)
  const work: Work = {
    line: new Float64Array(longest),
    spots: new Int32Array(longest),
    bounds: new Float64Array(longest + 1),
  }
  for (let x = 0; x < width; x++) envelope(field, x, width, height, work)
  for (let y = 0; y < height; y++) envelope(field, y * width, 1, width, work)
  return field
}

interface Work {
  readonly line: Float64Array
  readonly spots: Int32Array
  readonly bounds: Float64Array
}

/** One line of the field in place. */
function envelope(field: Float64Array, start: number, step: number, n: number, work: Work): void {
  const { line, spots, bounds } = work
  for (let i = 0; i < n; i++) line[i] = field[start + i * step] as number
  const at = (i: number): number => line[i] as number
  const cross = (q: number, p: number): number =>
    (at(q) + q * q - (at(p) + p * p)) / (2 * q - 2 * p)
  let k = 0
  spots[0] = 0
  bounds[0] = -Infinity
  bounds[1] = Infinity
  for (let q = 1; q < n; q++) {
    let s = cross(q, spots[k] as number)
    while (s <= (bounds[k] as number)) s = cross(q, spots[--k] as number)
    spots[++k] = q
    bounds[k] = s
    bounds[k + 1] = Infinity
  }
  k = 0
  for (let q = 0; q < n; q++) {
    while ((bounds[k + 1] as number) < q) k++
    const p = spots[k] as number
    field[start + q * step] = Math.min(FAR, (q - p) * (q - p) + at(p))
  }
}

/** The mask grown by so many pixels (a disc); a negative number shrinks it. */
export function growMask(mask: MaskRle, by: number): MaskRle {
  const [height, width] = mask.size
  const part = surroundings(mask, Math.max(1, Math.ceil(by)))
  if (by === 0 || part === undefined) return mask
  const inner = cropMask(mask, part)
  const bits = maskToBitmap(by > 0 ? inner : invertMask(inner))
  const [h, w] = inner.size
  const distances = squaredDistances(bits, w, h)
  const limit = by * by
  const out = new Uint8Array(bits.length)
  for (let i = 0; i < out.length; i++) {
    const near = (distances[i] as number) <= limit
    out[i] = near === by > 0 ? 1 : 0
  }
  return placeMask(maskFromBitmap(out, h, w), width, height, part[0], part[1])
}

/** The mask's box and a border, as far as the picture goes: beyond it nothing matters. */
function surroundings(mask: MaskRle, border: number): Box | undefined {
  const tight = maskBox(mask)
  const [height, width] = mask.size
  return tight === undefined ? undefined : clipBox(growBox(tight, border), { width, height })
}

/** Weights for a part of a picture; outside the part all are 0. */
export interface PartWeights {
  readonly part: Box
  /** [height, width] of the part, row-major, 0..1. */
  readonly weights: Float32Array
}

/**
 * Weights 0..1 for blending into a mask: 0 outside, rising from its edge inwards over `feather`
 * pixels to 1. The picture's border is no edge.
 *
 * @returns undefined for an empty mask
 */
export function inwardWeights(mask: MaskRle, feather: number): PartWeights | undefined {
  const part = surroundings(mask, 1)
  if (part === undefined) return undefined
  const inner = cropMask(mask, part)
  const [height, width] = inner.size
  if (feather <= 0) return { part, weights: Float32Array.from(maskToBitmap(inner)) }
  const distances = squaredDistances(maskToBitmap(invertMask(inner)), width, height)
  const weights = new Float32Array(distances.length)
  for (let i = 0; i < weights.length; i++) {
    weights[i] = Math.min(1, Math.sqrt(distances[i] as number) / (feather + 1))
  }
  return { part, weights }
}
