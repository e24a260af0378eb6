import type { Progress, Random } from '../../base/index.ts'
import { expected, noProgress, restoreRandom, seededRandom, UserFault } from '../../base/index.ts'
import type { Model } from '../graph.ts'
import { withGraph, withParts } from '../graph.ts'
import type { OpenSessionOptions } from '../open-session.ts'
import { openSession } from '../open-session.ts'
import type { RunTensor, RunTensors } from '../session.ts'
import { inferShapes } from '../shapes.ts'
import { sizeOf, tensorArray, tensorOf } from '../tensor.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { Rate } from './schedule.ts'
import { rateAt } from './schedule.ts'
import type { GraphOptimizer, Slot } from './step-graph.ts'
import { scalarFeeds, stepGraph } from './step-graph.ts'

/** How a step of training went. */
export interface TrainReport {
  /** From 0. */
  readonly step: number
  readonly loss: number
  readonly outputs: RunTensors
}

export interface TrainOptions {
  /** The value to descend. */
  readonly loss: string
  /** Initialisers to train; default every float32 one that is not carried. */
  readonly weights?: readonly string[]
  readonly optimizer: GraphOptimizer
  readonly rate: Rate
  readonly steps: number
  /** The batch of a step; whatever it draws it draws from `random`, or resuming would not be exact. */
  readonly batch: (step: number, random: Random) => RunTensors | Promise<RunTensors>
  readonly clip?: number
  /** Further values that reports want. */
  readonly outputs?: readonly string[]
  /** Running statistics: the initialiser and the value that replaces it after each step. */
  readonly carry?: Readonly<Record<string, string>>
  /** Default 0. */
  readonly seed?: number | string
  /** Where to go on from; weights of the model are then not read. */
  readonly resume?: Checkpoint
  /** Asked after each step; true ends. */
  readonly after?: (
    report: TrainReport,
    checkpoint: () => Checkpoint,
  ) => boolean | void | Promise<boolean | void>
  readonly session?: OpenSessionOptions
  readonly signal?: AbortSignal
  readonly progress?: Progress
}

export interface Trained {
  /** The model with the weights and statistics that were learnt. */
  readonly model: Model
  readonly curve: readonly number[]
  readonly checkpoint: Checkpoint
}

/**
 * Trains all weights of a model whose graph ends in a loss, sizes being numbers.
 *
 * Forward, backward and update are one run; weights and optimiser state go round through inputs and
 * outputs. Resumed training equals uninterrupted training bit for bit.
 *
 * @throws UserFault `E_TRAIN_NOT_FINITE` with the step when the loss is no number
 */
export async function train(model: Model, options: TrainOptions): Promise<Trained> {
  const { signal, steps, progress = noProgress, resume } = options
  const abortable = signal === undefined ? {} : { signal }
  const thread = options.session?.thread
  const shapes = await inferShapes(model, {
    ...abortable,
    ...(thread === undefined ? {} : { thread }),
  })
  const carried = new Set(Object.keys(options.carry ?? {}))
  const weights =
    options.weights ??
    model.graph.initializers
      .filter(({ name, type }) => type === 'float32' && !carried.has(name))
      .map(({ name }) => name)
  const step = stepGraph(model.graph, { ...options, weights, shapes })
  let values = firstValues(step.slots, resume)
  const random =
    resume === undefined
      ? seededRandom(options.seed ?? 0).fork('batches')
      : restoreRandom(resume.random)
  let made = resume?.step ?? 0
  const checkpoint = (): Checkpoint => ({ step: made, random: random.state(), values })
  const curve: number[] = []
  progress({ task: 'train', status: 'start', total: steps, unit: 'steps' })
  const session = await openSession(withGraph(model, step.graph), {
    preset: 'training',
    ...options.session,
    ...abortable,
  })
  try {
    for (let ended = false; made < steps && !ended;) {
      signal?.throwIfAborted()
      const feeds = await options.batch(made, random)
      const scalars = scalarFeeds(step, options.optimizer, rateAt(options.rate, made), made)
      const results = await session.run(
        { ...feeds, ...slotFeeds(step.slots, values), ...asTensors(scalars) },
        abortable,
      )
      const loss = Number(results[options.loss]?.data[0])
      if (!Number.isFinite(loss)) throw notFinite(made, loss)
      curve.push(loss)
      values = nextValues(step.slots, results)
      made += 1
      progress({
        task: 'train',
        status: 'progress',
        loaded: made,
        total: steps,
        unit: 'steps',
        detail: { loss },
      })
      ended =
        (await options.after?.({ step: made - 1, loss, outputs: results }, checkpoint)) === true
    }
  } finally {
    await session.close()
  }
  progress({ task: 'train', status: 'done', loaded: made, total: steps, unit: 'steps' })
  return { model: withWeights(model, values), curve, checkpoint: checkpoint() }
}

function firstValues(
  slots: readonly Slot[],
  resume: Checkpoint | undefined,
): Readonly<Record<string, Float32Array>> {
  return Object.fromEntries(
    slots.map(({ input, dims, start }) => {
      const size = sizeOf(dims)
      if (resume !== undefined) {
        const known = resume.values[input]
        if (known?.length !== size)
          throw expected(`${size} numbers`, `"${input}" of the checkpoint`, known?.length)
        return [input, known]
      }
      const values =
        start === undefined
          ? new Float32Array(size)
          : Float32Array.from(tensorArray(start) as Float32Array)
      return [input, values]
    }),
  )
}

function slotFeeds(
  slots: readonly Slot[],
  values: Readonly<Record<string, Float32Array>>,
): RunTensors {
  return Object.fromEntries(
    slots.map(({ input, dims }): [string, RunTensor] => [
      input,
      { type: 'float32', dims, data: values[input] ?? new Float32Array() },
    ]),
  )
}

function nextValues(
  slots: readonly Slot[],
  results: RunTensors,
): Readonly<Record<string, Float32Array>> {
  return Object.fromEntries(
    slots.map(({ input, output }) => [input, results[output]?.data as Float32Array]),
  )
}

function asTensors(scalars: Readonly<Record<string, number>>): RunTensors {
  return Object.fromEntries(
    Object.entries(scalars).map(([name, value]) => [
      name,
      { type: 'float32', dims: [], data: Float32Array.of(value) },
    ]),
  )
}

/** The model with initialisers of these names holding other numbers. */
export function withWeights(model: Model, values: Readonly<Record<string, Float32Array>>): Model {
  const initializers = model.graph.initializers.map((tensor) => {
    const now = values[tensor.name]
    return now === undefined ? tensor : tensorOf(tensor.name, 'float32', now, tensor.dims)
  })
  return withGraph(model, withParts(model.graph, { initializers }))
}

function notFinite(step: number, loss: number): UserFault {
  return new UserFault('E_TRAIN_NOT_FINITE', `At step ${step} the loss is ${loss}.`, {
    fields: { step, loss: String(loss) },
    cure: 'Lower the rate, clip gradients, or look for a square root or logarithm at zero.',
  })
}
