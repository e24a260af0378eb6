/**
 * From a file to a tuned prompt: teaches a CLIP image encoder a name for two pictures.
 *
 *   node examples/onnx-prompt.ts MODEL
 */
import type { RunTensor, TuneResult } from '../src/onnx/index.ts'
import { adam, contrastive, openPrompted, readModel, tune } from '../src/onnx/index.ts'

/** What is learnt from: pictures, embeddings of the names, and which name each picture has. */
export interface Lesson {
  /** [pictures, 3, height, width], preprocessed as the model wants it. */
  readonly pictures: RunTensor
  /** [names, width] of length one, from the text encoder. */
  readonly names: RunTensor
  /** [pictures] of int64. */
  readonly labels: RunTensor
}

const layers = { kind: 'layers', layers: 2, count: 4, from: 'pixel_values' } as const

/** Learns four prompts for each of the first two layers. */
export async function learn(path: string, lesson: Lesson): Promise<TuneResult> {
  const { pictures, names, labels } = lesson
  return tune(
    readModel(path),
    layers,
    { fixed: { pixel_values: pictures, names, labels } },
    {
      inputs: [
        { name: 'names', type: names.type, dims: names.dims },
        { name: 'labels', type: labels.type, dims: labels.dims },
      ],
      build: (b) => contrastive(b, 'image_embeds', 'names', 'labels', { scale: 10 }),
    },
    {
      batch: pictures.dims[0] ?? 1,
      steps: 60,
      optimizer: adam({ rate: 3e-2 }),
      stop: ({ loss }) => loss < 0.05,
    },
  )
}

/** Embeddings of pictures, with prompts or, without them, by the plain model bit for bit. */
export async function embed(
  path: string,
  pictures: RunTensor,
  prompts?: TuneResult['prompts'],
): Promise<RunTensor> {
  await using model = await openPrompted(readModel(path), layers, {
    batch: pictures.dims[0] ?? 1,
    sizes: { pixel_values: pictures.dims },
  })
  const { image_embeds } = await model.run({ pixel_values: pictures }, prompts)
  if (image_embeds === undefined) throw new Error('the model gives no image_embeds')
  return image_embeds
}
