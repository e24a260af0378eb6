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

function paintTexture(painting: Painting, stream: Stream, from: Rgb, to: Rgb): void {
  const grey = texture(stream.range(0, TEXTURES - 1))
  const [ox, oy] = [stream.range(0, SIDE - 1), stream.range(0, SIDE - 1)]
  const ramp = rampOf(from, to, 255)
  const line = new Uint8Array(painting.width)
  for (let y = 0; y < painting.height; y++) {
    const row = ((y + oy) % SIDE) * SIDE
    for (let x = 0; x < line.length;) {
      const start = (x + ox) % SIDE
      const length = Math.min(SIDE - start, line.length - x)
      line.set(grey.subarray(row + start, row + start + length), x)
      x += length
    }
    paintRow(painting, y, line, ramp)
  }
}

/** Colours from one to another in `whole` steps, red in the lowest byte. */
function rampOf(from: Rgb, to: Rgb, whole: number): Uint32Array {
  return Uint32Array.from({ length: whole + 1 }, (_, part) => {
    const [r, g, b] = from.map((c, i) =>
      Math.trunc((c * (whole - part) + (to[i] as number) * part) / whole),
    )
    return (r as number) | ((g as number) << 8) | ((b as number) << 16)
  })
}

/** A row of ramp colours; four pixels fill three 32-bit words where the row begins at a word. */
function paintRow(
  { width, rgb }: Painting,
  y: number,
  parts: ArrayLike<number>,
  ramp: Uint32Array,
): void {
  const at = y * width * 3
  const blocks = at % 4 === 0 ? width >> 2 : 0
  const words = new Uint32Array(rgb.buffer, at - (at % 4), blocks * 3)
  for (let block = 0, x = 0, w = 0; block < blocks; block++, x += 4, w += 3) {
    const p1 = ramp[parts[x + 1] as number] as number
    const p2 = ramp[parts[x + 2] as number] as number
    words[w] = (ramp[parts[x] as number] as number) | (p1 << 24)
    words[w + 1] = (p1 >>> 8) | (p2 << 16)
    words[w + 2] = (p2 >>> 16) | ((ramp[parts[x + 3] as number] as number) << 8)
  }
  for (let x = blocks * 4, i = at + x * 3; x < width; x++, i += 3) {
    const colour = ramp[parts[x] as number] as number
    rgb[i] = colour & 255
    rgb[i + 1] = (colour >> 8) & 255
    rgb[i + 2] = colour >> 16
  }
}

function paintGradient(painting: Painting, stream: Stream, from: Rgb, to: Rgb): void {
  const { width, height } = painting
  const [a, b] = stream.pick([
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const)
  const ramp = rampOf(from, to, Math.max(1, a * (width - 1) + b * (height - 1)))
  const parts = new Uint32Array(width)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) parts[x] = a * x + b * y
    paintRow(painting, y, parts, ramp)
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
  const mixed = mixTable(colour, alpha)
  const left = Math.max(0, cx - rx)
  for (let y = Math.max(0, cy - ry); y < Math.min(p.height, cy + ry); y++) {
    const across = (y - cy) * (y - cy) * rx * rx
    for (
      let x = left, at = (y * p.width + left) * 3;
      x < Math.min(p.width, cx + rx);
      x++, at += 3
    ) {
      if (round && (x - cx) * (x - cx) * ry * ry + across > rx * rx * ry * ry) continue
      mix(p.rgb, at, mixed)
    }
  }
}

function paintStroke(p: Painting, stream: Stream, colour: Rgb, alpha: number): void {
  const mixed = mixTable(colour, alpha)
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
      mix(p.rgb, (py * p.width + px) * 3, mixed)
    }
  }
}

/** For red, green and blue: what each old value becomes. */
function mixTable(colour: Rgb, alpha: number): Uint8Array {
  const table = new Uint8Array(768)
  for (let c = 0; c < 3; c++) {
    for (let old = 0; old < 256; old++) {
      table[c * 256 + old] = old + Math.trunc((((colour[c] as number) - old) * alpha) / 255)
    }
  }
  return table
}

function mix(rgb: Uint8Array, at: number, mixed: Uint8Array): void {
  rgb[at] = mixed[rgb[at] as number] as number
  rgb[at + 1] = mixed[256 + (rgb[at + 1] as number)] as number
  rgb[at + 2] = mixed[512 + (rgb[at + 2] as number)] as number
}
