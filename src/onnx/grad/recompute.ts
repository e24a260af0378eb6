import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { inOrder } from '../edit/order.ts'
import { prune } from '../edit/prune.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { indexOf, withNode, withParts } from '../graph.ts'
import type { Gradient } from './gradient.ts'
import { sameDims } from './value.ts'

/** What a session of a recomputing graph must not do: either would undo it. */
export const recomputeWithout: readonly string[] = [
  'CommonSubexpressionElimination',
  'ConstantFolding',
]

/**
 * A gradient graph that keeps only the boundaries of segments and computes what lies between again when
 * the segment's backward pass begins: less memory for about 30 % more time.
 *
 * The copy of a segment reads its input through Reshape(x, Shape(dy)), dy the gradient of the segment's
 * output: that costs nothing and cannot run before dy is there. Segments whose input and output differ in
 * shape, or whose gradient is not whole, stay as they are, as does what lies behind the last boundary.
 *
 * The session has to be opened with `without: recomputeWithout`.
 *
 * @param boundaries  values of the forward graph in order, such as the inputs of layers
 */
export function recompute(made: Gradient, shapes: Shapes, boundaries: readonly string[]): Graph {
  const { graph } = made
  const b = builder(graph, { prefix: 'again' })
  const operands = new Map<Node, Map<string, string>>()
  for (let i = 0; i + 1 < boundaries.length; i++) {
    const [from = '', to = ''] = [boundaries[i], boundaries[i + 1]]
    const dy = made.arrived.get(to)
    const [here, there] = [shapes.get(from)?.dims, shapes.get(to)?.dims]
    if (dy === undefined || here === undefined || there === undefined || !sameDims(here, there))
      continue
    if (!indexOf(graph).producer.has(dy)) continue
    again(graph, b, shapes, { from, to, dy }, operands)
  }
  const nodes = b.graph().nodes.map((node) => {
    const changed = operands.get(node)
    return changed === undefined
      ? node
      : withNode(node, { inputs: node.inputs.map((name) => changed.get(name) ?? name) })
  })
  return prune(inOrder(withParts(b.graph(), { nodes })))
}

interface Segment {
  readonly from: string
  readonly to: string
  readonly dy: string
}

function again(
  graph: Graph,
  b: Builder,
  shapes: Shapes,
  { from, to, dy }: Segment,
  operands: Map<Node, Map<string, string>>,
): void {
  const { producer } = indexOf(graph)
  // Forward nodes may have been asked for further outputs, whose shapes nobody inferred.
  const forward = (node: Node): boolean => shapes.has(node.outputs[0] ?? '')
  const down = new Set([from])
  const inside: Node[] = []
  for (const node of graph.nodes) {
    if (!forward(node) || !node.inputs.some((name) => down.has(name)) || down.has(to)) continue
    inside.push(node)
    for (const name of node.outputs) down.add(name)
  }
  down.delete(from)
  down.delete(to)
  // What leads to dy cannot wait for it: where a later segment reads an inner value, it stays kept.
  const ahead = leadingTo(graph, dy)
  const readers = graph.nodes.filter(
    (node) => !forward(node) && !ahead.has(node) && node.inputs.some((name) => down.has(name)),
  )
  const wanted = new Set(readers.flatMap((node) => node.inputs).filter((name) => down.has(name)))
  if (wanted.size === 0) return
  // Only what leads to a value that the backward pass reads.
  const needed = new Set<Node>()
  const pending = [...wanted]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const node = producer.get(name)
    if (node === undefined || needed.has(node) || !inside.includes(node)) continue
    needed.add(node)
    pending.push(...node.inputs)
  }
  const copies = new Map([[from, b.op('Reshape', [from, b.op('Shape', [dy])])]])
  for (const node of inside) {
    if (!needed.has(node)) continue
    const inputs = node.inputs.map((name) => copies.get(name) ?? name)
    const outputs = b.ops(node.op, inputs, node.outputs.length, node.attributes, {
      domain: node.domain,
    })
    node.outputs.forEach((name, k) => name !== '' && copies.set(name, outputs[k] ?? ''))
  }
  for (const node of readers) {
    const known = operands.get(node) ?? new Map<string, string>()
    for (const name of node.inputs) {
      const copy = copies.get(name)
      if (copy !== undefined && down.has(name)) known.set(name, copy)
    }
    operands.set(node, known)
  }
}

function leadingTo(graph: Graph, value: string): ReadonlySet<Node> {
  const { producer } = indexOf(graph)
  const found = new Set<Node>()
  const pending = [value]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const node = producer.get(name)
    if (node === undefined || found.has(node)) continue
    found.add(node)
    pending.push(...node.inputs)
  }
  return found
}
