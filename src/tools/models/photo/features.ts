import type { Abortable } from '../../../base/index.ts'
import { cropImage, pixelBox, resizeBytes } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import { CENTERNET_SIDE } from './eyes.ts'
import { channelsLast, PLAIN } from './model-input.ts'
import { CENTERNET_FEATURES } from './model-builders.ts'
import type { PhotoModels } from './models.ts'

/** Describes what a box holds by numbers, for learning concepts from a few examples. */
export interface Features {
  /** Which net, so that vectors of another are never compared. */
  readonly name: string
  readonly size: number
  /** A vector of unit length; compare by cosine. */
  embed(image: Image, box: Box, options?: Abortable): Promise<Float32Array>
  /** How they are compared; default as features of photographs are. */
  readonly likeness?: Likeness
}

/** Similarity of two features, -1..1, and from which on they show the same concept. */
export interface Likeness {
  readonly like: (a: Float32Array, b: Float32Array) => number
  /** The more examples there are, the likelier one of them is near by chance. */
  readonly from: (examples: number) => number
}

/**
 * 480 numbers from the detector's backbone: the crop squashed to its input, features after ReLU,
 * mean over the plane, unit length; some 30 ms.
 *
 * @source photo-starter §9
 */
export function photoFeatures(models: PhotoModels): Features {
  const side = CENTERNET_SIDE
  return {
    name: 'photo/centernet-480',
    size: 480,
    embed: async (image, box, { signal } = {}) => {
      const cut = cropImage(image, pixelBox(box, image) ?? [0, 0, image.width, image.height])
      const size = { width: side, height: side }
      const data = await resizeBytes(cut.data, cut, 3, size, { kernel: 'linear', signal })
      const session = await models.session('centernet', { signal })
      const results = await session.run(
        { 'tower_0/images': channelsLast({ ...size, data }, PLAIN) },
        { fetch: [CENTERNET_FEATURES], signal },
      )
      return pooled(results[CENTERNET_FEATURES]?.data as Float32Array, 480)
    },
  }
}

/**
 * ReLU, mean over the plane, unit length.
 *
 * @param plane  [height, width, channels] row-major
 */
export function pooled(plane: Float32Array, channels: number): Float32Array {
  const sums = new Float64Array(channels)
  for (let i = 0; i < plane.length; i++) {
    const value = plane[i] as number
    if (value > 0) sums[i % channels] = (sums[i % channels] as number) + value
  }
  const length = Math.hypot(...sums)
  return Float32Array.from(sums, (sum) => (length === 0 ? 0 : sum / length))
}

/** Cosine of two vectors of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
