import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import { inOrder } from '../edit/order.ts'
import { prune } from '../edit/prune.ts'
import type { Graph, Node } from '../graph.ts'
import { withNode, withParts } from '../graph.ts'

/** New nodes and new operands of old nodes, collected and applied at once. */
export interface Rewrite {
  readonly graph: Graph
  readonly builder: Builder
  /** From now on the node reads `name` as its input `i`. */
  readInput(node: Node, i: number, name: string): void
  /** From now on whoever reads `value`, except `but`, reads `name`; outputs of the graph stay. */
  readAll(value: string, name: string, but?: readonly Node[]): void
  /** The graph output `value` is from now on what `name` is; within the graph the old value goes on. */
  giveInstead(value: string, name: string): void
  /** The edited graph, in order, pruned and verified. */
  finish(): Graph
}

/** Edits of one graph; nodes named by callers are those of the graph given here. */
export function rewrite(graph: Graph, prefix: string): Rewrite {
  const write = builder(graph, { prefix })
  const operands = new Map<Node, Map<number, string>>()
  const names = new Map<string, string>()
  const readInput = (node: Node, i: number, name: string): void => {
    const known = operands.get(node) ?? new Map<number, string>()
    operands.set(node, known.set(i, name))
  }
  return {
    graph,
    builder: write,
    readInput,
    readAll: (value, name, but = []) => {
      for (const node of graph.nodes) {
        if (but.includes(node)) continue
        node.inputs.forEach((input, i) => {
          if (input === value) readInput(node, i, name)
        })
      }
    },
    giveInstead: (value, name) => {
      names.set(value, write.fresh('inner'))
      names.set(name, value)
    },
    finish: () => {
      const grown = write.graph()
      const renamed = (name: string): string => names.get(name) ?? name
      const nodes = grown.nodes.map((node) => {
        const changed = operands.get(node)
        if (changed === undefined && names.size === 0) return node
        return withNode(node, {
          inputs: node.inputs.map((name, i) => renamed(changed?.get(i) ?? name)),
          outputs: node.outputs.map(renamed),
        })
      })
      return prune(inOrder(withParts(grown, { nodes, valueInfo: [] })))
    },
  }
}
