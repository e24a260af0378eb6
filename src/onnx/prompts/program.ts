import { sha256, UserFault } from '../../base/index.ts'
import { builder } from '../builder.ts'
import type { Gradient } from '../grad/gradient.ts'
import { gradient } from '../grad/gradient.ts'
import { recompute } from '../grad/recompute.ts'
import type { Graph, Model, Shapes } from '../graph.ts'
import { indexOf, withGraph, withParts } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import { openSession } from '../open-session.ts'
import type { RunTensors } from '../session.ts'
import type { Specialised } from '../shapes.ts'
import { inferShapes } from '../shapes.ts'
import type { TypedArray } from '../element-types.ts'
import { tensorOf } from '../tensor.ts'
import { boundariesOf } from './boundaries.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import type { PromptInput } from './key-value.ts'
import { cutFrozen } from './prefix.ts'
import type { TuneData, TuneLoss, TuneOptions } from './tune.ts'

/** The step graph of a tuning and what it is fed. */
export interface Program {
  readonly model: Model
  readonly whole: Model['graph']
  readonly prefix: Model['graph'] | undefined
  readonly rest: Model['graph']
  readonly loss: string
  readonly prompts: readonly PromptInput[]
  readonly gradients: Readonly<Record<string, string>>
}

/** Lowers, injects, appends the loss, differentiates and cuts off what no prompt reaches. */
export async function compile(
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
  const step = options.recompute === true ? spared(made, shapes, prepared, injection) : made.graph
  const used = new Set(step.nodes.flatMap((node) => node.inputs))
  const whole = { ...step, inputs: step.inputs.filter(({ name }) => used.has(name)) }
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

/** The step that computes layers again, between the boundaries that the plain model has. */
function spared(
  made: Gradient,
  shapes: Shapes,
  prepared: Specialised,
  injection: Injection,
): Graph {
  const from = 'from' in injection ? injection.from : undefined
  const boundaries = boundariesOf(prepared.model.graph, prepared.shapes, from)
  const graph = recompute(made, shapes, boundaries)
  if (graph.nodes.length > made.graph.nodes.length) return graph
  throw new UserFault('E_TUNE_RECOMPUTE', 'No layer behind the prompts can be computed again.', {
    fields: { boundaries },
    cure: 'Leave `recompute` out: it saves memory only where whole layers lie behind the first prompt.',
  })
}

/** Values of the prefix, from the cache or run once; undefined when there is nothing to compute ahead. */
export async function runPrefix(
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

/** The feeds of these names that are there. */
export function pick(feeds: RunTensors, names: readonly string[]): RunTensors {
  return Object.fromEntries(
    names.flatMap((name) => {
      const tensor = feeds[name]
      return tensor === undefined ? [] : [[name, tensor]]
    }),
  )
}

/**
 * A graph in which fed values are constants, so that they are not sent to the session at every step.
 *
 * Feeds that the graph does not read are left out; texts stay inputs.
 */
export function holding(graph: Graph, feeds: RunTensors): Graph {
  const inputs = indexOf(graph).input
  const held = Object.entries(feeds).filter(
    ([name, { type }]) => inputs.has(name) && type !== 'string',
  )
  const names = new Set(held.map(([name]) => name))
  return withParts(graph, {
    inputs: graph.inputs.filter(({ name }) => !names.has(name)),
    initializers: [
      ...graph.initializers,
      ...held.map(([name, { type, dims, data }]) => tensorOf(name, type, data as TypedArray, dims)),
    ],
  })
}
