import type { Abortable } from '../../../base/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import type { Injection, RunTensors } from '../../../onnx/index.ts'
import type { LearnableEncoder } from '../../learnable.ts'
import type { StarterModels } from './models.ts'
import { CROP_SIDE, cropPixels, rowsOf, stacked } from './picture-input.ts'
import type { Texts } from './texts.ts'

/** Prompts of each of the first three layers (the paper: 100 of a larger model). */
const INJECTION: Injection = { kind: 'layers', layers: 3, count: 10 }

/** Crops as unit vectors in the space of the texts. */
export interface Encoder {
  /** One vector for each box. */
  features(
    image: Image,
    boxes: readonly Box[],
    options?: Abortable,
  ): Promise<readonly Float32Array[]>
  /** One box, with prompts of a concept. */
  prompted(image: Image, box: Box, prompts: RunTensors, options?: Abortable): Promise<Float32Array>
  readonly learnable: LearnableEncoder
}

/** SELECT's and CLASSIFY's eye. @source CLOVA §4 (CLIP); picture-world §9 */
export async function starterEncoder(models: StarterModels, texts: Texts): Promise<Encoder> {
  const [{ scale = 1 }, hash] = [await models.card('encoder'), await models.hash('encoder', 'text')]
  const plan = {
    ...{ name: 'encoder', model: () => models.graph('encoder'), injection: INJECTION },
    sizes: { pixels: [1, 3, CROP_SIDE, CROP_SIDE] },
  }
  const features: Encoder['features'] = async (image, boxes, options = {}) => {
    if (boxes.length === 0) return []
    const crops = await Promise.all(boxes.map((box) => cropPixels(image, box, options)))
    const session = await models.session('encoder')
    const { image: rows } = await session.run({ pixels: stacked(crops) }, options)
    return rows === undefined ? [] : rowsOf(rows)
  }
  return {
    features,
    prompted: async (image, box, prompts, options = {}) => {
      const model = await models.prompted(plan)
      const pixels = await cropPixels(image, box, options)
      const { image: row } = await model.run({ pixels }, prompts, options)
      return row?.data as Float32Array // the model's one output
    },
    learnable: {
      ...{ kind: 'encoder', name: 'starter/encoder', tools: ['SELECT', 'CLASSIFY'], hash },
      ...{ injection: INJECTION, model: plan.model, pixels: 'pixels', image: 'image', scale },
      crop: cropPixels,
      texts: (names, options) => texts.named(names, options),
      feature: async (image, box, options) =>
        (await features(image, [box], options))[0] as Float32Array, // one box, one vector
    },
  }
}

/** Of two unit vectors. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}
