import type { Abortable } from '../../../base/index.ts'
import type { Image } from '../../../image/index.ts'
import type { Injection, RunTensor, RunTensors } from '../../../onnx/index.ts'
import type { LearnableDetector } from '../../learnable.ts'
import type { StarterModels } from './models.ts'
import type { Names } from './names.ts'
import { paddedPicture, PICTURE_SIDE, rowsOf } from './picture-input.ts'
import type { Texts } from './texts.ts'

/** Prompts among the tokens of the picture (the paper: 100 of a larger model). */
const INJECTION: Injection = { kind: 'through', count: 10 }
/** Pictures whose sight is kept. */
const KEPT = 6

/** A place in a picture with how well each name asked for fits it, 0..1. */
export interface Place {
  /** In pixels of the picture. */
  readonly box: readonly [x1: number, y1: number, x2: number, y2: number]
  readonly scores: Float32Array
}

/** What the detector sees. */
export interface Eyes {
  /** Places with the scores of every known name, in the order of the names; kept for some pictures. */
  known(image: Image, options?: Abortable): Promise<readonly Place[]>
  /** Places with the scores of other words. */
  asked(image: Image, words: readonly string[], options?: Abortable): Promise<readonly Place[]>
  /** Places with the score of one word, with prompts of its concept. */
  prompted(
    image: Image,
    word: string,
    prompts: RunTensors,
    options?: Abortable,
  ): Promise<readonly Place[]>
  /** Of the whole picture. */
  feature(image: Image, options?: Abortable): Promise<Float32Array>
  learnable(): Promise<LearnableDetector>
}

interface Sight {
  readonly places: readonly Place[]
  readonly pooled: Float32Array
}

/** LOC's eye. @source CLOVA §4 (OWL-ViT); picture-world §9 */
export function starterEyes(models: StarterModels, texts: Texts, names: Names): Eyes {
  const seen = new Map<string, Promise<Sight>>()
  const plan = {
    ...{ name: 'detector', model: () => models.graph('detector'), injection: INJECTION },
    sizes: { pixels: [1, 3, PICTURE_SIDE, PICTURE_SIDE], queries: [1, 192] },
  }
  const look = async (image: Image, words: readonly string[], options: Abortable) => {
    const [{ pixels, side }, queries, session] = await Promise.all([
      paddedPicture(image, options),
      texts.named(words, options),
      models.session('detector'),
    ])
    const out = await session.run({ pixels, queries }, options)
    return {
      places: placesOf(out['boxes'], out['logits'], side),
      pooled: out['pooled']?.data as Float32Array, // an output of the model
    }
  }
  const labels = names.all.map(({ label }) => label)
  const sight = (image: Image, options: Abortable = {}): Promise<Sight> => {
    const key = `${image.hash} ${image.width}x${image.height}`
    const known = seen.get(key)
    if (known !== undefined) return known
    // Shared by all who look at this picture, so that one caller's signal must not end it.
    options.signal?.throwIfAborted()
    const looking = look(image, labels, {})
    seen.set(key, looking)
    looking.catch(() => seen.delete(key))
    if (seen.size > KEPT) seen.delete(seen.keys().next().value ?? '')
    return looking
  }
  const feature: Eyes['feature'] = async (image, options) => (await sight(image, options)).pooled
  return {
    known: async (image, options) => (await sight(image, options)).places,
    asked: async (image, words, options = {}) => (await look(image, words, options)).places,
    prompted: async (image, word, prompts, options = {}) => {
      const model = await models.prompted(plan)
      const [{ pixels, side }, queries] = await Promise.all([
        paddedPicture(image, options),
        texts.named([word], options),
      ])
      const out = await model.run({ pixels, queries }, prompts, options)
      return placesOf(out['boxes'], out['logits'], side)
    },
    feature,
    learnable: async () => ({
      ...{ kind: 'detector', name: 'starter/detector', tools: ['LOC'] },
      hash: await models.hash('detector', 'text'),
      ...{ injection: INJECTION, model: plan.model, pixels: 'pixels' },
      ...{ boxes: 'boxes', logits: 'logits', boxForm: 'corners' },
      picture: paddedPicture,
      asked: async (asked, options) => ({ queries: await texts.named(asked, options) }),
      feature,
    }),
  }
}

/** Boxes 0..1 of the padded square, and logits before the sigmoid, as places in the picture. */
function placesOf(
  boxes: RunTensor | undefined,
  logits: RunTensor | undefined,
  side: number,
): readonly Place[] {
  if (boxes === undefined || logits === undefined) return []
  const corners = rowsOf({ ...boxes, dims: boxes.dims.slice(1) })
  const scores = rowsOf({ ...logits, dims: logits.dims.slice(1) })
  return corners.map((row, i) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = row.map((value) => value * side)
    return { box: [x1, y1, x2, y2], scores: (scores[i] ?? new Float32Array()).map(sigmoid) }
  })
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x))
}
