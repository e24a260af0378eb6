import { expected } from '../../base/index.ts'
import type { Algebra } from '../grad/algebra.ts'
import { algebra } from '../grad/algebra.ts'
import { gradient } from '../grad/gradient.ts'
import type { Value } from '../grad/value.ts'
import { builder } from '../builder.ts'
import { prune } from '../edit/prune.ts'
import type { Graph, Shapes } from '../graph.ts'
import { initializerOf, valueInfo, withParts } from '../graph.ts'
import type { Tensor } from '../tensor.ts'

/** How weights are updated inside the graph; the rate is fed at each step. */
export type GraphOptimizer =
  | { readonly kind: 'sgd'; readonly momentum?: number }
  | {
      readonly kind: 'adam'
      readonly beta1?: number
      readonly beta2?: number
      readonly epsilon?: number
      /** Decay apart from the moments (AdamW); default 0. */
      readonly decay?: number
      /** Which weights decay; default those of two axes or more. */
      readonly decayed?: (name: string, dims: readonly number[]) => boolean
    }

export interface StepGraphOptions {
  readonly loss: string
  /** Initialisers to train; default every float32 one that the loss depends on must be listed. */
  readonly weights: readonly string[]
  readonly shapes: Shapes
  readonly optimizer: GraphOptimizer
  /** Longest common gradient; default none. */
  readonly clip?: number
  /** Further values to give, such as logits. */
  readonly outputs?: readonly string[]
  /** Initialisers that the graph computes anew, such as running statistics, and the value that replaces each. */
  readonly carry?: Readonly<Record<string, string>>
}

/** One step of training as a graph: weights and state in, new weights and state out. */
export interface StepGraph {
  readonly graph: Graph
  /** What goes round: the input, the output that is its next value, and its first value. */
  readonly slots: readonly Slot[]
  /** Names of the inputs that change with the step: the rate and the bias corrections. */
  readonly scalars: { readonly rate: string; readonly first?: string; readonly second?: string }
}

export interface Slot {
  readonly kind: 'weight' | 'carry' | 'state'
  readonly input: string
  readonly output: string
  readonly dims: readonly number[]
  /** Absent: zeros. */
  readonly start?: Tensor
}

interface Update {
  readonly next: Value
  readonly state: readonly { readonly input: Value; readonly next: Value }[]
}

/**
 * The step graph of a training graph: forward, backward and update in one run.
 *
 * The runtime does not know that an output replaces an input: the two are different buffers, exchanged
 * from step to step.
 */
export function stepGraph(graph: Graph, options: StepGraphOptions): StepGraph {
  const { loss, weights, shapes, optimizer } = options
  const carry = options.carry ?? {}
  const started = [...weights, ...Object.keys(carry)].map((name) => {
    const tensor = initializerOf(graph, name)
    if (tensor?.type !== 'float32')
      throw expected('a float32 initialiser', 'a weight to train', name)
    return tensor
  })
  const moving = new Set(started.map(({ name }) => name))
  const open = withParts(graph, {
    initializers: graph.initializers.filter(({ name }) => !moving.has(name)),
    inputs: [...graph.inputs, ...started.map(({ name, dims }) => valueInfo(name, 'float32', dims))],
  })
  const extra = [...(options.outputs ?? []), ...Object.values(carry)]
  const made = gradient(open, { loss, wrt: weights, shapes, outputs: extra })
  const b = builder(made.graph, { prefix: 'step' })
  const g = algebra(b)
  const scalarInput = (name: string): Value => ({
    name: b.input(name, 'float32', []),
    type: 'float32',
    dims: [],
  })
  const rate = scalarInput('step/rate')
  const corrections =
    optimizer.kind === 'adam'
      ? ([scalarInput('step/first'), scalarInput('step/second')] as const)
      : undefined
  const grads = clipped(g, options, made.gradients)
  const slots: Slot[] = Object.entries(carry).map(([input, output]) => ({
    kind: 'carry',
    input,
    output,
    dims: initializerOf(graph, input)?.dims ?? [],
    start: initializerOf(graph, input) as Tensor,
  }))
  for (const name of weights) {
    const start = initializerOf(graph, name) as Tensor
    const weight: Value = { name, type: 'float32', dims: start.dims }
    const update = updated(g, weight, grads.get(name) as Value, rate, optimizer, corrections)
    slots.push({ kind: 'weight', input: name, output: update.next.name, dims: start.dims, start })
    for (const { input, next } of update.state) {
      slots.push({ kind: 'state', input: input.name, output: next.name, dims: start.dims })
    }
  }
  const outputs = [loss, ...(options.outputs ?? []), ...slots.map(({ output }) => output)]
  const whole = withParts(b.graph(), {
    outputs: [...new Set(outputs)].map((name) => valueInfo(name)),
  })
  return {
    graph: prune(whole),
    slots,
    scalars:
      corrections === undefined
        ? { rate: rate.name }
        : { rate: rate.name, first: corrections[0].name, second: corrections[1].name },
  }
}

/** Gradients, shortened together when their common length is above the limit. */
function clipped(
  g: Algebra,
  options: StepGraphOptions,
  gradients: Readonly<Record<string, string>>,
): ReadonlyMap<string, Value> {
  const all = options.weights.map((name): Value => ({
    name: gradients[name] ?? '',
    type: 'float32',
    dims: options.shapes.get(name)?.dims ?? [],
  }))
  if (options.clip === undefined)
    return new Map(options.weights.map((name, i) => [name, all[i] as Value]))
  const squares = all.map((grad) => g.node('ReduceSumSquare', [grad], [], { keepdims: 0 }))
  const norm = g.map('Sqrt', squares.reduce(g.add))
  const limit = g.scalar(options.clip, norm)
  // max/norm where the norm is above, else 1: the larger of both sizes below the line.
  const factor = g.div(limit, g.node('Max', [norm, limit], []))
  return new Map(options.weights.map((name, i) => [name, g.mul(all[i] as Value, factor)]))
}

function updated(
  g: Algebra,
  weight: Value,
  grad: Value,
  rate: Value,
  optimizer: GraphOptimizer,
  corrections: readonly [Value, Value] | undefined,
): Update {
  const stateInput = (kind: string): Value => ({
    ...weight,
    name: g.builder.input(`step/${kind}/${weight.name}`, 'float32', weight.dims),
  })
  if (optimizer.kind === 'sgd') {
    const mu = optimizer.momentum ?? 0
    if (mu === 0) return { next: g.sub(weight, g.mul(rate, grad)), state: [] }
    const velocity = stateInput('velocity')
    const next = g.add(g.times(velocity, mu), grad)
    return { next: g.sub(weight, g.mul(rate, next)), state: [{ input: velocity, next }] }
  }
  const { beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0 } = optimizer
  const decays = (optimizer.decayed ?? ((_, dims) => dims.length > 1))(weight.name, weight.dims)
  const [mean, square] = [stateInput('mean'), stateInput('square')]
  const m = g.add(g.times(mean, beta1), g.times(grad, 1 - beta1))
  const v = g.add(g.times(square, beta2), g.times(g.mul(grad, grad), 1 - beta2))
  const [first, second] = corrections ?? [rate, rate]
  const step = g.div(g.div(m, first), g.plus(g.map('Sqrt', g.div(v, second)), epsilon))
  const full = decay > 0 && decays ? g.add(step, g.times(weight, decay)) : step
  return {
    next: g.sub(weight, g.mul(rate, full)),
    state: [
      { input: mean, next: m },
      { input: square, next: v },
    ],
  }
}

/** What the scalars are at a step counted from 0. */
export function scalarFeeds(
  step: StepGraph,
  optimizer: GraphOptimizer,
  rate: number,
  made: number,
): Readonly<Record<string, number>> {
  const { scalars } = step
  if (optimizer.kind === 'sgd' || scalars.first === undefined || scalars.second === undefined) {
    return { [scalars.rate]: rate }
  }
  const { beta1 = 0.9, beta2 = 0.999 } = optimizer
  return {
    [scalars.rate]: rate,
    [scalars.first]: 1 - beta1 ** (made + 1),
    [scalars.second]: 1 - beta2 ** (made + 1),
  }
}
