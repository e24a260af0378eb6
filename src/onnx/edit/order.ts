import { UserFault } from '../../base/index.ts'
import type { Graph, Node } from '../graph.ts'
import { indexOf, nodeTitle, readsOf, withParts } from '../graph.ts'

/**
 * A graph whose nodes stand behind what they read; nodes that already do keep their order.
 *
 * @throws UserFault `E_ONNX_CYCLE` naming a node on it
 */
export function inOrder(graph: Graph): Graph {
  const { producer } = indexOf(graph)
  const done = new Set<Node>()
  const open = new Set<Node>()
  const nodes: Node[] = []
  for (const root of graph.nodes) {
    const pending = [root]
    for (let node = pending.at(-1); node !== undefined; node = pending.at(-1)) {
      if (done.has(node)) {
        pending.pop()
        continue
      }
      const before = open.has(node) ? [] : sourcesOf(node, producer).filter((n) => !done.has(n))
      if (before.length === 0) {
        done.add(node)
        nodes.push(node)
        pending.pop()
        continue
      }
      open.add(node)
      const loop = before.find((source) => open.has(source))
      if (loop !== undefined) throw cycle(graph, loop)
      pending.push(...before.reverse())
    }
  }
  return nodes.every((node, i) => node === graph.nodes[i]) ? graph : withParts(graph, { nodes })
}

function sourcesOf(node: Node, producer: ReadonlyMap<string, Node>): Node[] {
  return readsOf(node).flatMap((name) => {
    const source = producer.get(name)
    return source === undefined ? [] : [source]
  })
}

function cycle(graph: Graph, node: Node): UserFault {
  const title = nodeTitle(node, indexOf(graph).position.get(node))
  return new UserFault('E_ONNX_CYCLE', `The graph has a cycle through ${title}.`, {
    fields: { node: title },
    cure: 'Export the model again.',
  })
}
