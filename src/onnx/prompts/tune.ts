import { setImmediate as turn } from 'node:timers/promises'
import type { Progress, Random } from '../../base/index.ts'
import { noProgress, seededRandom, UserFault } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import type { ElementType } from '../element-types.ts'
import { recomputeWithout } from '../grad/recompute.ts'
import type { Model } from '../graph.ts'
import type { OpenSessionOptions } from '../open-session.ts'
import { adam } from '../optim/adam.ts'
import { applyUpdates } from '../optim/optimizer.ts'
import type { Floats, Optimizer, Params } from '../optim/optimizer.ts'
import { SessionHost } from '../session-host.ts'
import type { RunTensor, RunTensors, Session } from '../session.ts'
import type { Injection } from './inject.ts'
import type { PromptInput } from './key-value.ts'
import { recordLoss } from './loss-nodes.ts'
import type { ProgramRequest } from './program.ts'
import { promptKey } from './prompt-key.ts'
import type { StepProgram } from './step-program.ts'
import { openProgram, pick, runPrefix } from './step-program.ts'

/** A loss over outputs of the model: inputs of its own, and nodes that end in one number. */
export interface TuneLoss {
  /** What it reads beside the model's values. */
  readonly inputs: readonly {
    readonly name: string
    readonly type: ElementType
    readonly dims: readonly number[]
  }[]
  /** Appends nodes that read the model's outputs and the inputs by name; gives the loss. */
  readonly build: (b: Builder) => string
}

/** What a step is told. */
export interface TuneStep {
  /** From 0. */
  readonly step: number
  /** The generator of the data, seeded apart from that of the prompts. */
  readonly random: Random
  /** Outputs that were asked for, as they were at the step before; none at the first. */
  readonly outputs: RunTensors
}

/** What the model and the loss are fed. */
export interface TuneData {
  /** The same at every step: what depends on it alone is computed once. */
  readonly fixed: RunTensors
  /** What changes from step to step, by `each`: names, types and shapes. */
  readonly changing?: readonly string[]
  readonly each?: (step: TuneStep) => RunTensors | Promise<RunTensors>
}

/** How a step went. */
export interface TuneReport {
  readonly step: number
  readonly loss: number
  readonly outputs: RunTensors
  /** The prompts that gave this loss. */
  readonly prompts: Params
}

/** Where results of frozen prefixes are kept; keys hash model, edit and what was fed. */
export interface PrefixCache {
  get(key: string): Promise<RunTensors | undefined>
  set(key: string, values: RunTensors): Promise<void>
}

export interface TuneOptions {
  /** Pictures in a run; the batch of the session. */
  readonly batch: number
  /** Sizes of inputs that are free in the model, beside those of `fixed`. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>
  /** Default Adam with rate 1e-2. */
  readonly optimizer?: Optimizer
  /** At most so many; default 100. */
  readonly steps?: number
  /** Default 0. */
  readonly seed?: number | string
  /** Standard deviation of the first prompts; default 0.02. */
  readonly deviation?: number
  /** First prompts in place of drawn ones. */
  readonly start?: Params
  /** Further values that `stop` and `each` want to see. */
  readonly outputs?: readonly string[]
  /**
   * Whether to end, asked after each step; a list says it for each picture, whose prompts then stay as
   * they are while the others go on.
   */
  readonly stop?: (
    report: TuneReport,
  ) => boolean | readonly boolean[] | Promise<boolean | readonly boolean[]>
  /** Whether what no prompt reaches is computed once; default true. */
  readonly cutPrefix?: boolean
  /**
   * Whether layers are computed again when their gradient is due, instead of kept: less memory, about
   * 30 % more time. Default false.
   */
  readonly recompute?: boolean
  readonly cache?: PrefixCache
  /** Default preset `training`. */
  readonly session?: OpenSessionOptions
  readonly signal?: AbortSignal
  readonly progress?: Progress
}

export interface TuneResult {
  readonly prompts: Readonly<Record<string, RunTensor>>
  /** The loss of each step, before its update. */
  readonly curve: readonly number[]
  /** Why it ended. */
  readonly ended: 'steps' | 'stopped'
  /** Hash of model and injection: a prompt is used with nothing else. */
  readonly key: string
}

/**
 * Learns prompts by descent; the model is not changed.
 *
 * Side by side: an injection with `each` gives every picture of the batch prompts of its own; Adam works
 * by element, so they do not mix.
 *
 * @throws UserFault `E_TUNE_RECOMPUTE` when `recompute` is asked for and finds no layer to compute again
 * @throws UserFault `E_TUNE_NOT_FINITE` with the step when the loss or a gradient is no number
 * @throws the signal's reason when it fires
 * @source CLOVA §3.3 (prompt tuning), settled in our clova.md 4.3
 */
export async function tune(
  model: Model,
  injection: Injection,
  data: TuneData,
  loss: TuneLoss,
  options: TuneOptions,
): Promise<TuneResult> {
  const { signal, steps = 100, progress = noProgress, cutPrefix = true } = options
  signal?.throwIfAborted()
  progress({ task: 'tune', status: 'start', total: steps, unit: 'steps' })
  const { thread = 'worker', ...session } = options.session ?? {}
  const abortable = signal === undefined ? {} : { signal }
  const settings = { ...session, ...abortable }
  // One worker for all of this tuning, unless the caller says where it runs.
  const own = thread === 'worker' ? new SessionHost() : undefined
  try {
    // The event loop turns between pieces of work on this thread.
    await turn()
    const request = requestOf(model, injection, data, loss, options)
    await turn()
    const place = thread === 'worker' ? own! : thread // made just now
    const program = await openProgram(model, request, { thread: place, ...abortable })
    const key = promptKey(model, injection)
    await turn()
    const { cache } = options
    const ahead = cutPrefix
      ? await runPrefix(program, data.fixed, key, { ...settings, ...(cache && { cache }) })
      : undefined
    const part = ahead === undefined ? 'whole' : 'rest'
    const held = pick({ ...data.fixed, ...ahead }, program.reads[part] ?? [])
    await using opened = await program.open(part, held, {
      preset: 'training',
      ...settings,
      ...(options.recompute === true ? { without: withoutOf(options) } : {}),
    })
    await program.close()
    const learner = { session: opened, program, loss: request.loss.loss }
    return { ...(await descendAll(learner, data, { ...options, steps })), key }
  } finally {
    await own?.close()
  }
}

function requestOf(
  model: Model,
  injection: Injection,
  data: TuneData,
  loss: TuneLoss,
  options: TuneOptions,
): ProgramRequest {
  const own = new Set(model.graph.inputs.map(({ name }) => name))
  const given = Object.entries(data.fixed).filter(([name]) => own.has(name))
  const sizes = Object.fromEntries(given.map(([name, tensor]) => [name, tensor.dims]))
  return {
    injection,
    batch: options.batch,
    sizes: { ...options.sizes, ...sizes },
    loss: recordLoss(model, loss),
    changing: data.changing ?? [],
    outputs: options.outputs ?? [],
    recompute: options.recompute ?? false,
  }
}

/** What would undo the recomputation is left out, beside what the caller leaves out. */
function withoutOf(options: TuneOptions): readonly string[] {
  return [...new Set([...(options.session?.without ?? []), ...recomputeWithout])]
}

async function firstPrompts(
  prompts: readonly PromptInput[],
  options: TuneOptions,
): Promise<Params> {
  const { seed = 0, deviation = 0.02, start } = options
  const random = seededRandom(seed).fork('prompts')
  const first: Record<string, Floats> = {}
  for (const { name, dims } of prompts) {
    const given = start?.[name]
    if (given === undefined) {
      const values = new Float32Array(dims[0] * dims[1] * dims[2])
      for (let i = 0; i < values.length; i++) values[i] = deviation * random.normal()
      first[name] = values
    } else {
      first[name] = Float32Array.from(given)
    }
    await turn()
  }
  return first
}

/** What a step is done with. */
interface Learner {
  readonly session: Session
  readonly program: StepProgram
  /** The value that is the loss. */
  readonly loss: string
}

async function descendAll(
  { session, program, loss: last }: Learner,
  data: TuneData,
  options: TuneOptions & { readonly steps: number },
): Promise<Omit<TuneResult, 'key'>> {
  const { signal, steps, progress = noProgress, optimizer = adam({ rate: 1e-2 }) } = options
  const inputs = session.inputs.map(({ name }) => name)
  const random = seededRandom(options.seed ?? 0).fork('data')
  let params = await firstPrompts(program.prompts, options)
  let state = optimizer.init(params)
  let outputs: RunTensors = {}
  let done: readonly boolean[] = []
  const curve: number[] = []
  const result = (ended: TuneResult['ended']): Omit<TuneResult, 'key'> => {
    progress({ task: 'tune', status: 'done', loaded: curve.length, total: steps, unit: 'steps' })
    return { prompts: tensorsOf(program.prompts, params), curve, ended }
  }
  for (let step = 0; step < steps; step++) {
    signal?.throwIfAborted()
    const fresh = (await data.each?.({ step, random, outputs })) ?? {}
    const feeds = { ...data.fixed, ...fresh, ...tensorsOf(program.prompts, params) }
    const results = await session.run(pick(feeds, inputs), signal === undefined ? {} : { signal })
    const loss = Number(results[last]?.data[0])
    const grads = gradsOf(program, results, loss, step)
    await turn()
    curve.push(loss)
    outputs = pick(results, options.outputs ?? [])
    progress({
      task: 'tune',
      status: 'progress',
      loaded: step + 1,
      total: steps,
      unit: 'steps',
      detail: { loss },
    })
    const verdict = (await options.stop?.({ step, loss, outputs, prompts: params })) ?? false
    if (verdict === true || (Array.isArray(verdict) && verdict.every(Boolean)))
      return result('stopped')
    const settled = Array.isArray(verdict) ? (verdict as readonly boolean[]) : []
    done = settled.map((now, i) => now || (done[i] ?? false))
    const [updates, next] = optimizer.update(grads, state, params)
    state = next
    await turn()
    params = keepDone(params, applyUpdates(params, updates), done)
  }
  return result('steps')
}

/** Prompts of pictures that are done stay as they were. */
function keepDone(before: Params, after: Params, done: readonly boolean[]): Params {
  if (!done.some(Boolean)) return after
  return Object.fromEntries(
    Object.entries(after).map(([name, values]) => {
      const block = values.length / done.length
      const kept = (i: number): boolean => done[Math.floor(i / block)] ?? false
      return [name, values.map((v, i) => (kept(i) ? (before[name]?.[i] ?? v) : v)) as Floats]
    }),
  )
}

function tensorsOf(prompts: readonly PromptInput[], params: Params): Record<string, RunTensor> {
  return Object.fromEntries(
    prompts.map(({ name, dims }) => [
      name,
      { type: 'float32', dims, data: new Float32Array(params[name] ?? []) },
    ]),
  )
}

function gradsOf(program: StepProgram, results: RunTensors, loss: number, step: number): Params {
  if (!Number.isFinite(loss)) throw notFinite('the loss', step, loss)
  return Object.fromEntries(
    program.prompts.map(({ name }) => {
      const grad = results[program.gradients[name] ?? '']?.data as Float32Array
      const bad = firstNotFinite(grad)
      if (bad !== undefined) throw notFinite(`the gradient of "${name}"`, step, bad)
      return [name, grad]
    }),
  )
}

/** A plain loop: `find` takes five times as long, on the thread that must not stand still. */
function firstNotFinite(values: Float32Array): number | undefined {
  for (let i = 0; i < values.length; i++) {
    // v − v is 0 for every number but infinities and NaN.
    if (values[i]! - values[i]! !== 0) return values[i]
  }
  return undefined
}

function notFinite(what: string, step: number, value: number): UserFault {
  return new UserFault('E_TUNE_NOT_FINITE', `At step ${step} ${what} is ${value}.`, {
    fields: { step, value: String(value), what },
    cure: 'Lower the rate, clip gradients, or look for a square root or logarithm at zero.',
  })
}
