import type { OpenSessionOptions, PromptedModel, RunTensor, RunTensors } from '../../onnx/index.ts'
import { openPrompted } from '../../onnx/index.ts'
import type { Learnable } from '../../tools/index.ts'
import type { TuningOptions } from './tuning.ts'

/** A learnable's model, opened for one input at a time with the sizes of these feeds. */
export async function openLearnable(
  learnable: Learnable,
  feeds: RunTensors,
  options: TuningOptions,
): Promise<PromptedModel> {
  const model = await learnable.model(options)
  const own = new Set(model.graph.inputs.map(({ name }) => name))
  const sizes = Object.entries(feeds).flatMap(([name, { dims }]) =>
    own.has(name) ? [[name, dims] as const] : [],
  )
  return openPrompted(model, learnable.injection, {
    ...{ batch: 1, sizes: Object.fromEntries(sizes), ...sessionOf(options) },
  })
}

/** Options of sessions, as far as they were given. */
export function sessionOf({ session, signal }: TuningOptions): {
  readonly session?: OpenSessionOptions
  readonly signal?: AbortSignal
} {
  return {
    ...(session === undefined ? {} : { session }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** Runs a model with prompts, or as it is without any. */
export async function runWith(
  model: PromptedModel,
  feeds: RunTensors,
  prompts: RunTensors | undefined,
  { signal }: TuningOptions,
): Promise<RunTensors> {
  return model.run(feeds, prompts, signal === undefined ? {} : { signal })
}

/** Values that a step reports, as the prompted graph takes them. */
export function promptsOfStep(
  now: Readonly<Record<string, ArrayLike<number>>>,
  { injection }: Learnable,
): RunTensors {
  const count = injection.kind === 'vectors' ? injection.placeholders.length : injection.count
  return Object.fromEntries(
    Object.entries(now).map(([name, values]): [string, RunTensor] => {
      const data = Float32Array.from(values)
      return [name, { type: 'float32', dims: [1, count, data.length / count], data }]
    }),
  )
}

/** Inputs of a loss by the tensors that they are fed. */
export function lossInputs(fed: RunTensors): readonly {
  readonly name: string
  readonly type: RunTensor['type']
  readonly dims: readonly number[]
}[] {
  return Object.entries(fed).map(([name, { type, dims }]) => ({ name, type, dims }))
}

export function floats(dims: readonly number[], values: Iterable<number>): RunTensor {
  return { type: 'float32', dims, data: Float32Array.from(values) }
}

export function longs(dims: readonly number[], values: Iterable<number>): RunTensor {
  return { type: 'int64', dims, data: BigInt64Array.from([...values].map(BigInt)) }
}
