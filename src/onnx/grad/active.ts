import { UserFault } from '../../base/index.ts'
import { isFloat } from '../element-types.ts'
import type { Graph, Node, Shapes } from '../graph.ts'
import { indexOf, nodeTitle, producerOf, readsOf } from '../graph.ts'
import { flatOps } from './rules/table.ts'

/** What carries gradient: reached from a trainable value through floats, and reaching the loss. */
export interface Active {
  readonly values: ReadonlySet<string>
  /** In the order of the graph. */
  readonly nodes: readonly Node[]
}

/** True where a small change of an input can change the value. */
function carries(node: Node, name: string, shapes: Shapes): boolean {
  const type = shapes.get(name)?.type
  if (name === '' || (flatOps.has(node.op) && node.domain === '')) return false
  return type === undefined || isFloat(type)
}

/** Values and nodes between the trainable values and the loss. */
export function activeOf(
  graph: Graph,
  loss: string,
  trainable: readonly string[],
  shapes: Shapes,
): Active {
  const moved = new Set(trainable)
  for (const node of graph.nodes) {
    if (!readsOf(node).some((name) => moved.has(name))) continue
    for (const name of node.outputs) if (carries(node, name, shapes)) moved.add(name)
  }
  const values = new Set<string>(moved.has(loss) ? [loss] : [])
  const nodes: Node[] = []
  for (const node of graph.nodes.toReversed()) {
    if (!node.outputs.some((name) => values.has(name))) continue
    const read = readsOf(node).filter((name) => moved.has(name))
    // A trainable value that a node makes ends the walk unless another lies before it.
    if (read.length === 0) continue
    nodes.push(node)
    for (const name of read) values.add(name)
  }
  for (const name of trainable) if (!values.has(name)) throw unreached(graph, name, loss)
  return { values, nodes: nodes.reverse() }
}

function unreached(graph: Graph, name: string, loss: string): UserFault {
  const read = graph.nodes
    .filter((node) => node.inputs.includes(name))
    .map((node) => nodeTitle(node))
  return new UserFault('E_GRAD_UNREACHED', `The loss "${loss}" does not depend on "${name}".`, {
    fields: { value: name, loss, readers: read },
    cure:
      read.length === 0
        ? 'Nothing reads it: put it into the graph before the loss.'
        : 'It is lost behind one of its readers, through indices, comparisons or rounding.',
  })
}

/** The way from a node back to a trainable value, nearest first, as it is told in errors. */
export function pathToTrainable(
  graph: Graph,
  node: Node,
  active: ReadonlySet<string>,
  trainable: ReadonlySet<string>,
): readonly string[] {
  const path: string[] = []
  let here: Node | undefined = node
  while (here !== undefined) {
    path.push(nodeTitle(here, indexOf(graph).position.get(here)))
    const inputs: readonly string[] = readsOf(here)
    const end = inputs.find((name) => trainable.has(name))
    if (end !== undefined) return [...path, `"${end}"`]
    const next: string | undefined = inputs.find(
      (name) => active.has(name) && producerOf(graph, name) !== undefined,
    )
    here = next === undefined ? undefined : producerOf(graph, next)
  }
  return path
}
