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
      let sum = 0
      for (const j of [i - width, i, i + width]) {
        sum += (grey[j - 1] as number) + (grey[j] as number) + (grey[j + 1] as number)
      }
      out[i] = Math.trunc(sum / 9)
    }
  }
  return out
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
  const x1 = Math.max(0, -x)
  const x2 = Math.min(layer.width, width - x)
  for (let row = Math.max(0, -y); row < Math.min(layer.height, height - y); row++) {
    for (let column = x1; column < x2; column++) {
      const i = (row * layer.width + column) * 4
      const alpha = layer.rgba[i + 3] as number
      if (alpha === 0) continue
      const pixel = (y + row) * width + x + column
      if (alpha >= 128) top[pixel] = id
      const at = pixel * 3
      for (let c = 0; c < 3; c++) {
        const old = rgb[at + c] as number
        rgb[at + c] = old + Math.trunc((((layer.rgba[i + c] as number) - old) * alpha) / 255)
      }
    }
  }
}

/** For each object (1-based) how many of its visible pixels the layer's opaque ones would hide. */
export function overlaps(
  painting: Painting,
  layer: Layer,
  x: number,
  y: number,
  objects: number,
): number[] {
  const hidden = Array.from({ length: objects + 1 }, () => 0)
  for (let row = 0; row < layer.height; row++) {
    const from = (y + row) * painting.width + x
    for (let column = 0; column < layer.width; column++) {
      if ((layer.rgba[(row * layer.width + column) * 4 + 3] as number) < 128) continue
      const id = painting.top[from + column] as number
      if (id > 0) hidden[id] = (hidden[id] as number) + 1
    }
  }
  return hidden
}
