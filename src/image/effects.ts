import { expected, orAbort } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { Size } from './box.ts'
import { inwardWeights } from './distance.ts'
import { editedImage } from './image.ts'
import { loadSharp, plainBytes } from './native.ts'
import { eachRun, maskToBitmap } from './rle.ts'
import type { Image, MaskRle } from './types.ts'

/** Red, green, blue, 0..255. */
export type Rgb = readonly [r: number, g: number, b: number]

/** Luma of a colour, 0..255, unrounded: 0.299 R + 0.587 G + 0.114 B. */
export function luma(r: number, g: number, b: number): number {
  return 0.299 * r + 0.587 * g + 0.114 * b
}

/** The picture in greys, still three channels. */
export function grayscale(image: Image): Image {
  return editedImage(image, greyBytes(image.data))
}

function greyBytes(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i += 3) {
    const grey = luma(data[i] as number, data[i + 1] as number, data[i + 2] as number)
    out[i] = out[i + 1] = out[i + 2] = Math.round(grey)
  }
  return out
}

/** Grey outside the mask; inside bit-identical (program-language §8, COLORPOP). */
export function colourPop(image: Image, mask: MaskRle): Image {
  checkSize(image, mask)
  const out = greyBytes(image.data)
  copyInside(image.data, out, mask)
  return editedImage(image, out)
}

/** Copies what lies inside the mask, bit for bit. */
function copyInside(from: Uint8Array, to: Uint8Array, mask: MaskRle): void {
  const width = mask.size[1]
  eachRun(mask, (x, y1, y2) => {
    for (let y = y1, i = (y1 * width + x) * 3; y < y2; y++, i += width * 3) {
      to[i] = from[i] as number
      to[i + 1] = from[i + 1] as number
      to[i + 2] = from[i + 2] as number
    }
  })
}

/** The picture under a Gaussian; `sigma` in pixels, at least 0.3. */
export async function blurImage(
  image: Image,
  sigma: number,
  options: Abortable = {},
): Promise<Image> {
  return editedImage(image, await blurBytes(image.data, image, 3, sigma, options))
}

/** Raw pixels of 1 or 3 channels under a Gaussian; borders are continued. */
export async function blurBytes(
  data: Uint8Array,
  { width, height }: Size,
  channels: 1 | 3,
  sigma: number,
  { signal }: Abortable = {},
): Promise<Uint8Array> {
  const sharp = await loadSharp()
  const blurred = sharp(data, { raw: { width, height, channels } })
    .blur({ sigma, precision: 'float', minAmplitude: 0.01 })
    .raw()
  const pixels = channels === 1 ? blurred.toColourspace('b-w') : blurred
  return plainBytes(await orAbort(pixels.toBuffer(), signal))
}

export interface BackgroundBlurOptions extends Abortable {
  /** Blur of the background in pixels, default 2. */
  readonly sigma?: number
  /** Softness of the transition outside the mask in pixels, default 5. */
  readonly edge?: number
}

/**
 * Blurred outside the mask, bit-identical inside, with a soft transition outside it.
 *
 * The weight of the sharp picture is max(mask, mask blurred with `edge`).
 * @source program-language §8, BGBLUR
 */
export async function blurBackground(
  image: Image,
  mask: MaskRle,
  options: BackgroundBlurOptions = {},
): Promise<Image> {
  checkSize(image, mask)
  const { sigma = 2, edge = 5, signal } = options
  const bits = maskToBitmap(mask).map((bit) => bit * 255)
  const [soft, blurred] = await Promise.all([
    blurBytes(bits, image, 1, edge, { signal }),
    blurBytes(image.data, image, 3, sigma, { signal }),
  ])
  const out = new Uint8Array(image.data.length)
  for (let p = 0, i = 0; p < bits.length; p++) {
    const weight = Math.max(bits[p] as number, soft[p] as number) / 255
    for (let c = 0; c < 3; c++, i++) {
      const there = blurred[i] as number
      out[i] = Math.round(there + weight * ((image.data[i] as number) - there))
    }
  }
  return editedImage(image, out)
}

/**
 * `over` inside the mask, `base` outside it, bit-identical there; the blend goes inwards only.
 *
 * @param options.feather  width of the blend in pixels, default 0
 */
export function compositeInside(
  base: Image,
  over: Pick<Image, 'width' | 'height' | 'data'>,
  mask: MaskRle,
  options: { readonly feather?: number } = {},
): Image {
  checkSize(base, mask)
  if (over.width !== base.width || over.height !== base.height) {
    throw expected(`a picture of ${base.width} x ${base.height}`, 'over', [over.width, over.height])
  }
  const out = Uint8Array.from(base.data)
  const inward = inwardWeights(mask, options.feather ?? 0)
  if (inward === undefined) return base
  const [x1, y1, x2, y2] = inward.part
  for (let y = y1, p = 0; y < y2; y++) {
    for (let x = x1, i = (y * base.width + x1) * 3; x < x2; x++, p++, i += 3) {
      const weight = inward.weights[p] as number
      if (weight === 0) continue
      for (let c = i; c < i + 3; c++) {
        const under = out[c] as number
        out[c] = Math.round(under + weight * ((over.data[c] as number) - under))
      }
    }
  }
  return editedImage(base, out)
}

/** The mask's pixels tinted; `strength` 0..1, default 0.5. */
export function tintInside(image: Image, mask: MaskRle, colour: Rgb, strength = 0.5): Image {
  checkSize(image, mask)
  const out = Uint8Array.from(image.data)
  const width = image.width
  eachRun(mask, (x, y1, y2) => {
    for (let y = y1; y < y2; y++) {
      for (let c = 0, i = (y * width + x) * 3; c < 3; c++, i++) {
        const under = out[i] as number
        out[i] = Math.round(under + strength * ((colour[c] as number) - under))
      }
    }
  })
  return editedImage(image, out)
}

function checkSize(image: Size, mask: MaskRle): void {
  const [height, width] = mask.size
  if (width !== image.width || height !== image.height) {
    throw expected(
      `a mask of ${image.width} x ${image.height} (its picture's size)`,
      'mask',
      `${width} x ${height}`,
    )
  }
}
