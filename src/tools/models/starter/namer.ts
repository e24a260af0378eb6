import type { Abortable } from '../../../base/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import { dot } from './encoder.ts'
import type { Encoder } from './encoder.ts'
import type { Names } from './names.ts'
import { rowsOf } from './picture-input.ts'
import type { Texts } from './texts.ts'

/** Tells by the encoder what crops show: a second opinion beside the detector's and the segmenter's. */
export interface Namer {
  /** For each box the probability of each known name, and after them of further words. */
  name(
    image: Image,
    boxes: readonly Box[],
    words?: readonly string[],
    options?: Abortable,
  ): Promise<readonly Float32Array[]>
}

/** Pictures of which the features are kept. */
const KEPT = 8

export function starterNamer(encoder: () => Promise<Encoder>, texts: Texts, { all }: Names): Namer {
  const labels = all.map(({ label }) => label)
  const seen = new Map<string, readonly Float32Array[]>()
  return {
    name: async (image, boxes, words = [], options = {}) => {
      const { features, learnable } = await encoder()
      const key = `${image.hash} ${boxes.flat().join(' ')}`
      const rows = seen.get(key) ?? (await features(image, boxes, options))
      seen.set(key, rows)
      if (seen.size > KEPT) seen.delete(seen.keys().next().value ?? '')
      const vectors = rowsOf(await texts.named([...labels, ...words], options))
      return rows.map((row) => softmax(vectors.map((vector) => dot(row, vector) * learnable.scale)))
    },
  }
}

/** Probabilities of logits. */
export function softmax(logits: readonly number[]): Float32Array {
  const top = Math.max(...logits)
  const powers = Float32Array.from(logits, (value) => Math.exp(value - top))
  const total = powers.reduce((sum, value) => sum + value, 0)
  return powers.map((value) => value / total)
}
