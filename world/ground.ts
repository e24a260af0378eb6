import { streamOf } from './stream.ts'
import type { Stream } from './stream.ts'

/** A picture being painted: RGB pixels, and which object (1-based) is on top where it is opaque. */
export interface Painting {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
  readonly top: Uint8Array
}

const TEXTURES = 48
const SIDE = 384
const pool: (Uint8Array | undefined)[] = Array.from({ length: TEXTURES })

/** Grey texture number n, [384, 384], tileable value noise or a pattern; made once. */
function texture(n: number): Uint8Array {
  const known = pool[n]
  if (known !== undefined) return known
  const stream = streamOf(n, 'ground/texture')
  const made = new Uint8Array(SIDE * SIDE)
  if (n % 4 === 3) paintPattern(made, stream)
  else
    for (const cell of [64, 24, 8, 3].slice(n % 3))
      addNoise(made, stream, cell, cell >= 24 ? 96 : 48)
  pool[n] = made
  return made
}

function addNoise(out: Uint8Array, stream: Stream, cell: number, strength: number): void {
  const cells = SIDE / cell
  const lattice = Array.from({ length: cells * cells }, () => stream.range(0, strength))
  for (let y = 0; y < SIDE; y++) {
    const row = Math.trunc(y / cell)
    const fy = y - row * cell
    for (let x = 0; x < SIDE; x++) {
      const column = Math.trunc(x / cell)
      const fx = x - column * cell
      const right = (column + 1) % cells
      const down = (row + 1) % cells
      const at = (r: number, c: number): number => lattice[r * cells + c] as number
      const upper = at(row, column) * (cell - fx) + at(row, right) * fx
      const lower = at(down, column) * (cell - fx) + at(down, right) * fx
      const value = Math.trunc((upper * (cell - fy) + lower * fy) / (cell * cell))
      const i = y * SIDE + x
      out[i] = Math.min(255, (out[i] as number) + value)
    }
  }
}

function paintPattern(out: Uint8Array, stream: Stream): void {
  const period = stream.pick([12, 16, 24, 32, 48])
  const [a, b] = stream.pick([
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
  ] as const)
  const checks = stream.chance(1, 2)
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const along = (a * x + b * y + 8 * SIDE) % (2 * period) < period
      const across = (b * x - a * y + 8 * SIDE) % (2 * period) < period
      const on = checks ? along !== across : along
      out[y * SIDE + x] = (on ? 170 : 70) + stream.range(0, 24)
    }
  }
}

type Rgb = readonly [number, number, number]

/** Paints the ground: flat and gradient for a sixth each, texture for the rest; tells which. */
export function paintGround(painting: Painting, stream: Stream): string {
  const kind = stream.pick([
    'flat',
    'gradient',
    'texture',
    'texture',
    'texture',
    'texture',
  ] as const)
  const from = anyColour(stream)
  const to = nearColour(from, stream)
  if (kind === 'texture') paintTexture(painting, stream, from, to)
  else paintGradient(painting, stream, from, kind === 'flat' ? from : to)
  return kind
}

function anyColour(stream: Stream): Rgb {
  return [stream.range(20, 240), stream.range(20, 240), stream.range(20, 240)]
}

function nearColour(colour: Rgb, stream: Stream): Rgb {
  const near = (c: number): number => Math.max(0, Math.min(255, c + stream.range(-90, 90)))
  return [near(colour[0]), near(colour[1]), near(colour[2])]
}

function paintTexture({ width, height, rgb }: Painting, stream: Stream, from: Rgb, to: Rgb): void {
  const grey = texture(stream.range(0, TEXTURES - 1))
  const [ox, oy] = [stream.range(0, SIDE - 1), stream.range(0, SIDE - 1)]
  const lut = new Uint8Array(768)
  for (let i = 0; i < 256; i++) {
    for (let c = 0; c < 3; c++) {
      lut[i * 3 + c] = Math.trunc(((from[c] as number) * (255 - i) + (to[c] as number) * i) / 255)
    }
  }
  let at = 0
  for (let y = 0; y < height; y++) {
    const row = ((y + oy) % SIDE) * SIDE
    for (let x = 0, sx = ox; x < width; x++, sx++) {
      if (sx >= SIDE) sx -= SIDE
      const i = (grey[row + sx] as number) * 3
      rgb[at] = lut[i] as number
      rgb[at + 1] = lut[i + 1] as number
      rgb[at + 2] = lut[i + 2] as number
      at += 3
    }
  }
}

function paintGradient({ width, height, rgb }: Painting, stream: Stream, from: Rgb, to: Rgb): void {
  const [a, b] = stream.pick([
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const)
  const whole = Math.max(1, a * (width - 1) + b * (height - 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const part = a * x + b * y
      const at = (y * width + x) * 3
      for (let c = 0; c < 3; c++) {
        const mixed = (from[c] as number) * (whole - part) + (to[c] as number) * part
        rgb[at + c] = Math.trunc(mixed / whole)
      }
    }
  }
}

/** Paints 0 to 12 abstract shapes, strokes and patches; never a drawing of a concept. Returns how many. */
export function paintClutter(painting: Painting, stream: Stream): number {
  const count = stream.range(0, 12)
  for (let n = 0; n < count; n++) {
    const kind = stream.pick(['ellipse', 'patch', 'stroke'] as const)
    const colour = anyColour(stream)
    const alpha = stream.range(70, 255)
    if (kind === 'stroke') paintStroke(painting, stream, colour, alpha)
    else paintBlob(painting, stream, colour, alpha, kind === 'ellipse')
  }
  return count
}

function paintBlob(p: Painting, stream: Stream, colour: Rgb, alpha: number, round: boolean): void {
  const unit = Math.min(p.width, p.height)
  const rx = stream.range(Math.trunc(unit / 64), Math.trunc(unit / 7))
  const ry = stream.range(Math.trunc(unit / 64), Math.trunc(unit / 7))
  const [cx, cy] = [stream.range(0, p.width - 1), stream.range(0, p.height - 1)]
  for (let y = Math.max(0, cy - ry); y < Math.min(p.height, cy + ry); y++) {
    for (let x = Math.max(0, cx - rx); x < Math.min(p.width, cx + rx); x++) {
      const [dx, dy] = [x - cx, y - cy]
      if (round && dx * dx * ry * ry + dy * dy * rx * rx > rx * rx * ry * ry) continue
      mix(p.rgb, (y * p.width + x) * 3, colour, alpha)
    }
  }
}

function paintStroke(p: Painting, stream: Stream, colour: Rgb, alpha: number): void {
  const length = stream.range(12, 80)
  const thick = stream.range(1, 4)
  let x = stream.range(0, p.width - 1) << 8
  let y = stream.range(0, p.height - 1) << 8
  let [dx, dy] = [stream.range(-256, 256), stream.range(-256, 256)]
  for (let n = 0; n < length; n++) {
    x += dx
    y += dy
    dx += stream.range(-40, 40)
    dy += stream.range(-40, 40)
    for (let j = 0; j < thick * thick; j++) {
      const px = (x >> 8) + (j % thick)
      const py = (y >> 8) + Math.trunc(j / thick)
      if (px < 0 || py < 0 || px >= p.width || py >= p.height) continue
      mix(p.rgb, (py * p.width + px) * 3, colour, alpha)
    }
  }
}

function mix(rgb: Uint8Array, at: number, colour: Rgb, alpha: number): void {
  for (let c = 0; c < 3; c++) {
    const old = rgb[at + c] as number
    rgb[at + c] = old + Math.trunc((((colour[c] as number) - old) * alpha) / 255)
  }
}
