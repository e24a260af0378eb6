import { noProgress, UserFault } from '../../base/index.ts'
import type { Box } from '../../image/index.ts'
import { adam, crossEntropy, normalised, similarities, tune } from '../../onnx/index.ts'
import type { PromptedModel, RunTensor, RunTensors, TuneLoss } from '../../onnx/index.ts'
import { flatPrompt } from '../../tools/index.ts'
import type { LearnableEncoder } from '../../tools/index.ts'
import { ensembleOf } from './ensemble-of.ts'
import {
  floats,
  lossInputs,
  openLearnable,
  promptsOfStep,
  runWith,
  sessionOf,
} from './fits-model.ts'
import { foldCopies, holdOut } from './split-examples.ts'
import { againstScores } from './tuning.ts'
import type {
  Discarded,
  Tuned,
  TunedPrompt,
  TuningExample,
  TuningOptions,
  TuningScores,
} from './tuning.ts'

/** Steps and rate of the paper; pictures of other things beside each instance. */
const STEPS = 100
const RATE = 1e-2
const INSTANCES = 6
const BESIDE = 6
/** How often an instance is checked for being good enough, once its loss is this low. */
const CHECK_EVERY = 10
const SURE = 0.1
/** Fewer different pictures teach nothing that could be checked. */
const LEAST = 3

/** An example as the encoder takes it, with what the plain encoder says of it. */
interface Seen {
  readonly example: TuningExample
  readonly pixels: RunTensor
  readonly feature: Float32Array
  /** Row of its name among the texts; 0 is the concept. */
  readonly name: number
}

interface Bench {
  readonly model: PromptedModel
  readonly learnable: LearnableEncoder
  readonly texts: RunTensor
  readonly heldOut: readonly Seen[]
  readonly options: TuningOptions
}

/**
 * Learns prompts for a concept by which an encoder tells it from other things (SELECT, CLASSIFY).
 *
 * One prompt a training picture, contrastive over it and pictures of other things under their names. At
 * inference the concept's text meets the feature with its prompts and other names meet the plain one; the
 * loss compares them as it is done there (the paper's compares all with one feature). A prompt
 * stays when with it the held-out pictures of the concept rank it first (two of three of them do) and no
 * other held-out picture does that did not before; their ensemble must beat the plain encoder and the nearest neighbour.
 *
 * @throws UserFault `E_EXAMPLES` for fewer than three different pictures, or none of anything else
 * @source CLOVA §3.4; clova §4.3 (SELECT, CLASSIFY), §4.4
 */
export async function tuneEncoder(
  learnable: LearnableEncoder,
  concept: string,
  examples: readonly TuningExample[],
  options: TuningOptions = {},
): Promise<Tuned> {
  const fresh = await foldCopies(examples, options)
  const others = new Set(examples.filter((one) => !one.positive).map(({ name }) => name))
  const names = [concept, ...[...others].filter((name) => name !== concept)]
  const all = await inTurn(fresh, (one) => lookAt(one, names, learnable, options))
  const strange = options.validate === false ? [] : strangers(all)
  const { training: seen, heldOut: held } = holdOut(
    all.filter((one) => !strange.includes(one)),
    ({ example }) => example,
  )
  checkEnough([...seen, ...held], concept)
  const texts = await learnable.texts(names, options)
  const sizes = { [learnable.pixels]: floats(all[0]?.pixels.dims ?? [], []) }
  await using model = await openLearnable(learnable, sizes, options)
  const bench: Bench = { model, learnable, texts, heldOut: held, options }
  const made = await tuneEach(seen, bench)
  const setApart = strange.map(({ example }): Discarded => ({
    picture: example.image.hash,
    reason: 'It resembles the pictures of other things more.',
  }))
  const scores = await scoresOf(seen, made.kept, bench)
  const against = options.validate === false ? undefined : againstScores(scores)
  return {
    ...{ ...made, scores, folded: examples.length - fresh.length },
    ...{ discarded: [...setApart, ...made.discarded] },
    heldOut: counted(held.map(({ example }) => example)),
    ...(against === undefined ? {} : { against }),
  }
}

function checkEnough(seen: readonly Seen[], concept: string): void {
  const positives = seen.filter(({ name }) => name === 0)
  const pictures = new Set(positives.map(({ example }) => example.image.hash)).size
  const others = seen.some(({ name }) => name !== 0)
  if (pictures >= LEAST && others) return
  throw new UserFault(
    'E_EXAMPLES',
    others
      ? `Only ${pictures} different pictures show "${concept}": it takes ${LEAST} to learn and to check.`
      : `No picture shows what "${concept}" is not.`,
    { fields: { concept, pictures }, cure: 'Give more pictures, or let Pupil search for some.' },
  )
}

/**
 * Pictures under the concept's name that resemble pictures of other things more than those of the concept: a
 * wrong find of a search. Nothing is set apart where that would be every second one.
 */
function strangers(seen: readonly Seen[]): readonly Seen[] {
  const positives = seen.filter(({ name }) => name === 0)
  const meanTo = (one: Seen, positive: boolean): number => {
    const all = seen.filter((other) => other !== one && (other.name === 0) === positive)
    const sum = all.reduce((total, other) => total + dotOf(one.feature, other.feature), 0)
    return all.length === 0 ? -1 : sum / all.length
  }
  const strange = positives.filter((one) => meanTo(one, true) < meanTo(one, false))
  return 2 * strange.length < positives.length ? strange : []
}

export function counted(heldOut: readonly TuningExample[]): Tuned['heldOut'] {
  const positives = heldOut.filter((one) => one.positive).length
  return { positives, negatives: heldOut.length - positives }
}

export async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const one of all) results.push(await work(one))
  return results
}

async function lookAt(
  example: TuningExample,
  names: readonly string[],
  learnable: LearnableEncoder,
  options: TuningOptions,
): Promise<Seen> {
  const { image, positive, name } = example
  const box: Box = example.box ?? [0, 0, image.width, image.height]
  return {
    ...{ example, pixels: await learnable.crop(image, box, options) },
    feature: await learnable.feature(image, box, options),
    name: positive ? 0 : names.indexOf(name),
  }
}

/** A prompt for each training picture of the concept; those that fail are counted with their reason. */
async function tuneEach(
  seen: readonly Seen[],
  bench: Bench,
): Promise<Pick<Tuned, 'kept' | 'discarded' | 'steps'>> {
  const { options } = bench
  const { progress = noProgress } = options
  const kept: TunedPrompt[] = []
  const discarded: Discarded[] = []
  let steps = 0
  const instances = seen.filter(({ name }) => name === 0).slice(0, options.most ?? INSTANCES)
  const others = seen.filter(({ name }) => name !== 0)
  const total = instances.length
  for (const [i, instance] of instances.entries()) {
    progress({ task: 'learn', status: 'progress', loaded: i, total, unit: 'instances' })
    const beside = Array.from(
      { length: Math.min(BESIDE, others.length) },
      (_, k) => others[(i * BESIDE + k) % others.length] as Seen, // some exist, since counted
    )
    const { prompts, made } = await tuneOne(instance, beside, bench, i)
    steps += made
    const picture = instance.example.image.hash
    const reason = options.validate === false ? undefined : await failing(prompts, bench)
    if (reason === undefined) {
      kept.push({ picture, feature: instance.feature, ...flatPrompt(prompts) })
    } else discarded.push({ picture, reason })
  }
  progress({ task: 'learn', status: 'done', loaded: total, total, unit: 'instances' })
  return { kept, discarded, steps }
}

async function tuneOne(
  instance: Seen,
  beside: readonly Seen[],
  bench: Bench,
  number: number,
): Promise<{ readonly prompts: RunTensors; readonly made: number }> {
  const { learnable, texts, options } = bench
  const batch = [instance, ...beside]
  const target = BigInt64Array.from(batch, ({ name }) => BigInt(name))
  const names = texts.dims[0] ?? 1
  const rest = batch.flatMap(({ feature }) =>
    Array.from({ length: names - 1 }, (_, k) => learnable.scale * fit(feature, texts, k + 1)),
  )
  const own = (texts.data as Float32Array).slice(0, texts.dims[1])
  const fed: RunTensors = {
    learn_text: { type: 'float32', dims: [1, own.length], data: own },
    learn_rest: {
      ...{ type: 'float32', dims: [batch.length, names - 1] },
      data: Float32Array.from(rest),
    },
    learn_target: { type: 'int64', dims: [batch.length], data: target },
  }
  const fixed = { [learnable.pixels]: stacked(batch.map(({ pixels }) => pixels)), ...fed }
  const loss: TuneLoss = {
    inputs: lossInputs(fed),
    build: (b) => {
      const unit = normalised(b, learnable.image)
      const fits = similarities(b, unit, 'learn_text', learnable.scale)
      return crossEntropy(b, b.concat([fits, 'learn_rest'], 1), 'learn_target')
    },
  }
  const { prompts, curve } = await tune(
    await learnable.model(options),
    learnable.injection,
    { fixed },
    loss,
    {
      ...{ batch: batch.length, steps: options.steps ?? STEPS },
      ...{
        optimizer: adam({ rate: options.rate ?? RATE }),
        seed: `${options.seed ?? 0}/${number}`,
      },
      ...sessionOf(options),
      stop: async ({ step, loss: now, prompts: at }) => {
        if (options.validate === false || now > SURE || step % CHECK_EVERY !== 0) return false
        return (await failing(promptsOfStep(at, learnable), bench)) === undefined
      },
    },
  )
  return { prompts, made: curve.length }
}

/** Why a prompt does not pass; undefined when it does. */
async function failing(prompts: RunTensors, bench: Bench): Promise<string | undefined> {
  const before = bench.heldOut.map((one) => isConcept(one, undefined, bench))
  let gained = before.some((was, i) => bench.heldOut[i]?.name === 0 && !was)
  for (const [i, one] of bench.heldOut.entries()) {
    const feature = await prompted(one, prompts, bench)
    const now = isConcept(one, feature, bench)
    if (one.name === 0 && !now)
      return 'With it a held-out picture of the concept is not recognised.'
    if (one.name !== 0 && now && before[i] !== true) {
      return 'With it a held-out picture of something else is taken for the concept.'
    }
    if (one.name !== 0 && !now && before[i] === true) gained = true
  }
  return gained ? undefined : 'The held-out pictures come out right without it.'
}

/** The feature of an example with prompts; undefined without any. */
async function prompted(
  { pixels }: Seen,
  prompts: RunTensors | undefined,
  { model, learnable, options }: Bench,
): Promise<Float32Array | undefined> {
  if (prompts === undefined) return undefined
  const results = await runWith(model, { [learnable.pixels]: pixels }, prompts, options)
  return results[learnable.image]?.data as Float32Array
}

/**
 * Whether an example is taken for the concept: the concept's text meets the feature with its prompts, each
 * other name the plain one, as at inference.
 */
function isConcept(
  { feature }: Seen,
  withPrompts: Float32Array | undefined,
  { texts }: Bench,
): boolean {
  const own = fit(withPrompts ?? feature, texts, 0)
  for (let name = 1; name < (texts.dims[0] ?? 0); name++) {
    if (fit(feature, texts, name) >= own) return false
  }
  return true
}

function fit(feature: Float32Array, texts: RunTensor, row: number): number {
  const width = texts.dims[1] ?? 0
  const data = texts.data as Float32Array
  let [dot, length] = [0, 0]
  for (let k = 0; k < width; k++) {
    dot += (feature[k] ?? 0) * (data[row * width + k] ?? 0)
    length += (feature[k] ?? 0) ** 2
  }
  return length === 0 ? 0 : dot / Math.sqrt(length)
}

/**
 * What comes out right among pictures that nothing was learnt from: those held out, and each training picture
 * of the concept with what was learnt from the others. The mean of both kinds.
 */
async function scoresOf(
  training: readonly Seen[],
  kept: readonly TunedPrompt[],
  bench: Bench,
): Promise<TuningScores> {
  const asked = [...bench.heldOut, ...training.filter(({ name }) => name === 0)]
  const right = { plain: [] as boolean[], exemplars: [] as boolean[], tuned: [] as boolean[] }
  for (const one of asked) {
    const { image } = one.example
    const isSo = one.name === 0
    const near = training
      .filter(({ example }) => example.image.hash !== image.hash)
      .map((other) => ({ other, weight: dotOf(one.feature, other.feature) }))
      .toSorted((a, b) => b.weight - a.weight)[0]
    const prompts = ensembleOf(kept.filter(({ picture }) => picture !== image.hash))(one.feature)
    right.plain.push(isConcept(one, undefined, bench) === isSo)
    right.exemplars.push((near?.other.name === 0) === isSo)
    right.tuned.push(isConcept(one, await prompted(one, prompts?.prompts, bench), bench) === isSo)
  }
  const share = (list: readonly boolean[]): number => balanced(asked, list)
  return {
    ...{ plain: share(right.plain), exemplars: share(right.exemplars) },
    tuned: kept.length === 0 ? null : share(right.tuned),
  }
}

function balanced(asked: readonly Seen[], right: readonly boolean[]): number {
  const shares = [true, false].flatMap((positive) => {
    const own = right.filter((_, i) => (asked[i]?.name === 0) === positive)
    return own.length === 0 ? [] : [own.filter(Boolean).length / own.length]
  })
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
}

function dotOf(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Tensors of one picture each as one of them all. */
export function stacked(all: readonly RunTensor[]): RunTensor {
  const [first] = all
  const size = first?.data.length ?? 0
  const data = new Float32Array(size * all.length)
  for (const [i, one] of all.entries()) data.set(one.data as Float32Array, i * size)
  return { type: 'float32', dims: [all.length, ...(first?.dims.slice(1) ?? [])], data }
}
