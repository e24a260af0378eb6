import { noProgress } from '../../base/index.ts'
import { maskFromBox, maskToBitmap } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { adam, assign, maskLoss, rowsAt, tune } from '../../onnx/index.ts'
import type { PromptedModel, RunTensor, RunTensors, TuneLoss } from '../../onnx/index.ts'
import { flatPrompt } from '../../tools/index.ts'
import type { LearnableSegmenter, PaddedPicture } from '../../tools/index.ts'
import { ensembleOf } from './ensemble-of.ts'
import { floats, lossInputs, longs, openLearnable, runWith, sessionOf } from './fits-model.ts'
import { splitExamples } from './split-examples.ts'
import { againstScores, untuned } from './tuning.ts'
import type { Discarded, Tuned, TunedPrompt, TuningExample, TuningOptions } from './tuning.ts'

const STEPS = 100
const RATE = 1e-1
/** Different pictures; the paper takes 50, on a processor it is 10. */
const PICTURES = 10
/** Mean overlap that held-out pictures must reach. */
const GOOD_FROM = 0.5

/** A picture with the masks of the concept in it, at the size of the model's masks. */
interface Masked {
  readonly image: Image
  readonly padded: PaddedPicture
  readonly feature: Float32Array
  /** [targets][height · width] of 0 and 1. */
  readonly targets: readonly Float32Array[]
}

interface Bench {
  readonly model: PromptedModel
  readonly learnable: LearnableSegmenter
  readonly options: TuningOptions
}

/**
 * Learns prompts by which a segmenter outlines a concept (SEG): one a picture, focal and dice loss of the masks
 * of the concept alone, each matched to the mask that lies over it most.
 *
 * Prompts stay when held-out pictures reach a mean overlap of 0.5 and more than without them.
 *
 * @param examples  with masks; boxes stand for what has none
 * @source CLOVA §3.4 (SEG); clova §4.3
 */
export async function tuneSegmenter(
  learnable: LearnableSegmenter,
  examples: readonly TuningExample[],
  options: TuningOptions = {},
): Promise<Tuned> {
  const shown = examples.filter((one) => one.positive)
  const { training, heldOut, folded } = await splitExamples(shown, options)
  const first = training[0] ?? heldOut[0]
  if (first === undefined || heldOut.length === 0)
    return untuned('It takes two different pictures to learn and to check.', folded)
  const sample = await learnable.picture(first.image, options)
  const feeds = { [learnable.pixels]: sample.pixels }
  await using model = await openLearnable(learnable, feeds, options)
  const sizes = (await runWith(model, feeds, undefined, options))[learnable.masks]?.dims ?? []
  const size = { height: sizes[2] ?? 0, width: sizes[3] ?? 0 }
  const bench: Bench = { model, learnable, options }
  const pictures = await maskedOf(training, size, bench)
  const checks = await maskedOf(heldOut, size, bench)
  const plain = await overlapOf(checks, bench, () => undefined)
  const made = await tuneEach(pictures, checks, plain, bench)
  const ensemble = ensembleOf(made.kept)
  const tuned =
    made.kept.length === 0
      ? null
      : await overlapOf(checks, bench, ({ feature }) => ensemble(feature)?.prompts)
  const scores = { plain, exemplars: null, tuned }
  const against = options.validate === false ? undefined : againstScores(scores)
  return {
    ...{ ...made, scores, folded, heldOut: { positives: checks.length, negatives: 0 } },
    ...(against === undefined ? {} : { against }),
  }
}

interface MaskSize {
  readonly height: number
  readonly width: number
}

async function maskedOf(
  examples: readonly TuningExample[],
  size: MaskSize,
  { learnable, options }: Bench,
): Promise<readonly Masked[]> {
  const made: Masked[] = []
  for (const own of Map.groupBy(examples, ({ image }) => image.hash).values()) {
    const { image } = own[0] as TuningExample // groups are never empty
    const padded = await learnable.picture(image, options)
    made.push({
      ...{ image, padded, feature: await learnable.feature(image, options) },
      targets: own.map((one) => targetOf(one, padded, size)),
    })
  }
  return made
}

/** The mask as the model would give it: the padded square at the size of its masks. */
function targetOf(
  { image, mask, box }: TuningExample,
  { side }: PaddedPicture,
  { height, width }: MaskSize,
): Float32Array {
  const whole =
    mask ?? maskFromBox(box ?? [0, 0, image.width, image.height], image.height, image.width)
  const bits = maskToBitmap(whole)
  const target = new Float32Array(height * width)
  for (let i = 0; i < target.length; i++) {
    const x = Math.floor((((i % width) + 0.5) / width) * side)
    const y = Math.floor(((Math.floor(i / width) + 0.5) / height) * side)
    if (x < image.width && y < image.height) target[i] = bits[y * image.width + x] === 0 ? 0 : 1
  }
  return target
}

async function tuneEach(
  pictures: readonly Masked[],
  checks: readonly Masked[],
  plain: number,
  bench: Bench,
): Promise<Pick<Tuned, 'kept' | 'discarded' | 'steps'>> {
  const { options } = bench
  const { progress = noProgress } = options
  const kept: TunedPrompt[] = []
  const discarded: Discarded[] = []
  let steps = 0
  const chosen = pictures.slice(0, options.most ?? PICTURES)
  for (const [i, picture] of chosen.entries()) {
    const total = chosen.length
    progress({ task: 'learn', status: 'progress', loaded: i, total, unit: 'pictures' })
    const { prompts, curve } = await descend(picture, bench, i)
    steps += curve.length
    const reason = await failing(checks, prompts, plain, bench)
    const { hash } = picture.image
    if (reason !== undefined) discarded.push({ picture: hash, reason })
    else kept.push({ picture: hash, feature: picture.feature, ...flatPrompt(prompts) })
  }
  return { kept, discarded, steps }
}

async function failing(
  checks: readonly Masked[],
  prompts: RunTensors,
  plain: number,
  bench: Bench,
): Promise<string | undefined> {
  if (bench.options.validate === false) return undefined
  const overlap = await overlapOf(checks, bench, () => prompts)
  const shown = (value: number): string => value.toFixed(2)
  if (overlap < GOOD_FROM) {
    return `With it masks of held-out pictures overlap by ${shown(overlap)}, below ${GOOD_FROM}.`
  }
  return overlap > plain
    ? undefined
    : `Without it masks overlap by ${shown(plain)}, with it no more.`
}

async function descend(picture: Masked, bench: Bench, number: number) {
  const { learnable, options, model } = bench
  const fixed = { [learnable.pixels]: picture.padded.pixels }
  let masks = (await runWith(model, fixed, undefined, options))[learnable.masks]
  const [, , height = 0, width = 0] = masks?.dims ?? []
  const count = Math.min(picture.targets.length, learnable.count)
  const targets = picture.targets.slice(0, count)
  const fed = {
    learn_masks: floats(
      [count, height, width],
      targets.flatMap((one) => [...one]),
    ),
    learn_query: longs([1, count], new Array<number>(count).fill(0)),
  }
  const loss: TuneLoss = {
    inputs: lossInputs(fed),
    build: (b) => {
      const own = b.reshape(rowsAt(b, learnable.masks, 'learn_query'), [count, height, width])
      return maskLoss(b, own, 'learn_masks')
    },
  }
  return tune(
    await learnable.model(options),
    learnable.injection,
    {
      fixed: { ...fixed, learn_masks: fed.learn_masks },
      changing: ['learn_query'],
      each: ({ outputs }) => {
        masks = outputs[learnable.masks] ?? masks
        return {
          learn_query: longs(
            [1, count],
            matchMasks(masks, targets).map(({ query }) => query),
          ),
        }
      },
    },
    loss,
    {
      ...{ batch: 1, steps: options.steps ?? STEPS, seed: `${options.seed ?? 0}/${number}` },
      ...{ optimizer: adam({ rate: options.rate ?? RATE }), outputs: [learnable.masks] },
      ...sessionOf(options),
    },
  )
}

/** For each target the mask that lies over it most, each mask once. */
function matchMasks(
  masks: RunTensor | undefined,
  targets: readonly Float32Array[],
): readonly { readonly query: number; readonly overlap: number }[] {
  const [, queries = 0, height = 0, width = 0] = masks?.dims ?? []
  const data = masks?.data as Float32Array
  const size = height * width
  const over = targets.map((target) =>
    Array.from({ length: queries }, (_, q) => overlapOfMask(data, q * size, target)),
  )
  const chosen = assign(over.map((row) => row.map((value) => 1 - value)))
  return chosen.map((query, i) => ({ query, overlap: over[i]?.[query] ?? 0 }))
}

function overlapOfMask(logits: Float32Array, start: number, target: Float32Array): number {
  let [both, either] = [0, 0]
  for (let i = 0; i < target.length; i++) {
    const inside = (logits[start + i] ?? 0) > 0
    const wanted = target[i] === 1
    if (inside && wanted) both++
    if (inside || wanted) either++
  }
  return either === 0 ? 0 : both / either
}

async function overlapOf(
  pictures: readonly Masked[],
  { model, learnable, options }: Bench,
  promptsFor: (picture: Masked) => RunTensors | undefined,
): Promise<number> {
  const all: number[] = []
  for (const picture of pictures) {
    const feeds = { [learnable.pixels]: picture.padded.pixels }
    const outputs = await runWith(model, feeds, promptsFor(picture), options)
    const targets = picture.targets.slice(0, learnable.count)
    all.push(...matchMasks(outputs[learnable.masks], targets).map(({ overlap }) => overlap))
  }
  return all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
}
