import type { Attribute } from '../attribute.ts'
import type { Graph, Node, ValueInfo } from '../graph.ts'
import { capturesOf, graphOf, subgraphsOf, withNode } from '../graph.ts'
import type { Tensor } from '../tensor.ts'
import { verify } from '../verify.ts'

type Names = ReadonlyMap<string, string>

/**
 * A graph with some values renamed everywhere: in nodes, inputs, outputs, initialisers, and in what
 * subgraphs capture.
 *
 * @throws Bug `E_ONNX_VERIFY` when a new name is taken
 */
export function rename(graph: Graph, names: Names): Graph {
  return verify(renamed(graph, names))
}

/** The same without the check, for edits that are not finished. */
export function renamed(graph: Graph, names: Names): Graph {
  if (names.size === 0) return graph
  const named = <T extends ValueInfo | Tensor>(items: readonly T[]): readonly T[] =>
    items.map((item) => {
      const name = names.get(item.name)
      if (name === undefined) return item
      const copy: T = { ...item, name }
      return Object.freeze(copy)
    })
  return graphOf({
    ...graph,
    nodes: graph.nodes.map((node) => renamedNode(node, names, names)),
    inputs: named(graph.inputs),
    outputs: named(graph.outputs),
    initializers: named(graph.initializers),
    valueInfo: named(graph.valueInfo),
  })
}

/** A node that reads other names; captures of its subgraphs follow. */
export function withReads(node: Node, names: Names): Node {
  return renamedNode(node, names, new Map())
}

function renamedNode(node: Node, reads: Names, makes: Names): Node {
  const inputs = mapped(node.inputs, reads)
  const outputs = mapped(node.outputs, makes)
  const captured = subgraphsOf(node).some((inner) =>
    capturesOf(inner).some((name) => reads.has(name)),
  )
  if (inputs === node.inputs && outputs === node.outputs && !captured) return node
  const attributes = captured
    ? Object.fromEntries(
        Object.entries(node.attributes).map(([name, value]) => [name, recaptured(value, reads)]),
      )
    : node.attributes
  return withNode(node, { inputs, outputs, attributes })
}

function mapped(list: readonly string[], names: Names): readonly string[] {
  return list.some((name) => names.has(name)) ? list.map((name) => names.get(name) ?? name) : list
}

function recaptured(attribute: Attribute, names: Names): Attribute {
  if (attribute.type === 'graph') {
    return Object.freeze({ ...attribute, value: recapture(attribute.value, names) })
  }
  if (attribute.type === 'graphs') {
    const value = attribute.value.map((graph) => recapture(graph, names))
    return Object.freeze({ ...attribute, value: Object.freeze(value) })
  }
  return attribute
}

/** Renames what a subgraph captures; values of its own that hide an outer name are left. */
function recapture(graph: Graph, names: Names): Graph {
  const outer = new Map(
    capturesOf(graph).flatMap((name) => {
      const to = names.get(name)
      return to === undefined ? [] : [[name, to] as const]
    }),
  )
  if (outer.size === 0) return graph
  return graphOf({
    ...graph,
    nodes: graph.nodes.map((node) => withReads(node, outer)),
    outputs: graph.outputs.map((output) => {
      const name = outer.get(output.name)
      return name === undefined ? output : Object.freeze({ ...output, name })
    }),
  })
}
