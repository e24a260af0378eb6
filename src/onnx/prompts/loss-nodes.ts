import { builder } from '../builder.ts'
import type { Graph, Model } from '../graph.ts'
import { opsetOf, withParts } from '../graph.ts'
import { gradientOpset } from '../lower/prepare.ts'
import type { TuneLoss } from './tune.ts'

/** A loss as what it appends to a graph: plain data, so that it can cross threads. */
export interface LossNodes extends Pick<Graph, 'inputs' | 'outputs' | 'initializers' | 'nodes'> {
  readonly opsets: Graph['opsets']
  /** The value that is the loss. */
  readonly loss: string
}

/** What a loss appends to a model, written for the opset that the model is prepared for. */
export function recordLoss({ graph }: Model, loss: TuneLoss): LossNodes {
  const opset = Math.max(gradientOpset, opsetOf(graph))
  const base = withParts(graph, { opsets: { ...graph.opsets, '': opset } })
  const write = builder(base, { prefix: 'loss' })
  for (const { name, type, dims } of loss.inputs) write.input(name, type, dims)
  const last = loss.build(write)
  const made = write.graph()
  return {
    inputs: made.inputs.slice(base.inputs.length),
    outputs: made.outputs.slice(base.outputs.length),
    initializers: made.initializers.slice(base.initializers.length),
    nodes: made.nodes.slice(base.nodes.length),
    opsets: made.opsets,
    loss: last,
  }
}

/** A graph with a recorded loss behind it. */
export function withLoss(graph: Graph, loss: LossNodes): Graph {
  return withParts(graph, {
    inputs: [...graph.inputs, ...loss.inputs],
    outputs: [...graph.outputs, ...loss.outputs],
    initializers: [...graph.initializers, ...loss.initializers],
    nodes: [...graph.nodes, ...loss.nodes],
    opsets: { ...loss.opsets, ...graph.opsets },
  })
}
