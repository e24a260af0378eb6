import { maskToBitmap, resizeBytes } from '../../../image/index.ts'
import type { Box, Image, MaskRle } from '../../../image/index.ts'
import type { RunTensor } from '../../../onnx/index.ts'

/** Side of what the inpainter paints. */
export const FILL_SIDE = 64
/** The hole's longer side takes this share of the square, as in training. */
const SHARE = 0.7

/** A square in pixels of the picture; it may reach beyond it. */
export interface Square {
  readonly x: number
  readonly y: number
  readonly side: number
}

/** The square with a margin around a box. */
export function squareAround([x1, y1, x2, y2]: Box): Square {
  const side = Math.max(16, Math.round(Math.max(x2 - x1, y2 - y1) / SHARE))
  return {
    ...{ x: Math.round((x1 + x2 - side) / 2), y: Math.round((y1 + y2 - side) / 2) },
    side,
  }
}

/** What the square holds, at 64 by 64; beyond the picture its border is repeated. [64, 64, 3]. */
export async function squareBytes(image: Image, { x, y, side }: Square): Promise<Uint8Array> {
  const part = new Uint8Array(side * side * 3)
  for (let j = 0; j < side; j++) {
    const row = within(y + j, image.height) * image.width
    for (let i = 0; i < side; i++) {
      const from = (row + within(x + i, image.width)) * 3
      part.set(image.data.subarray(from, from + 3), (j * side + i) * 3)
    }
  }
  const [from, to] = [
    { width: side, height: side },
    { width: FILL_SIDE, height: FILL_SIDE },
  ]
  return resizeBytes(part, from, 3, to, { kernel: 'linear' })
}

/** The part of a mask in the square, [64, 64]: 1 wherever a pixel of the mask falls. */
export async function squareMask(mask: MaskRle, { x, y, side }: Square): Promise<Float32Array> {
  const [height, width] = mask.size
  const bits = maskToBitmap(mask)
  const hole = new Float32Array(FILL_SIDE * FILL_SIDE)
  const scale = FILL_SIDE / side
  for (let j = Math.max(0, y); j < Math.min(height, y + side); j++) {
    for (let i = Math.max(0, x); i < Math.min(width, x + side); i++) {
      if (bits[j * width + i] !== 1) continue
      const [row, column] = [Math.floor((j - y) * scale), Math.floor((i - x) * scale)]
      hole[row * FILL_SIDE + column] = 1
    }
  }
  return closed(hole)
}

/** A small mask leaves gaps when it is enlarged: cells between two filled ones are filled. */
function closed(hole: Float32Array): Float32Array {
  const at = (row: number, column: number): number => hole[row * FILL_SIDE + column] ?? 0
  return hole.map((value, i) => {
    const [row, column] = [Math.floor(i / FILL_SIDE), i % FILL_SIDE]
    const across = at(row, column - 1) + at(row, column + 1) === 2
    const along = at(row - 1, column) + at(row + 1, column) === 2
    return value === 1 || across || along ? 1 : 0
  })
}

/** Bytes [64, 64, 3] as a tensor [1, 3, 64, 64] in -1..1. */
export function signedTensor(bytes: Uint8Array): RunTensor {
  const area = FILL_SIDE * FILL_SIDE
  const data = new Float32Array(area * 3)
  for (let i = 0; i < area; i++) {
    for (let c = 0; c < 3; c++) data[c * area + i] = (bytes[i * 3 + c] as number) / 127.5 - 1
  }
  return { type: 'float32', dims: [1, 3, FILL_SIDE, FILL_SIDE], data }
}

function within(value: number, size: number): number {
  return Math.min(size - 1, Math.max(0, value))
}
