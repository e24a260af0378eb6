import { seededRandom } from '../../base/index.ts'
import type { Box } from '../../image/index.ts'
import { adam, meanSquare, tune } from '../../onnx/index.ts'
import type { PromptedModel, RunTensor, RunTensors, TuneLoss } from '../../onnx/index.ts'
import { flatPrompt } from '../../tools/index.ts'
import type { LearnableFiller } from '../../tools/index.ts'
import {
  floats,
  lossInputs,
  openLearnable,
  promptsOfStep,
  runWith,
  sessionOf,
} from './fits-model.ts'
import { splitExamples } from './split-examples.ts'
import { againstScores, untuned } from './tuning.ts'
import type { Tuned, TuningExample, TuningOptions } from './tuning.ts'

/** At most so many steps, checked every so many (clova §4.3); a processor's share is less. */
const STEPS = 3000
const CHECK_EVERY = 500
const RATE = 5e-3
const PICTURES = 7
/** Strengths of noise at which held-out pictures are compared. */
const TIMES = [0.25, 0.5, 0.75] as const

interface Patch {
  readonly picture: string
  readonly clean: RunTensor
  readonly feeds: RunTensors
  readonly feature: Float32Array
}

interface Bench {
  readonly model: PromptedModel
  readonly learnable: LearnableFiller
  readonly checks: readonly Patch[]
  readonly concept: string
  readonly options: TuningOptions
}

/**
 * Learns one vector that stands for a concept in the text of a denoiser (REPLACE): textual inversion by the
 * diffusion loss, started at the concept's head noun, its best of several checks kept.
 *
 * It stays when held-out pictures are denoised better with it than with the concept's own words, at the same
 * noise.
 *
 * @source CLOVA §3.4 (REPLACE); Gal et al., An image is worth one word; clova §4.3
 */
export async function tuneFiller(
  learnable: LearnableFiller,
  concept: string,
  examples: readonly TuningExample[],
  options: TuningOptions & { readonly checkEvery?: number } = {},
): Promise<Tuned> {
  const shown = examples.filter((one) => one.positive).slice(0, options.most ?? PICTURES)
  const { training, heldOut, folded } = await splitExamples(shown, options)
  const patches = await patchesOf(training, learnable, options)
  const checks = await patchesOf(heldOut, learnable, options)
  const [first] = patches
  if (first === undefined || checks.length === 0)
    return untuned('It takes two different pictures to learn and to check.', folded)
  const feeds = { ...noisedFeeds(first, 0.5, 0, learnable), ...learnable.text(null) }
  await using model = await openLearnable(learnable, feeds, options)
  const bench: Bench = { model, learnable, checks, concept, options }
  const plain = await errorOf(bench, undefined)
  const start = await learnable.startVector(concept, options)
  let best = { error: Infinity, prompts: {} as RunTensors }
  const every = options.checkEvery ?? CHECK_EVERY
  const steps = options.steps ?? STEPS
  const look = async (prompts: RunTensors): Promise<void> => {
    const error = await errorOf(bench, prompts)
    if (error < best.error) best = { error, prompts }
  }
  const { prompts, curve } = await descend(patches, bench, {
    ...{ steps, start },
    after: async (step, now) => {
      if (step > 0 && step % every === 0) await look(now)
    },
  })
  await look(prompts)
  const scores = { plain: 0, exemplars: null, tuned: Math.max(0, 1 - best.error / plain) }
  const against = options.validate === false ? undefined : againstScores(scores)
  const kept = { picture: first.picture, feature: first.feature, ...flatPrompt(best.prompts) }
  const isKept = against === undefined
  return {
    ...{ kept: isKept ? [kept] : [], folded, steps: curve.length, scores },
    discarded: isKept ? [] : [{ picture: first.picture, reason: against }],
    heldOut: { positives: checks.length, negatives: 0 },
    ...(against === undefined ? {} : { against }),
  }
}

async function patchesOf(
  examples: readonly TuningExample[],
  learnable: LearnableFiller,
  options: TuningOptions,
): Promise<readonly Patch[]> {
  const patches: Patch[] = []
  for (const { image, box } of examples) {
    const whole: Box = box ?? [0, 0, image.width, image.height]
    patches.push({ picture: image.hash, ...(await learnable.patch(image, whole, options)) })
  }
  return patches
}

/** A patch with noise of a time, drawn from a seed. */
function noisedFeeds(
  { clean, feeds }: Patch,
  time: number,
  seed: number | string,
  learnable: LearnableFiller,
): RunTensors {
  const random = seededRandom(seed).fork('noise')
  const kept = learnable.alphaBar(time)
  const [signal, noise] = [Math.sqrt(kept), Math.sqrt(1 - kept)]
  const values = Array.from(clean.data as Float32Array, (x) => signal * x + noise * random.normal())
  return {
    ...feeds,
    [learnable.noisy]: floats(clean.dims, values),
    [learnable.time]: floats([1], [time]),
  }
}

function descend(
  patches: readonly Patch[],
  { learnable, options }: Bench,
  how: {
    readonly steps: number
    readonly start: Float32Array
    readonly after: (step: number, prompts: RunTensors) => Promise<void>
  },
) {
  const [first] = patches as [Patch]
  const fresh = { ...noisedFeeds(first, 0.5, 0, learnable), learn_clean: first.clean }
  const loss: TuneLoss = {
    inputs: lossInputs({ learn_clean: first.clean }),
    build: (b) => meanSquare(b, learnable.predicted, 'learn_clean'),
  }
  const shapes = Object.entries(fresh).flatMap(([name, { dims }]) =>
    name === 'learn_clean' ? [] : [[name, dims] as const],
  )
  return learnable.model(options).then((model) =>
    tune(
      model,
      learnable.injection,
      {
        fixed: learnable.text(null),
        changing: Object.keys(fresh),
        each: ({ random }) => {
          const patch = patches[random.below(patches.length)] ?? first
          const time = 0.02 + 0.96 * random.next()
          const seed = random.below(2 ** 31)
          return { ...noisedFeeds(patch, time, seed, learnable), learn_clean: patch.clean }
        },
      },
      loss,
      {
        ...{
          batch: 1,
          steps: how.steps,
          seed: options.seed ?? 0,
          sizes: Object.fromEntries(shapes),
        },
        ...{ optimizer: adam({ rate: options.rate ?? RATE }), start: { prompt: how.start } },
        ...sessionOf(options),
        stop: async ({ step, prompts }) => {
          await how.after(step, promptsOfStep(prompts, learnable))
          return false
        },
      },
    ),
  )
}

/** Mean square error of held-out pictures, the same noise for all; without a prompt by the concept's words. */
async function errorOf(bench: Bench, prompts: RunTensors | undefined): Promise<number> {
  const { model, learnable, checks, concept, options } = bench
  const text = learnable.text(prompts === undefined ? concept : null)
  let [sum, count] = [0, 0]
  for (const [i, patch] of checks.entries()) {
    for (const time of TIMES) {
      const feeds = { ...noisedFeeds(patch, time, `${i}/${time}`, learnable), ...text }
      const outputs = await runWith(model, feeds, prompts, options)
      const got = outputs[learnable.predicted]?.data as Float32Array
      const due = patch.clean.data as Float32Array
      for (let k = 0; k < due.length; k++) sum += ((got[k] ?? 0) - (due[k] ?? 0)) ** 2
      count += due.length
    }
  }
  return sum / Math.max(1, count)
}
