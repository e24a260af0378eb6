import type { Abortable } from '../../../base/index.ts'
import { cropImage, pixelBox, resizeBytes, scaleAboutCentre } from '../../../image/index.ts'
import type { Box, Image, Pixels } from '../../../image/index.ts'
import type { RunTensor } from '../../../onnx/index.ts'
import type { PaddedPicture } from '../../learnable.ts'
import { planes, UNIT } from '../photo/model-input.ts'

/** Side of what LOC, SEG and VQA see, in pixels. */
export const PICTURE_SIDE = 256
/** Side of the crops that SELECT and CLASSIFY see. */
export const CROP_SIDE = 64
/** A box grown so much is seen: tight boxes cut what tells things apart. */
const GROWN = 1.1
/** Small pictures are enlarged at most so much: training showed nothing blurrier. */
const MOST_ENLARGED = 2
/** What lies beyond the picture. */
const BEYOND = 0.5

/** The picture scaled to fit 256 at the upper left, grey beyond; [1, 3, 256, 256] in 0..1. */
export async function paddedPicture(
  image: Image,
  { signal }: Abortable = {},
): Promise<PaddedPicture> {
  const scale = Math.min(PICTURE_SIDE / Math.max(image.width, image.height), MOST_ENLARGED)
  const width = Math.max(1, Math.round(image.width * scale))
  const height = Math.max(1, Math.round(image.height * scale))
  const data = await sized(image, { width, height }, signal)
  const inner = planes({ width, height, data }, UNIT).data as Float32Array
  const area = PICTURE_SIDE * PICTURE_SIDE
  const out = new Float32Array(3 * area).fill(BEYOND)
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      const from = (c * height + y) * width
      out.set(inner.subarray(from, from + width), c * area + y * PICTURE_SIDE)
    }
  }
  const pixels: RunTensor = {
    ...{ type: 'float32', dims: [1, 3, PICTURE_SIDE, PICTURE_SIDE], data: out },
  }
  return { pixels, side: PICTURE_SIDE / scale }
}

/** What a box holds, with a margin of a twentieth on each side, squashed to 64 by 64; [1, 3, 64, 64] in 0..1. */
export async function cropPixels(
  image: Image,
  box: Box,
  { signal }: Abortable = {},
): Promise<RunTensor> {
  const part = cropImage(
    image,
    pixelBox(scaleAboutCentre(box, GROWN), image) ?? [0, 0, image.width, image.height],
  )
  const size = { width: CROP_SIDE, height: CROP_SIDE }
  return planes({ ...size, data: await sized(part, size, signal) }, UNIT)
}

async function sized(
  image: Pixels,
  size: { readonly width: number; readonly height: number },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (image.width === size.width && image.height === size.height) return image.data
  return resizeBytes(image.data, image, 3, size, { kernel: 'linear', signal })
}

/** Tensors of one picture each as one tensor of all. */
export function stacked(tensors: readonly RunTensor[]): RunTensor {
  const [first] = tensors
  if (first === undefined) return { type: 'float32', dims: [0], data: new Float32Array() }
  const size = first.data.length
  const data = new Float32Array(size * tensors.length)
  tensors.forEach((one, i) => data.set(one.data as Float32Array, i * size))
  return { type: 'float32', dims: [tensors.length, ...first.dims.slice(1)], data }
}

/** The rows of a tensor [n, width]. */
export function rowsOf({ data, dims }: RunTensor): readonly Float32Array[] {
  const [n = 0] = dims
  const width = n === 0 ? 0 : data.length / n
  return Array.from({ length: n }, (_, i) =>
    (data as Float32Array).subarray(i * width, (i + 1) * width),
  )
}
