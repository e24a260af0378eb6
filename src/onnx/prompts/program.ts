import { UserFault } from '../../base/index.ts'
import type { Gradient } from '../grad/gradient.ts'
import { gradient } from '../grad/gradient.ts'
import { recompute } from '../grad/recompute.ts'
import type { Graph, Model, Shapes } from '../graph.ts'
import { indexOf, withGraph, withParts } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import type { RunTensors } from '../session.ts'
import type { ShapeOptions, Specialised } from '../shapes.ts'
import { inferShapes } from '../shapes.ts'
import type { TypedArray } from '../element-types.ts'
import { tensorOf } from '../tensor.ts'
import { boundariesOf } from './boundaries.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import type { PromptInput } from './key-value.ts'
import type { LossNodes } from './loss-nodes.ts'
import { withLoss } from './loss-nodes.ts'
import { cutFrozen } from './prefix.ts'

/** What a step graph is made of beside the model: plain data, so that it can cross threads. */
export interface ProgramRequest {
  readonly injection: Injection
  readonly batch: number
  /** Sizes of the model's inputs. */
  readonly sizes: Readonly<Record<string, readonly number[]>>
  readonly loss: LossNodes
  /** Inputs beside the prompts that are fed anew at each step. */
  readonly changing: readonly string[]
  /** Further values that a step gives. */
  readonly outputs: readonly string[]
  readonly recompute: boolean
}

/** The step graph of a tuning in its parts: all of it, what is computed once, and the rest. */
export interface Program {
  readonly model: Model
  readonly whole: Graph
  readonly prefix: Graph | undefined
  readonly rest: Graph
  readonly prompts: readonly PromptInput[]
  /** The name of each prompt's gradient. */
  readonly gradients: Readonly<Record<string, string>>
}

/** Which part of a program a session runs. */
export type ProgramPart = 'whole' | 'prefix' | 'rest'

/** Lowers, injects, appends the loss, differentiates and cuts off what no prompt reaches. */
export async function compile(
  model: Model,
  request: ProgramRequest,
  options: ShapeOptions,
): Promise<Program> {
  const { injection, loss } = request
  const prepared = await prepare(model, request.sizes, options)
  const prompted = await inject(prepared, injection, request.batch, options)
  const full = withGraph(prompted.model, withLoss(prompted.model.graph, loss))
  const shapes: Shapes = await inferShapes(full, options)
  const names = prompted.prompts.map(({ name }) => name)
  const made = gradient(full.graph, {
    loss: loss.loss,
    wrt: names,
    shapes,
    outputs: request.outputs,
  })
  const step = request.recompute ? spared(made, shapes, prepared, injection) : made.graph
  const used = new Set(step.nodes.flatMap((node) => node.inputs))
  const whole = { ...step, inputs: step.inputs.filter(({ name }) => used.has(name)) }
  const frozen = cutFrozen(whole, [...names, ...request.changing], shapes)
  return {
    model: prompted.model,
    whole,
    prefix: frozen.prefix,
    rest: frozen.rest,
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

/** A part of a program as a model, in which the held feeds are constants. */
export function partOf(program: Program, part: ProgramPart, held: RunTensors): Model {
  return withGraph(program.model, holding(program[part] ?? program.rest, held))
}

/**
 * A graph in which fed values are constants, so that they are not sent to the session at every step.
 *
 * Feeds that the graph does not read are left out; texts stay inputs.
 */
function holding(graph: Graph, feeds: RunTensors): Graph {
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
