import { fromHsv, toHsv } from './colour.ts'
import { turn } from './rotation.ts'
import type { Sprite } from './types.ts'

/** How a drawing is put into a scene. */
export interface Pose {
  /** Longer side of the drawing in scene pixels before turning. */
  readonly longer: number
  /** Whole degrees from −15 to 15. */
  readonly degrees: number
  readonly flip: boolean
  readonly look: Look
}

/** Changes of colour; factors have 256 for one. */
export interface Look {
  /** Hue turned by so much (0..1535), or, as a tint, set for coloured pixels. */
  readonly hue: number
  readonly tint: boolean
  readonly saturation: number
  readonly contrast: number
}

/** A drawing as it will be blitted: straight RGBA, trimmed to where alpha is above 0. */
export interface Layer {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
  /** Pixels with alpha of at least 128. */
  readonly area: number
}

const halves = new WeakMap<Sprite, Sprite>()

/** The drawing at half its size by exact means of four pixels, so that shrinking does not flicker. */
function half(sprite: Sprite): Sprite {
  const known = halves.get(sprite)
  if (known !== undefined) return known
  const width = Math.max(1, sprite.width >> 1)
  const height = Math.max(1, sprite.height >> 1)
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) meanOfFour(sprite, x, y, rgba, (y * width + x) * 4)
  }
  const made = { ...sprite, width, height, rgba }
  halves.set(sprite, made)
  return made
}

function meanOfFour(sprite: Sprite, x: number, y: number, out: Uint8Array, at: number): void {
  let [r, g, b, a] = [0, 0, 0, 0]
  for (const [dx, dy] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const sx = Math.min(sprite.width - 1, 2 * x + dx)
    const sy = Math.min(sprite.height - 1, 2 * y + dy)
    const i = (sy * sprite.width + sx) * 4
    const alpha = sprite.rgba[i + 3] ?? 0
    r += (sprite.rgba[i] ?? 0) * alpha
    g += (sprite.rgba[i + 1] ?? 0) * alpha
    b += (sprite.rgba[i + 2] ?? 0) * alpha
    a += alpha
  }
  if (a > 0) {
    out[at] = Math.trunc(r / a)
    out[at + 1] = Math.trunc(g / a)
    out[at + 2] = Math.trunc(b / a)
  }
  out[at + 3] = a >> 2
}

/** Draws a sprite in a pose: fixed-point inverse mapping with bilinear sampling, then the look. */
export function drawLayer(sprite: Sprite, pose: Pose): Layer {
  let source = sprite
  while (Math.max(source.width, source.height) >= 2 * pose.longer) source = half(source)
  const [cos, sin] = turn(pose.degrees)
  const longer = Math.max(source.width, source.height)
  const w = Math.max(1, Math.trunc((source.width * pose.longer) / longer))
  const h = Math.max(1, Math.trunc((source.height * pose.longer) / longer))
  const lean = Math.abs(sin)
  const width = ((w * cos + h * lean) >> 16) + 2
  const height = ((w * lean + h * cos) >> 16) + 2
  const rgba = new Uint8Array(width * height * 4)
  sampleTurned(source, pose, { w, h, width, height, cos, sin, longer }, rgba)
  applyLook(rgba, pose.look)
  return trim(rgba, width, height)
}

interface Mapping {
  readonly w: number
  readonly h: number
  readonly width: number
  readonly height: number
  readonly cos: number
  readonly sin: number
  readonly longer: number
}

function sampleTurned(source: Sprite, pose: Pose, m: Mapping, out: Uint8Array): void {
  // Steps in source pixels, 16 fractional bits, for one output pixel along x and y.
  const stepCos = Math.trunc((m.cos * m.longer) / pose.longer)
  const stepSin = Math.trunc((m.sin * m.longer) / pose.longer)
  const midX = (source.width << 15) - 32768
  const midY = (source.height << 15) - 32768
  const sign = pose.flip ? -1 : 1
  for (let y = 0; y < m.height; y++) {
    const dy = 2 * y + 1 - m.height
    for (let x = 0; x < m.width; x++) {
      const dx = 2 * x + 1 - m.width
      const u = midX + sign * ((dx * stepCos + dy * stepSin) >> 1)
      const v = midY + ((dy * stepCos - dx * stepSin) >> 1)
      bilinear(source, u, v, out, (y * m.width + x) * 4)
    }
  }
}

function bilinear(source: Sprite, u: number, v: number, out: Uint8Array, at: number): void {
  const x = u >> 16
  const y = v >> 16
  if (x < -1 || y < -1 || x >= source.width || y >= source.height) return
  const fx = (u >> 8) & 255
  const fy = (v >> 8) & 255
  const { rgba, width, height } = source
  let [r, g, b, a] = [0, 0, 0, 0]
  for (let corner = 0; corner < 4; corner++) {
    const cx = x + (corner & 1)
    const cy = y + (corner >> 1)
    if (cx < 0 || cy < 0 || cx >= width || cy >= height) continue
    const weight = (corner & 1 ? fx : 256 - fx) * (corner >> 1 ? fy : 256 - fy)
    const i = (cy * width + cx) * 4
    const alpha = weight * (rgba[i + 3] as number)
    r += alpha * (rgba[i] as number)
    g += alpha * (rgba[i + 1] as number)
    b += alpha * (rgba[i + 2] as number)
    a += alpha
  }
  if (a < 65536) return
  out[at] = Math.trunc(r / a)
  out[at + 1] = Math.trunc(g / a)
  out[at + 2] = Math.trunc(b / a)
  out[at + 3] = a >> 16
}

function applyLook(rgba: Uint8Array, look: Look): void {
  if (look.hue === 0 && !look.tint && look.saturation === 256 && look.contrast === 256) return
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i + 3] === 0) continue
    let [h, s, v] = toHsv(rgba[i] as number, rgba[i + 1] as number, rgba[i + 2] as number)
    if (look.tint) h = s > 50 ? look.hue : h
    else h = (h + look.hue) % 1536
    s = Math.min(255, (s * look.saturation) >> 8)
    v = Math.max(0, Math.min(255, 128 + (((v - 128) * look.contrast) >> 8)))
    const [r, g, b] = fromHsv(h, s, v)
    rgba[i] = r
    rgba[i + 1] = g
    rgba[i + 2] = b
  }
}

function trim(rgba: Uint8Array, width: number, height: number): Layer {
  let [x1, y1, x2, y2, area] = [width, height, 0, 0, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const alpha = rgba[(y * width + x) * 4 + 3] as number
      if (alpha === 0) continue
      if (alpha >= 128) area++
      if (x < x1) x1 = x
      if (x >= x2) x2 = x + 1
      if (y < y1) y1 = y
      if (y >= y2) y2 = y + 1
    }
  }
  if (x2 <= x1) return { width: 1, height: 1, rgba: new Uint8Array(4), area: 0 }
  const out = new Uint8Array((x2 - x1) * (y2 - y1) * 4)
  for (let y = y1; y < y2; y++) {
    const from = (y * width + x1) * 4
    out.set(rgba.subarray(from, from + (x2 - x1) * 4), (y - y1) * (x2 - x1) * 4)
  }
  return { width: x2 - x1, height: y2 - y1, rgba: out, area }
}
