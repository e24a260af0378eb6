import { growMask, maskToBitmap } from '../../src/image/index.ts'
import type { Box, Image, MaskRle } from '../../src/image/index.ts'

/** 1 where a pixel belongs, [height, width]. */
export type Region = Uint8Array

/** The mask grown by some pixels. */
export function grown(mask: MaskRle, pixels: number): Region {
  return maskToBitmap(growMask(mask, pixels))
}

/** The mask without a border of some pixels. */
export function shrunk(mask: MaskRle, pixels: number): Region {
  return maskToBitmap(growMask(mask, -pixels))
}

/** Everything else. */
export function outside(region: Region): Region {
  return region.map((bit) => 1 - bit)
}

/** In both. */
export function within(a: Region, b: Region): Region {
  return a.map((bit, i) => bit & (b[i] ?? 0))
}

/** In either. */
export function either(a: Region, b: Region): Region {
  return a.map((bit, i) => bit | (b[i] ?? 0))
}

/** The pixels of a box, grown by a share of its sides. */
export function boxRegion(
  { width, height }: Pick<Image, 'width' | 'height'>,
  [x1, y1, x2, y2]: Box,
  grow = 0,
): Region {
  const [dx, dy] = [(x2 - x1) * (grow / 2), (y2 - y1) * (grow / 2)]
  const region = new Uint8Array(width * height)
  for (let y = Math.max(0, Math.floor(y1 - dy)); y < Math.min(height, Math.ceil(y2 + dy)); y++) {
    const from = y * width + Math.max(0, Math.floor(x1 - dx))
    region.fill(1, from, y * width + Math.min(width, Math.ceil(x2 + dx)))
  }
  return region
}

/** Share of the region's pixels for which a test holds; 1 for an empty region. */
export function share(region: Region, holds: (pixel: number) => boolean): number {
  let [whole, good] = [0, 0]
  for (let pixel = 0; pixel < region.length; pixel++) {
    if (region[pixel] !== 1) continue
    whole++
    if (holds(pixel)) good++
  }
  return whole === 0 ? 1 : good / whole
}

/** Whether a pixel differs by at most so many levels of 255 in every channel. */
export function near(before: Image, after: Image, levels: number): (pixel: number) => boolean {
  return (pixel) => {
    for (let i = pixel * 3; i < pixel * 3 + 3; i++) {
      const off = Math.abs((before.data[i] as number) - (after.data[i] as number))
      if (off > levels) return false
    }
    return true
  }
}

/** Whether a pixel is grey to within so many levels. */
export function greyish({ data }: Image, levels: number): (pixel: number) => boolean {
  return (pixel) => {
    const [r, g, b] = [data[pixel * 3], data[pixel * 3 + 1], data[pixel * 3 + 2]] as [
      number,
      number,
      number,
    ]
    return Math.max(r, g, b) - Math.min(r, g, b) <= levels
  }
}

/** Squared differences to the right and lower neighbour, summed over the region. */
export function gradientEnergy({ data, width, height }: Image, region: Region): number {
  let sum = 0
  for (let y = 0; y + 1 < height; y++) {
    for (let x = 0; x + 1 < width; x++) {
      if (region[y * width + x] !== 1) continue
      for (let c = 0; c < 3; c++) {
        const i = (y * width + x) * 3 + c
        const here = data[i] as number
        sum += ((data[i + 3] as number) - here) ** 2 + ((data[i + width * 3] as number) - here) ** 2
      }
    }
  }
  return sum
}
