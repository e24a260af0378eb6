import type { Graph, Node } from '../graph.ts'
import { consumersOf, indexOf, producerOf, readsOf } from '../graph.ts'

const settled = new WeakMap<Graph, ReadonlySet<string>>()

/** What is done to weights before they are used. */
const preparing = new Set(
  'Cast Transpose Reshape Squeeze Unsqueeze DequantizeLinear Identity Constant ConstantOfShape Shape'.split(
    ' ',
  ),
)

/**
 * Weights and other constants, as they are or prepared. What a model computes from its own queries
 * alone is none, although it never changes: prompts may join there.
 */
export function constantsOf(graph: Graph): ReadonlySet<string> {
  const known = settled.get(graph)
  if (known !== undefined) return known
  const inputs = indexOf(graph).input
  const constant = new Set(
    graph.initializers.map(({ name }) => name).filter((name) => !inputs.has(name)),
  )
  for (const node of graph.nodes) {
    if (preparing.has(node.op) && readsOf(node).every((name) => constant.has(name))) {
      for (const name of node.outputs) constant.add(name)
    }
  }
  settled.set(graph, constant)
  return constant
}

/** Values that depend on any of the given, themselves included. */
export function downstreamOf(graph: Graph, values: Iterable<string>): Set<string> {
  const moved = new Set(values)
  for (const node of graph.nodes) {
    if (readsOf(node).some((name) => moved.has(name))) {
      for (const name of node.outputs) if (name !== '') moved.add(name)
    }
  }
  return moved
}

/** Values on which any of the given depend, themselves included. */
export function upstreamOf(graph: Graph, values: Iterable<string>): Set<string> {
  const found = new Set<string>()
  const pending = [...values]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const node = producerOf(graph, name)
    if (node !== undefined) pending.push(...readsOf(node))
  }
  return found
}

/** Nodes that lie on a way from one value to another, in the order of the graph. */
export function nodesBetween(graph: Graph, from: string, to: string): readonly Node[] {
  const down = downstreamOf(graph, [from])
  const up = upstreamOf(graph, [to])
  return graph.nodes.filter(
    (node) =>
      node.outputs.some((name) => up.has(name)) &&
      readsOf(node).some((name) => down.has(name)) &&
      !node.outputs.includes(from),
  )
}

/** The inputs of a node that are no constants. */
export function movingInputs(graph: Graph, node: Node): readonly string[] {
  const constant = constantsOf(graph)
  return node.inputs.filter((name) => name !== '' && !constant.has(name))
}

/** The only reader of a value; undefined when there are several. */
export function onlyConsumer(graph: Graph, value: string): Node | undefined {
  const readers = consumersOf(graph, value)
  return readers.length === 1 ? readers[0] : undefined
}
