import { UserFault } from '../../base/index.ts'
import { intAttribute } from '../attribute.ts'
import type { Graph, Node } from '../graph.ts'
import { nodeTitle, opsetOf, subgraphsOf, withParts } from '../graph.ts'
import { changesBetween } from '../operators.ts'
import { verify } from '../verify.ts'

/**
 * Operators whose meaning changed between 13 and 17, and when a node is touched by it. All other
 * changes there added types or attributes with the old meaning as default.
 */
const changedMeaning: Readonly<Record<string, (node: Node) => boolean>> = {
  // Until 13 further outputs meant training; from 14 on an attribute says it.
  BatchNormalization: (node) =>
    node.outputs.length > 1 || intAttribute(node, 'training_mode', 0) === 1,
  // From 16 on half_pixel is the default.
  RoiAlign: (node) => !Object.hasOwn(node.attributes, 'coordinate_transformation_mode'),
}

/**
 * A graph of opset 13 to 16 written as a newer one up to 17, by its import line alone.
 *
 * Above 17 operators change their form (axes become inputs), so nothing is lifted there.
 *
 * @throws UserFault `E_ONNX_OPSET` for an opset outside 13 to 17, and for a node whose meaning changed
 *   in between
 */
export function liftOpset(graph: Graph, to: number): Graph {
  const from = opsetOf(graph)
  if (from === to) return graph
  if (from < 13 || to > 17 || to < from) {
    throw new UserFault('E_ONNX_OPSET', `A graph of opset ${from} is not lifted to ${to}.`, {
      fields: { from, to },
      cure: 'Export the model with opset 13 to 17 for lifting, or with the opset that is needed.',
    })
  }
  checkNodes(graph, from, to)
  return verify(withParts(graph, { opsets: { ...graph.opsets, '': to } }))
}

function checkNodes(graph: Graph, from: number, to: number): void {
  for (const node of graph.nodes) {
    subgraphsOf(node).forEach((inner) => checkNodes(inner, from, to))
    if (node.domain !== '' || changesBetween(node.op, from, to).length === 0) continue
    if (changedMeaning[node.op]?.(node) ?? false) {
      const title = nodeTitle(node)
      throw new UserFault(
        'E_ONNX_OPSET',
        `${title} changed its meaning between ${from} and ${to}.`,
        {
          fields: { node: title, from, to },
          cure: `Export the model with opset ${to}.`,
        },
      )
    }
  }
}
