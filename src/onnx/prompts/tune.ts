import type { Progress, Random } from '../../base/index.ts'
import { canonicalJson, noProgress, seededRandom, sha256, UserFault } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import type { ElementType } from '../element-types.ts'
import { gradient } from '../grad/gradient.ts'
import type { Model, Shapes } from '../graph.ts'
import { withGraph } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import type { OpenSessionOptions } from '../open-session.ts'
import { openSession } from '../open-session.ts'
import { adam } from '../optim/adam.ts'
import { applyUpdates } from '../optim/optimizer.ts'
import type { Floats, Optimizer, Params } from '../optim/optimizer.ts'
import type { RunTensor, RunTensors, Session } from '../session.ts'
import { inferShapes } from '../shapes.ts'
import { writeLean } from '../write-model.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import type { PromptInput } from './key-value.ts'
import { cutFrozen } from './prefix.ts'

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

/** What a prompt is valid for: a hash of the model (weights in files by place, not content) and the injection. */
export function promptKey(model: Model, injection: Injection): string {
  return sha256(`${sha256(writeLean(model).bytes)} ${canonicalJson(injection as never)}`)
}

/**
 * Learns prompts by descent; the model is not changed.
 *
 * Side by side: an injection with `each` gives every picture of the batch prompts of its own; Adam works
 * by element, so they do not mix.
 *
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
  const key = promptKey(model, injection)
  progress({ task: 'tune', status: 'start', total: steps, unit: 'steps' })
  const program = await compile(model, injection, data, loss, options)
  const held = cutPrefix ? await runPrefix(program, data.fixed, key, options) : undefined
  const feeds = held === undefined ? data.fixed : { ...data.fixed, ...held }
  const session = await openSession(
    withGraph(program.model, held === undefined ? program.whole : program.rest),
    { preset: 'training', ...options.session, ...(signal === undefined ? {} : { signal }) },
  )
  try {
    return { ...(await descend(session, program, feeds, data, { ...options, steps })), key }
  } finally {
    await session.close()
  }
}

interface Program {
  readonly model: Model
  readonly whole: Model['graph']
  readonly prefix: Model['graph'] | undefined
  readonly rest: Model['graph']
  readonly loss: string
  readonly prompts: readonly PromptInput[]
  readonly gradients: Readonly<Record<string, string>>
}

async function compile(
  model: Model,
  injection: Injection,
  data: TuneData,
  loss: TuneLoss,
  options: TuneOptions,
): Promise<Program> {
  const thread = options.session?.thread
  const shapeOptions = {
    ...(thread === undefined ? {} : { thread }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }
  const own = new Set(model.graph.inputs.map(({ name }) => name))
  const given = Object.entries(data.fixed).filter(([name]) => own.has(name))
  const sizes = Object.fromEntries(given.map(([name, tensor]) => [name, tensor.dims]))
  const prepared = await prepare(model, { ...options.sizes, ...sizes }, shapeOptions)
  const prompted = await inject(prepared, injection, options.batch, shapeOptions)
  const write = builder(prompted.model.graph, { prefix: 'loss' })
  for (const { name, type, dims } of loss.inputs) write.input(name, type, dims)
  const last = loss.build(write)
  const full = withGraph(prompted.model, write.graph())
  const shapes: Shapes = await inferShapes(full, shapeOptions)
  const names = prompted.prompts.map(({ name }) => name)
  const made = gradient(full.graph, {
    loss: last,
    wrt: names,
    shapes,
    outputs: options.outputs ?? [],
  })
  const used = new Set(made.graph.nodes.flatMap((node) => node.inputs))
  const whole = { ...made.graph, inputs: made.graph.inputs.filter(({ name }) => used.has(name)) }
  const frozen = cutFrozen(whole, [...names, ...(data.changing ?? [])], shapes)
  return {
    model: prompted.model,
    whole,
    prefix: frozen.prefix,
    rest: frozen.rest,
    loss: last,
    prompts: prompted.prompts,
    gradients: made.gradients,
  }
}

/** Values of the prefix, from the cache or run once; undefined when there is nothing to compute ahead. */
async function runPrefix(
  program: Program,
  fixed: RunTensors,
  key: string,
  options: TuneOptions,
): Promise<RunTensors | undefined> {
  const { prefix } = program
  if (prefix === undefined) return undefined
  const feeds = pick(
    fixed,
    prefix.inputs.map(({ name }) => name),
  )
  const place = `${key}-${feedsKey(feeds)}`
  const known = await options.cache?.get(place)
  if (known !== undefined) return known
  const { signal } = options
  const session = await openSession(withGraph(program.model, prefix), {
    preset: 'small-memory',
    ...options.session,
    ...(signal === undefined ? {} : { signal }),
  })
  try {
    const values = await session.run(feeds, signal === undefined ? {} : { signal })
    await options.cache?.set(place, values)
    return values
  } finally {
    await session.close()
  }
}

function feedsKey(feeds: RunTensors): string {
  const parts = Object.entries(feeds).map(([name, { dims, data }]) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new TextEncoder().encode(JSON.stringify(data))
    return `${name} ${dims.join()} ${sha256(bytes)}`
  })
  return sha256(parts.sort().join('\n'))
}

function pick(feeds: RunTensors, names: readonly string[]): RunTensors {
  return Object.fromEntries(
    names.flatMap((name) => {
      const tensor = feeds[name]
      return tensor === undefined ? [] : [[name, tensor]]
    }),
  )
}

function firstPrompts(prompts: readonly PromptInput[], options: TuneOptions): Params {
  const { seed = 0, deviation = 0.02, start } = options
  const random = seededRandom(seed).fork('prompts')
  return Object.fromEntries(
    prompts.map(({ name, dims }) => {
      const size = dims[0] * dims[1] * dims[2]
      const given = start?.[name]
      if (given !== undefined) return [name, Float32Array.from(given)]
      return [name, Float32Array.from({ length: size }, () => deviation * random.normal())]
    }),
  )
}

async function descend(
  session: Session,
  program: Program,
  fixed: RunTensors,
  data: TuneData,
  options: TuneOptions & { readonly steps: number },
): Promise<Omit<TuneResult, 'key'>> {
  const { signal, steps, progress = noProgress, optimizer = adam({ rate: 1e-2 }) } = options
  const inputs = session.inputs.map(({ name }) => name)
  const random = seededRandom(options.seed ?? 0).fork('data')
  let params = firstPrompts(program.prompts, options)
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
    const feeds = { ...fixed, ...fresh, ...tensorsOf(program.prompts, params) }
    const results = await session.run(pick(feeds, inputs), signal === undefined ? {} : { signal })
    const loss = Number(results[program.loss]?.data[0])
    const grads = gradsOf(program, results, loss, step)
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
      { type: 'float32', dims, data: Float32Array.from(params[name] ?? []) },
    ]),
  )
}

function gradsOf(program: Program, results: RunTensors, loss: number, step: number): Params {
  if (!Number.isFinite(loss)) throw notFinite('the loss', step, loss)
  return Object.fromEntries(
    program.prompts.map(({ name }) => {
      const grad = results[program.gradients[name] ?? '']?.data as Float32Array
      const bad = grad.find((v) => !Number.isFinite(v))
      if (bad !== undefined) throw notFinite(`the gradient of "${name}"`, step, bad)
      return [name, grad]
    }),
  )
}

function notFinite(what: string, step: number, value: number): UserFault {
  return new UserFault('E_TUNE_NOT_FINITE', `At step ${step} ${what} is ${value}.`, {
    fields: { step, value: String(value), what },
    cure: 'Lower the rate, clip gradients, or look for a square root or logarithm at zero.',
  })
}
