import type { Painting } from './ground.ts'
import type { Layer } from './layer.ts'

/** Darkens the ground under a layer: its alpha at a quarter of the size, twice box-blurred, moved. */
export function paintShadow(
  painting: Painting,
  layer: Layer,
  x: number,
  y: number,
  strength: number,
): void {
  const margin = 4
  const width = (layer.width >> 2) + 2 * margin
  const height = (layer.height >> 2) + 2 * margin
  let grey = new Uint16Array(width * height)
  for (let row = 0; row < layer.height >> 2; row++) {
    for (let column = 0; column < layer.width >> 2; column++) {
      const alpha = layer.rgba[(row * 4 * layer.width + column * 4) * 4 + 3] as number
      grey[(row + margin) * width + column + margin] = alpha
    }
  }
  for (let pass = 0; pass < 2; pass++) grey = boxBlur(grey, width, height)
  const offset = Math.max(2, Math.trunc(Math.max(layer.width, layer.height) / 20))
  darken(painting, grey, width, height, x - 4 * margin + offset, y - 4 * margin + offset, strength)
}

function boxBlur(grey: Uint16Array, width: number, height: number): Uint16Array<ArrayBuffer> {
  const out = new Uint16Array(width * height)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      out[i] = (rowOf3(grey, i - width) + rowOf3(grey, i) + rowOf3(grey, i + width)) / 9
    }
  }
  return out
}

function rowOf3(grey: Uint16Array, i: number): number {
  return (grey[i - 1] as number) + (grey[i] as number) + (grey[i + 1] as number)
}

function darken(
  { width, height, rgb }: Painting,
  grey: Uint16Array,
  gw: number,
  gh: number,
  left: number,
  top: number,
  strength: number,
): void {
  const bottom = Math.min(height, top + (gh - 1) * 4)
  const right = Math.min(width, left + (gw - 1) * 4)
  for (let y = Math.max(0, top); y < bottom; y++) {
    const row = (y - top) >> 2
    for (let x = Math.max(0, left); x < right; x++) {
      const i = row * gw + ((x - left) >> 2)
      const a = grey[i] as number
      if (a === 0) continue
      const keep = 65280 - a * strength
      const at = (y * width + x) * 3
      rgb[at] = ((rgb[at] as number) * keep) >> 16
      rgb[at + 1] = ((rgb[at + 1] as number) * keep) >> 16
      rgb[at + 2] = ((rgb[at + 2] as number) * keep) >> 16
    }
  }
}

/** Paints a layer at x, y and notes object `id` (1-based) as the top where alpha is at least 128. */
export function paintLayer(
  painting: Painting,
  layer: Layer,
  x: number,
  y: number,
  id: number,
): void {
  const { width, height, rgb, top } = painting
  const { rgba } = layer
  const x1 = Math.max(0, -x)
  const x2 = Math.min(layer.width, width - x)
  for (let row = Math.max(0, -y); row < Math.min(layer.height, height - y); row++) {
    let i = (row * layer.width + x1) * 4
    let pixel = (y + row) * width + x + x1
    for (let column = x1; column < x2; column++, i += 4, pixel++) {
      const alpha = rgba[i + 3] as number
      if (alpha === 0) continue
      if (alpha >= 128) top[pixel] = id
      const at = pixel * 3
      if (alpha === 255) {
        rgb[at] = rgba[i] as number
        rgb[at + 1] = rgba[i + 1] as number
        rgb[at + 2] = rgba[i + 2] as number
        continue
      }
      for (let c = 0; c < 3; c++) {
        const old = rgb[at + c] as number
        rgb[at + c] = old + Math.trunc((((rgba[i + c] as number) - old) * alpha) / 255)
      }
    }
  }
}

/**
 * For each object (1-based) how many of its visible pixels the layer's opaque ones would hide; nothing
 * as soon as an object would lose more than it may.
 */
export function overlaps(
  painting: Painting,
  layer: Layer,
  { x, y }: { readonly x: number; readonly y: number },
  below: readonly { readonly layer: Layer; readonly x: number; readonly y: number }[],
  mayLose: readonly number[],
): number[] | undefined {
  const hidden = Array.from({ length: below.length + 1 }, () => 0)
  const x1 = Math.max(x, Math.min(...below.map((one) => one.x)))
  const x2 = Math.min(x + layer.width, Math.max(...below.map((one) => one.x + one.layer.width)))
  const y1 = Math.max(y, Math.min(...below.map((one) => one.y)))
  const y2 = Math.min(y + layer.height, Math.max(...below.map((one) => one.y + one.layer.height)))
  for (let py = y1; py < y2; py++) {
    for (let px = x1; px < x2; px++) {
      const id = painting.top[py * painting.width + px] as number
      if (id === 0) continue
      const alpha = layer.rgba[((py - y) * layer.width + px - x) * 4 + 3] as number
      if (alpha >= 128) hidden[id] = (hidden[id] as number) + 1
    }
    if (hidden.some((pixels, id) => pixels > (mayLose[id] ?? 0))) return undefined
  }
  return hidden
}
