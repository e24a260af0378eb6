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
  const words = scratchOf(width * height)
  sampleTurned(source, pose, { width, height, cos, sin, longer }, words)
  const layer = trim(words, width, height)
  applyLook(layer.rgba, pose.look)
  return layer
}

interface Mapping {
  readonly width: number
  readonly height: number
  readonly cos: number
  readonly sin: number
  readonly longer: number
}

let scratch = new Uint32Array(1 << 15)

/** Cleared memory for a layer before it is trimmed; the next call takes it again. */
function scratchOf(words: number): Uint32Array<ArrayBuffer> {
  if (scratch.length < words) scratch = new Uint32Array(words)
  return scratch.subarray(0, words).fill(0)
}

function sampleTurned(
  source: Sprite,
  pose: Pose,
  m: Mapping,
  words: Uint32Array<ArrayBuffer>,
): void {
  // Steps in source pixels, 16 fractional bits, for one output pixel along x and y.
  const stepCos = Math.trunc((m.cos * m.longer) / pose.longer)
  const stepSin = Math.trunc((m.sin * m.longer) / pose.longer)
  const midX = (source.width << 15) - 32768
  const midY = (source.height << 15) - 32768
  const sign = pose.flip ? -1 : 1
  const pixels = wordsOf(source.rgba)
  const out = new Uint8Array(words.buffer, words.byteOffset, words.length * 4)
  const [right, bottom] = [source.width - 1, source.height - 1]
  for (let y = 0, at = 0; y < m.height; y++) {
    const dy = 2 * y + 1 - m.height
    let du = (1 - m.width) * stepCos + dy * stepSin
    let dv = dy * stepCos - (1 - m.width) * stepSin
    for (let x = 0; x < m.width; x++, at++, du += 2 * stepCos, dv -= 2 * stepSin) {
      const u = midX + sign * (du >> 1)
      const v = midY + (dv >> 1)
      const sx = u >> 16
      const sy = v >> 16
      if (sx < -1 || sy < -1 || sx > right || sy > bottom) continue
      if (sx < 0 || sy < 0 || sx === right || sy === bottom) {
        sampleBorder(source, u, v, out, at * 4)
        continue
      }
      const i = sy * source.width + sx
      const word = pixels[i] as number
      // Drawings are mostly flat: four equal pixels mix to themselves, four clear ones to nothing.
      if (
        word === pixels[i + 1] &&
        word === pixels[i + source.width] &&
        word === pixels[i + source.width + 1]
      ) {
        if (word >>> 24 > 0) words[at] = word
      } else sampleInside(source, i * 4, (u >> 8) & 255, (v >> 8) & 255, out, at * 4)
    }
  }
}

const views = new WeakMap<Uint8Array, Uint32Array>()

/** The pixels as 32-bit words; a copy where the bytes do not start at a word. */
function wordsOf(rgba: Uint8Array): Uint32Array {
  const known = views.get(rgba)
  if (known !== undefined) return known
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : Uint8Array.from(rgba)
  const made = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
  views.set(rgba, made)
  return made
}

/** Weighs the four pixels from byte `i` on; all of them lie in the drawing. */
function sampleInside(
  { rgba, width }: Sprite,
  i: number,
  fx: number,
  fy: number,
  out: Uint8Array,
  at: number,
): void {
  const j = i + width * 4
  const w0 = (256 - fx) * (256 - fy)
  const w1 = fx * (256 - fy)
  const w2 = (256 - fx) * fy
  const w3 = fx * fy
  // Typed arrays give a number at every index inside, which the bounds of the caller assure.
  const a0 = w0 * (rgba[i + 3] as number)
  const a1 = w1 * (rgba[i + 7] as number)
  const a2 = w2 * (rgba[j + 3] as number)
  const a3 = w3 * (rgba[j + 7] as number)
  const a = a0 + a1 + a2 + a3
  if (a < 65536) return
  for (let c = 0; c < 3; c++) {
    const upper = a0 * (rgba[i + c] as number) + a1 * (rgba[i + 4 + c] as number)
    const lower = a2 * (rgba[j + c] as number) + a3 * (rgba[j + 4 + c] as number)
    out[at + c] = (upper + lower) / a
  }
  out[at + 3] = a >> 16
}

/** The same where a corner may lie outside the drawing, which is clear. */
function sampleBorder(source: Sprite, u: number, v: number, out: Uint8Array, at: number): void {
  const x = u >> 16
  const y = v >> 16
  const fx = (u >> 8) & 255
  const fy = (v >> 8) & 255
  const { rgba, width, height } = source
  let r = 0
  let g = 0
  let b = 0
  let a = 0
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
  out[at] = r / a
  out[at + 1] = g / a
  out[at + 2] = b / a
  out[at + 3] = a >> 16
}

/** Colours looked up lately, by a hash of their bytes: few drawings have more. */
const MEMO = 4096
const memoKeys = new Int32Array(MEMO)
const memoValues = new Uint32Array(MEMO)

function applyLook(rgba: Uint8Array, look: Look): void {
  if (look.hue === 0 && !look.tint && look.saturation === 256 && look.contrast === 256) return
  memoKeys.fill(-1)
  const words = new Uint32Array(rgba.buffer)
  let last = 0
  let changed = 0
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as number
    const alpha = word >>> 24
    if (alpha === 0) continue
    const colour = word & 0xffffff
    if (colour !== last || changed === 0) {
      const slot = (Math.imul(colour, 0x9e3779b1) >>> 20) & (MEMO - 1)
      if (memoKeys[slot] !== colour) {
        memoKeys[slot] = colour
        memoValues[slot] = looked(colour, look) | 0x1000000
      }
      last = colour
      changed = memoValues[slot] as number
    }
    words[i] = ((alpha << 24) | (changed & 0xffffff)) >>> 0
  }
}

/** A colour (red in the lowest byte, as little-endian memory has it) under a look. */
function looked(colour: number, look: Look): number {
  let [h, s, v] = toHsv(colour & 255, (colour >> 8) & 255, colour >> 16)
  if (look.tint) h = s > 50 ? look.hue : h
  else h = (h + look.hue) % 1536
  s = Math.min(255, (s * look.saturation) >> 8)
  v = Math.max(0, Math.min(255, 128 + (((v - 128) * look.contrast) >> 8)))
  const [r, g, b] = fromHsv(h, s, v)
  return r | (g << 8) | (b << 16)
}

function trim(words: Uint32Array, width: number, height: number): Layer {
  let [x1, y1, x2, y2, area] = [width, height, 0, 0, 0]
  for (let y = 0, at = 0; y < height; y++) {
    let [first, last] = [-1, -1]
    for (let x = 0; x < width; x++, at++) {
      const word = words[at] as number
      if (word === 0) continue
      // The top bit of a pixel is the top bit of its alpha: set from 128 on.
      area += word >>> 31
      if (first < 0) first = x
      last = x
    }
    if (first < 0) continue
    if (first < x1) x1 = first
    if (last >= x2) x2 = last + 1
    if (y < y1) y1 = y
    y2 = y + 1
  }
  if (x2 <= x1) return { width: 1, height: 1, rgba: new Uint8Array(4), area: 0 }
  const out = new Uint32Array((x2 - x1) * (y2 - y1))
  for (let y = y1; y < y2; y++) {
    const from = y * width + x1
    out.set(words.subarray(from, from + x2 - x1), (y - y1) * (x2 - x1))
  }
  return { width: x2 - x1, height: y2 - y1, rgba: new Uint8Array(out.buffer), area }
}
