import { expected } from '../base/index.ts'
import type { Pixels } from './letterbox.ts'
import { createMatrix, solveHomography, transform } from './matrix.ts'
import type { Matrix3, Point } from './matrix.ts'

export interface WarpOptions {
  /** `linear` (default) or `cubic` (Catmull-Rom); borders are continued. */
  readonly sampling?: 'linear' | 'cubic'
  /** At most so many samples per output pixel along each axis when shrinking; default 1. */
  readonly samples?: number
}

/**
 * Pixels drawn through a map from output to source coordinates (pixel centres at .5).
 *
 * @param toSource  row-major 3 x 3 matrix
 */
export function warp(
  source: Pixels,
  toSource: Matrix3,
  { width, height }: { readonly width: number; readonly height: number },
  { sampling = 'linear', samples = 1 }: WarpOptions = {},
): Pixels {
  const sample = sampling === 'cubic' ? sampleCubic : sampleLinear
  const grid = Math.max(1, Math.min(samples, Math.ceil(shrinkage(toSource, width, height))))
  const data = new Uint8Array(width * height * 3)
  const sum = new Float64Array(3)
  const share = 1 / (grid * grid)
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 3) {
      sum.fill(0)
      for (let s = 0; s < grid * grid; s++) {
        const u = x + ((s % grid) + 0.5) / grid
        const v = y + (Math.floor(s / grid) + 0.5) / grid
        const [sx, sy] = transform(toSource, u, v)
        sample(source, sx - 0.5, sy - 0.5, sum)
      }
      for (let c = 0; c < 3; c++) {
        data[to + c] = Math.min(255, Math.max(0, Math.round((sum[c] as number) * share)))
      }
    }
  }
  return { width, height, data }
}

/** Source pixels for one output pixel, in the middle. */
function shrinkage(toSource: Matrix3, width: number, height: number): number {
  const [x, y] = [width / 2, height / 2]
  const [ax, ay] = transform(toSource, x, y)
  const [bx, by] = transform(toSource, x + 1, y)
  const [cx, cy] = transform(toSource, x, y + 1)
  return Math.max(Math.hypot(bx - ax, by - ay), Math.hypot(cx - ax, cy - ay))
}

/**
 * The quadrilateral as an upright rectangle.
 *
 * @param corners  top left, top right, bottom right, bottom left, in pixels of the source
 */
export function warpQuad(
  source: Pixels,
  corners: readonly [Point, Point, Point, Point],
  size: { readonly width: number; readonly height: number },
  options: WarpOptions = {},
): Pixels {
  const { width, height } = size
  const upright = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const
  const toSource = solveHomography(upright, corners)
  if (toSource === undefined) throw expected('four corners that are no line', 'corners', corners)
  return warp(source, toSource, size, options)
}

/**
 * A turned square of the source, upright.
 *
 * @param square.centre  in pixels of the source
 * @param square.side  in pixels of the source
 * @param square.angle  radians, clockwise as seen (y down), of the square's upper edge
 * @param side  of the result in pixels
 * @param options.samples  default 4
 */
export function cropTurned(
  source: Pixels,
  square: { readonly centre: Point; readonly side: number; readonly angle: number },
  side: number,
  options: WarpOptions = {},
): Pixels {
  const scale = square.side / side
  const cos = Math.cos(square.angle) * scale
  const sin = Math.sin(square.angle) * scale
  const half = side / 2
  const [cx, cy] = square.centre
  const toSource = createMatrix(
    [cos, -sin, cx - cos * half + sin * half],
    [sin, cos, cy - sin * half - cos * half],
    [0, 0, 1],
  )
  return warp(source, toSource, { width: side, height: side }, { samples: 4, ...options })
}

/** Pixels turned by quarter turns clockwise. */
export function quarterTurn({ width, height, data }: Pixels, turns: 1 | 2 | 3): Pixels {
  const out = new Uint8Array(data.length)
  const [w, h] = turns === 2 ? [width, height] : [height, width]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tx = turns === 1 ? height - 1 - y : turns === 2 ? width - 1 - x : y
      const ty = turns === 1 ? x : turns === 2 ? height - 1 - y : width - 1 - x
      const from = (y * width + x) * 3
      const to = (ty * w + tx) * 3
      out[to] = data[from] as number
      out[to + 1] = data[from + 1] as number
      out[to + 2] = data[from + 2] as number
    }
  }
  return { width: w, height: h, data: out }
}

function sampleLinear(
  { width, height, data }: Pixels,
  x: number,
  y: number,
  sum: Float64Array,
): void {
  const cx = Math.min(Math.max(x, 0), width - 1)
  const cy = Math.min(Math.max(y, 0), height - 1)
  const x0 = Math.floor(cx)
  const y0 = Math.floor(cy)
  const x1 = Math.min(x0 + 1, width - 1)
  const y1 = Math.min(y0 + 1, height - 1)
  const fx = cx - x0
  const fy = cy - y0
  for (let c = 0; c < 3; c++) {
    const at = (px: number, py: number): number => data[(py * width + px) * 3 + c] as number
    const upper = at(x0, y0) + fx * (at(x1, y0) - at(x0, y0))
    const lower = at(x0, y1) + fx * (at(x1, y1) - at(x0, y1))
    sum[c] = (sum[c] as number) + upper + fy * (lower - upper)
  }
}

function sampleCubic(
  { width, height, data }: Pixels,
  x: number,
  y: number,
  sum: Float64Array,
): void {
  const x0 = Math.floor(x)
  const y0 = Math.floor(y)
  const wx = catmullRom(x - x0)
  const wy = catmullRom(y - y0)
  for (let j = 0; j < 4; j++) {
    const py = Math.min(Math.max(y0 + j - 1, 0), height - 1)
    for (let i = 0; i < 4; i++) {
      const px = Math.min(Math.max(x0 + i - 1, 0), width - 1)
      const weight = (wx[i] as number) * (wy[j] as number)
      const from = (py * width + px) * 3
      for (let c = 0; c < 3; c++) sum[c] = (sum[c] as number) + weight * (data[from + c] as number)
    }
  }
}

function catmullRom(t: number): readonly [number, number, number, number] {
  const t2 = t * t
  const t3 = t2 * t
  return [
    (-t3 + 2 * t2 - t) / 2,
    (3 * t3 - 5 * t2 + 2) / 2,
    (-3 * t3 + 4 * t2 + t) / 2,
    (t3 - t2) / 2,
  ]
}
