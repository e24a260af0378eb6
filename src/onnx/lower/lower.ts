import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { inlineConstants } from '../edit/constants.ts'
import { inOrder } from '../edit/order.ts'
import { prune } from '../edit/prune.ts'
import type { Graph, Model, Node } from '../graph.ts'
import { initializerOf, producerOf, withGraph, withNode, withParts } from '../graph.ts'
import type { Tensor } from '../tensor.ts'
import { toFloat32 } from './float32.ts'
import { lowerings } from './table.ts'

/** What a lowering writes with. */
export interface LowerContext {
  readonly b: Builder
  /** The elements of a constant, if it is one. */
  readonly constantOf: (name: string) => Tensor | undefined
  readonly producerOf: (name: string) => Node | undefined
  /** Whether an optional input or output is there. */
  readonly has: (name: string | undefined) => name is string
}

/**
 * The outputs of a fused, newer or quantised operator, written in primitives.
 *
 * The result has an entry for each output of the node; an empty name where that output is not given,
 * which is an error only when something reads it. An empty list: this form stays as it is.
 */
export type Lowering = (node: Node, context: LowerContext) => readonly string[]

/** How an operator is looked up: its domain (empty for ONNX) and its name. */
export function lowerKey(node: Node): string {
  return node.domain === '' || node.domain === 'ai.onnx' ? node.op : `${node.domain}.${node.op}`
}

/**
 * A model in which fused, newer and quantised operators are written in primitives that have gradients.
 *
 * Values keep their names. What has no lowering stays as it is.
 */
export function lower(model: Model): Model {
  return withGraph(model, lowerGraph(toFloat32(inlineConstants(model.graph))))
}

/** The same for a graph. */
export function lowerGraph(graph: Graph): Graph {
  const fused = graph.nodes.filter((node) => Object.hasOwn(lowerings, lowerKey(node)))
  if (fused.length === 0) return graph
  const b = builder(graph, { prefix: 'low' })
  const context: LowerContext = {
    b,
    constantOf: (name) => initializerOf(graph, name),
    producerOf: (name) => producerOf(graph, name),
    has: (name): name is string => name !== undefined && name !== '',
  }
  const names = new Map<string, string>()
  const gone = new Set<Node>()
  for (const node of fused) {
    const results = lowerings[lowerKey(node)]?.(node, context) ?? []
    if (results.length === 0) continue
    gone.add(node)
    node.outputs.forEach((name, i) => {
      const made = results[i] ?? ''
      // A result that is an operand, or already stands for another output, needs a node of its own.
      const own = made !== '' && made.startsWith(b.prefix) && !names.has(made)
      if (name !== '' && made !== '') names.set(own ? made : b.op('Identity', [made]), name)
    })
  }
  const nodes = b
    .graph()
    .nodes.filter((node) => !gone.has(node))
    .map((node) => renamed(node, names))
  return prune(inOrder(withParts(b.graph(), { nodes })))
}

function renamed(node: Node, names: ReadonlyMap<string, string>): Node {
  const change = (list: readonly string[]): string[] => list.map((name) => names.get(name) ?? name)
  const touched = [...node.inputs, ...node.outputs].some((name) => names.has(name))
  return touched
    ? withNode(node, { inputs: change(node.inputs), outputs: change(node.outputs) })
    : node
}
