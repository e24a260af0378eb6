import { expected, UserFault } from '../../base/index.ts'
import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import type { Graph, Node } from '../graph.ts'
import { hasValue, indexOf, nodeTitle, subgraphsOf, withParts } from '../graph.ts'
import { verify } from '../verify.ts'
import { inOrder } from './order.ts'
import { withReads } from './rename.ts'

export interface SpliceOptions {
  /** Only these nodes read the new value; default all that read the old one. */
  readonly consumers?: readonly Node[]
  /** What fresh names begin with. */
  readonly prefix?: string
}

/**
 * A graph in which the consumers of a value read the result of `build(g, value)` instead.
 *
 * The producer keeps its name, and so does a graph output of that name: it still gives the value
 * itself. Captures inside subgraphs follow; a value inside a subgraph is refused.
 *
 * @throws UserFault `E_ARGUMENT` for a name that the graph does not define, `E_ONNX_SUBGRAPH` for one
 *   that only a subgraph does
 */
export function splice(
  graph: Graph,
  value: string,
  build: (g: Builder, value: string) => string,
  options: SpliceOptions = {},
): Graph {
  checkValue(graph, value)
  const g = builder(graph, { prefix: options.prefix ?? 'splice' })
  const result = build(g, value)
  const grown = g.graph()
  if (result === value) return verify(grown)
  const chosen = new Set(options.consumers ?? indexOf(graph).consumers.get(value) ?? [])
  const names = new Map([[value, result]])
  const nodes = grown.nodes.map((node) => (chosen.has(node) ? withReads(node, names) : node))
  return verify(inOrder(withParts(grown, { nodes })))
}

/** Throws unless the graph itself, no subgraph of it, defines the value. */
export function checkValue(graph: Graph, value: string): void {
  if (hasValue(graph, value)) return
  const owner = graph.nodes.find((node) =>
    subgraphsOf(node).some((inner) => indexOf(inner).names.has(value)),
  )
  if (owner === undefined) throw expected('a value of the graph', 'the value to edit', value)
  const title = nodeTitle(owner)
  throw new UserFault('E_ONNX_SUBGRAPH', `"${value}" lies inside the subgraph of ${title}.`, {
    fields: { value, node: title },
    cure: 'Edits inside subgraphs are not made: specialise the model first, so that If is inlined.',
  })
}
