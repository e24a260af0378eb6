import type { Pixels } from '../../../image/index.ts'
import type { RunTensor } from '../../../onnx/index.ts'

/** What is done to each channel: value = (byte - mean) / deviation. */
export interface Scaling {
  readonly mean: readonly [number, number, number]
  readonly deviation: readonly [number, number, number]
}

export const PLAIN: Scaling = { mean: [0, 0, 0], deviation: [1, 1, 1] }
/** 0..1. */
export const UNIT: Scaling = { mean: [0, 0, 0], deviation: [255, 255, 255] }
/** -1..1. */
export const SIGNED: Scaling = { mean: [127.5, 127.5, 127.5], deviation: [127.5, 127.5, 127.5] }

/** Pixels as a tensor [1, height, width, 3], channels in the order R, G, B. */
export function channelsLast({ width, height, data }: Pixels, scaling: Scaling): RunTensor {
  const out = new Float32Array(data.length)
  const [m0, m1, m2] = scaling.mean
  const [d0, d1, d2] = scaling.deviation
  for (let i = 0; i < data.length; i += 3) {
    out[i] = ((data[i] as number) - m0) / d0
    out[i + 1] = ((data[i + 1] as number) - m1) / d1
    out[i + 2] = ((data[i + 2] as number) - m2) / d2
  }
  return { type: 'float32', dims: [1, height, width, 3], data: out }
}

/**
 * Pixels as a tensor [1, 3, height, width].
 *
 * @param order  planes in the order R, G, B or B, G, R; the scaling is given in the same order
 */
export function planes(
  { width, height, data }: Pixels,
  scaling: Scaling,
  order: 'rgb' | 'bgr' = 'rgb',
): RunTensor {
  const area = width * height
  const out = new Float32Array(area * 3)
  for (let c = 0; c < 3; c++) {
    const from = order === 'rgb' ? c : 2 - c
    const mean = scaling.mean[c] as number
    const deviation = scaling.deviation[c] as number
    for (let p = 0, i = from, o = c * area; p < area; p++, i += 3, o++) {
      out[o] = ((data[i] as number) - mean) / deviation
    }
  }
  return { type: 'float32', dims: [1, 3, height, width], data: out }
}
