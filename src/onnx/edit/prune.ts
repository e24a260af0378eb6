import type { Graph, Node } from '../graph.ts'
import { indexOf, readsOf, withParts } from '../graph.ts'
import { verify } from '../verify.ts'

export interface PruneOptions {
  /** Whether inputs that nothing reads stay; default true, so that feeds keep fitting. */
  readonly keepInputs?: boolean
}

/**
 * A graph without what its outputs do not need: nodes, initialisers, notes on values.
 *
 * The end of every edit: outputs of dead nodes would stay allocated to the end of a run.
 */
export function prune(graph: Graph, options: PruneOptions = {}): Graph {
  const { producer } = indexOf(graph)
  const live = new Set<string>()
  const kept = new Set<Node>()
  const pending = graph.outputs.map(({ name }) => name)
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (live.has(name)) continue
    live.add(name)
    const node = producer.get(name)
    if (node === undefined || kept.has(node)) continue
    kept.add(node)
    pending.push(...readsOf(node))
  }
  const nodes = graph.nodes.filter((node) => kept.has(node))
  const made = new Set(nodes.flatMap((node) => node.outputs))
  const { keepInputs = true } = options
  return verify(
    withParts(graph, {
      nodes,
      initializers: graph.initializers.filter(({ name }) => live.has(name)),
      inputs: keepInputs ? graph.inputs : graph.inputs.filter(({ name }) => live.has(name)),
      valueInfo: graph.valueInfo.filter(({ name }) => live.has(name) || made.has(name)),
    }),
  )
}
