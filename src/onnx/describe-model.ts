import type { ElementType } from './element-types.ts'
import { byteLengthOf } from './element-types.ts'
import type { Graph, Model, ValueInfo } from './graph.ts'
import { subgraphsOf } from './graph.ts'
import { sizeOf } from './tensor.ts'
import type { GraphProblem } from './verify.ts'
import { functionsOf, problemsOf } from './verify.ts'

/** How often an operator occurs, subgraphs included. */
export interface OperatorCount {
  /** Empty for ONNX itself. */
  readonly domain: string
  readonly op: string
  readonly count: number
}

/** What a model is, as plain data: for people, and for checks. */
export interface ModelSummary {
  readonly name: string
  readonly irVersion: number
  readonly producer: string
  readonly opsets: Readonly<Record<string, number>>
  readonly metadata: Readonly<Record<string, string>>
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
  readonly nodes: number
  readonly operators: readonly OperatorCount[]
  readonly weights: {
    readonly tensors: number
    readonly elements: number
    readonly bytes: number
    /** Bytes by element type. */
    readonly byType: Readonly<Partial<Record<ElementType, number>>>
    /** Files that weights lie in, when they were not brought into memory. */
    readonly files: readonly string[]
  }
  readonly problems: readonly GraphProblem[]
}

/** A summary of a model, with everything that is wrong with it; nothing is run and no weight is read. */
export function describeModel(model: Model): ModelSummary {
  const { graph } = model
  return Object.freeze({
    name: graph.name,
    irVersion: model.irVersion,
    producer: model.producer,
    opsets: graph.opsets,
    metadata: model.metadata,
    inputs: graph.inputs,
    outputs: graph.outputs,
    nodes: graph.nodes.length,
    operators: operatorCounts(graph),
    weights: weightsOf(graph),
    problems: problemsOf(graph, functionsOf(model)),
  })
}

/** The operators of a graph and its subgraphs, the most frequent first. */
export function operatorCounts(graph: Graph): readonly OperatorCount[] {
  const counts = new Map<string, { domain: string; op: string; count: number }>()
  const pending = [graph]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const node of next.nodes) {
      pending.push(...subgraphsOf(node))
      const key = `${node.domain}:${node.op}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { domain: node.domain, op: node.op, count: 1 })
      else known.count++
    }
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.op < b.op ? -1 : 1))
}

function weightsOf(graph: Graph): ModelSummary['weights'] {
  const byType: Partial<Record<ElementType, number>> = {}
  const files = new Set<string>()
  let elements = 0
  let bytes = 0
  for (const { type, dims, storage } of graph.initializers) {
    const count = sizeOf(dims)
    const length = byteLengthOf(type, count)
    elements += count
    bytes += length
    byType[type] = (byType[type] ?? 0) + length
    if (storage.kind === 'file') files.add(storage.at.file)
  }
  return { tensors: graph.initializers.length, elements, bytes, byType, files: [...files] }
}
