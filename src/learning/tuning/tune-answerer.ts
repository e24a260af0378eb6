import { adam, languageModel, tune } from '../../onnx/index.ts'
import type { PromptedModel, RunTensor, RunTensors, TuneLoss } from '../../onnx/index.ts'
import type { Image } from '../../image/index.ts'
import { flatPrompt } from '../../tools/index.ts'
import type { LearnableAnswerer } from '../../tools/index.ts'
import { cosineOf } from './ensemble-of.ts'
import { floats, lossInputs, openLearnable, runWith, sessionOf } from './fits-model.ts'
import { untuned } from './tuning.ts'
import type { Discarded, Tuned, TunedPrompt, TuningOptions } from './tuning.ts'

const STEPS = 100
const RATE = 1e-3
/** Stored right cases that a prompt must not change. */
const NEAREST = 20

/** A question about a picture with its answer. */
export interface QuestionExample {
  readonly image: Image
  readonly question: string
  readonly answer: string
}

/** A question as the decoder takes it. */
interface Asked {
  readonly example: QuestionExample
  readonly feeds: RunTensors
  readonly feature: Float32Array
  /** Start, answer, end, padded with ends. */
  readonly ids: readonly number[]
  /** How many of them count. */
  readonly length: number
}

/**
 * Learns a prompt for each question that was answered wrongly (VQA), from the answer that was inferred or given.
 *
 * Stops as soon as the greedy answer is the right one. A prompt stays when the question is then answered right
 * and none of the nearest stored right cases changes; those enter the pool with zero vectors.
 *
 * @param wrong  questions with their right answers
 * @param right  stored cases that are answered right, of which the nearest guard
 * @source CLOVA §3.4 (VQA); clova §4.3
 */
export async function tuneAnswerer(
  learnable: LearnableAnswerer,
  wrong: readonly QuestionExample[],
  right: readonly QuestionExample[],
  options: TuningOptions = {},
): Promise<Tuned> {
  const asked: Asked[] = []
  for (const one of wrong) asked.push(await askedOf(one, learnable, options))
  const guards: Asked[] = []
  for (const one of right) guards.push(await askedOf(one, learnable, options))
  const [first] = asked
  if (first === undefined) return untuned('There is no question to learn from.')
  await using model = await openLearnable(learnable, feedsOf(first, learnable), options)
  const bench: Bench = { model, learnable, options }
  const kept: TunedPrompt[] = []
  const discarded: Discarded[] = []
  const zeros = new Map<string, TunedPrompt>()
  let [steps, plainRight] = [0, 0]
  for (const [i, one] of asked.entries()) {
    const picture = one.example.image.hash
    if (await isRight(one, undefined, bench)) {
      plainRight++
      discarded.push({ picture, reason: 'It is answered right without a prompt.' })
      continue
    }
    const { prompts, curve } = await descend(one, bench, i)
    steps += curve.length
    const near = nearestTo(one, guards)
    const reason = options.validate === false ? undefined : await failing(one, near, prompts, bench)
    if (reason !== undefined) discarded.push({ picture, reason })
    else {
      const { values, shape } = flatPrompt(prompts)
      kept.push({ picture, feature: one.feature, values, shape })
      for (const guard of near) zeros.set(keyOf(guard), zeroOf(guard, shape, values.length))
    }
  }
  const share = (count: number): number => count / asked.length
  const scores = {
    ...{ plain: share(plainRight), exemplars: null },
    tuned: kept.length === 0 ? null : share(plainRight + kept.length),
  }
  return {
    ...{ kept: [...kept, ...zeros.values()], discarded, folded: 0, steps, scores },
    heldOut: { positives: asked.length, negatives: guards.length },
    ...(kept.length > 0 ? {} : { against: 'No prompt passed validation.' }),
  }
}

interface Bench {
  readonly model: PromptedModel
  readonly learnable: LearnableAnswerer
  readonly options: TuningOptions
}

async function askedOf(
  example: QuestionExample,
  learnable: LearnableAnswerer,
  options: TuningOptions,
): Promise<Asked> {
  const { start, end, length } = learnable
  const answer = learnable.ids(example.answer).slice(0, length - 2)
  const ids = [start, ...answer, end]
  const padding = Array.from({ length: length - ids.length }, () => end)
  return {
    ...(await learnable.encode(example.image, example.question, options)),
    ...{ example, ids: [...ids, ...padding], length: ids.length },
  }
}

const feedsOf = ({ feeds, ids }: Asked, learnable: LearnableAnswerer): RunTensors => ({
  ...feeds,
  ...learnable.said(ids),
})

function descend(one: Asked, { learnable, options }: Bench, number: number) {
  const labels: RunTensor = {
    ...{ type: 'int64', dims: [1, one.ids.length] },
    data: BigInt64Array.from(one.ids.map(BigInt)),
  }
  const counts = one.ids.map((_, i) => (i < one.length ? 1 : 0))
  const fed = { learn_labels: labels, learn_counts: floats([1, one.ids.length], counts) }
  const loss: TuneLoss = {
    inputs: lossInputs(fed),
    build: (b) => languageModel(b, learnable.logits, 'learn_labels', { weights: 'learn_counts' }),
  }
  return learnable.model(options).then((model) =>
    tune(model, learnable.injection, { fixed: { ...feedsOf(one, learnable), ...fed } }, loss, {
      ...{
        batch: 1,
        steps: options.steps ?? STEPS,
        optimizer: adam({ rate: options.rate ?? RATE }),
      },
      ...{ seed: `${options.seed ?? 0}/${number}`, outputs: [learnable.logits] },
      ...sessionOf(options),
      stop: ({ outputs }) => saysTarget(outputs[learnable.logits], one),
    }),
  )
}

/** Whether the greedy answer is the target: each next id is the likeliest, the right ones being before it. */
function saysTarget(logits: RunTensor | undefined, { ids, length }: Asked): boolean {
  const [, tokens = 0, vocabulary = 0] = logits?.dims ?? []
  const data = logits?.data as Float32Array
  for (let t = 0; t + 1 < Math.min(length, tokens + 1); t++) {
    const row = data.subarray(t * vocabulary, (t + 1) * vocabulary)
    const wanted = row[ids[t + 1] ?? 0] ?? -Infinity
    if (row.some((value, id) => value > wanted || (value === wanted && id < (ids[t + 1] ?? 0)))) {
      return false
    }
  }
  return true
}

async function isRight(
  one: Asked,
  prompts: RunTensors | undefined,
  { model, learnable, options }: Bench,
): Promise<boolean> {
  const results = await runWith(model, feedsOf(one, learnable), prompts, options)
  return saysTarget(results[learnable.logits], one)
}

async function failing(
  one: Asked,
  near: readonly Asked[],
  prompts: RunTensors,
  bench: Bench,
): Promise<string | undefined> {
  if (!(await isRight(one, prompts, bench)))
    return 'With it the question is still answered wrongly.'
  for (const guard of near) {
    const changes =
      (await isRight(guard, undefined, bench)) && !(await isRight(guard, prompts, bench))
    if (changes) return `With it "${guard.example.question}" is answered wrongly, which was right.`
  }
  return undefined
}

function nearestTo(one: Asked, guards: readonly Asked[]): readonly Asked[] {
  return guards
    .map((guard) => ({ guard, near: cosineOf(one.feature, guard.feature) }))
    .filter(({ guard }) => keyOf(guard) !== keyOf(one))
    .toSorted((a, b) => b.near - a.near)
    .slice(0, NEAREST)
    .map(({ guard }) => guard)
}

const keyOf = ({ example }: Asked): string => `${example.image.hash} ${example.question}`

function zeroOf({ example, feature }: Asked, shape: readonly number[], size: number): TunedPrompt {
  return { picture: example.image.hash, feature, values: new Float32Array(size), shape }
}
