import type { Mask } from './regions.ts'

/**
 * A mask as pixels for a canvas: the colour where it is set, clear elsewhere.
 *
 * Run lengths are column-major and begin with zeros (COCO).
 *
 * @returns [height, width, 4], row-major
 */
export function maskPixels(
  { size: [height, width], counts }: Pick<Mask, 'size' | 'counts'>,
  [r, g, b, a]: readonly [number, number, number, number],
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(width * height * 4)
  let at = 0
  let set = false
  for (const count of counts) {
    if (set) {
      for (let i = at; i < at + count; i++) {
        const to = ((i % height) * width + Math.floor(i / height)) * 4
        pixels[to] = r
        pixels[to + 1] = g
        pixels[to + 2] = b
        pixels[to + 3] = a
      }
    }
    at += count
    set = !set
  }
  return pixels
}
