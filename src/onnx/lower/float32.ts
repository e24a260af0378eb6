import { intAttribute, tensorAttribute } from '../attribute.ts'
import { builder } from '../builder.ts'
import { inOrder } from '../edit/order.ts'
import type { ElementType } from '../element-types.ts'
import { elementTypes } from '../element-types.ts'
import type { Graph, Node, ValueInfo } from '../graph.ts'
import { valueInfo, withNode, withParts } from '../graph.ts'
import { tensorNumbers, tensorOf } from '../tensor.ts'
import { attributeOf } from '../attribute.ts'

const half = (type: ElementType | undefined): boolean => type === 'float16' || type === 'bfloat16'

/**
 * A graph in 16-bit floats as one in float32: weights stay in their file with a Cast behind each, casts to
 * 16 bits become casts to 32. Inputs and outputs keep their types, with a Cast beside them.
 *
 * The processor computes in 32 bits anyway; gradients in 16 bits would lose what they are for.
 */
export function toFloat32(graph: Graph): Graph {
  const weights = graph.initializers.filter(({ type }) => half(type))
  const inputs = graph.inputs.filter(({ type }) => half(type))
  const outputs = graph.outputs.filter(({ type }) => half(type))
  const casts = graph.nodes.some((node) => node.op === 'Cast' && castsToHalf(node))
  if (weights.length + inputs.length + outputs.length === 0 && !casts) return graph
  const names = new Map<string, string>()
  const rename = (value: { readonly name: string }): string => names.get(value.name) ?? value.name
  const nodes = graph.nodes.map(widened)
  const b = builder(withParts(graph, { nodes, valueInfo: [] }), { prefix: 'wide' })
  for (const value of [...weights, ...inputs]) names.set(value.name, b.cast(value.name, 'float32'))
  const narrow = outputs.map((output) => ({ output, inner: b.fresh('output') }))
  for (const { output, inner } of narrow) names.set(output.name, inner)
  const own = new Set([...b.graph().nodes].slice(nodes.length))
  const renamed = b.graph().nodes.map((node) =>
    own.has(node)
      ? node
      : withNode(node, {
          inputs: node.inputs.map((name) => rename({ name })),
          outputs: node.outputs.map((name) => rename({ name })),
        }),
  )
  const back = builder(withParts(b.graph(), { nodes: renamed, outputs: [] }), { prefix: 'narrow' })
  const ends = narrow.map(({ output, inner }): Node => {
    const to = elementTypes[output.type ?? 'float16'].id
    back.op('Cast', [inner], { to })
    const made = back.graph().nodes.at(-1) as Node
    return withNode(made, { outputs: [output.name] })
  })
  return inOrder(
    withParts(b.graph(), {
      nodes: [...renamed, ...ends],
      outputs: graph.outputs.map((output): ValueInfo =>
        valueInfo(output.name, output.type, output.shape),
      ),
      valueInfo: [],
    }),
  )
}

function castsToHalf(node: Node): boolean {
  const to = intAttribute(node, 'to', 1)
  return to === elementTypes.float16.id || to === elementTypes.bfloat16.id
}

/** A node that would give 16-bit floats, giving 32-bit ones. */
function widened(node: Node): Node {
  const wide = attributeOf('to', elementTypes.float32.id)
  if (node.op === 'Cast' && castsToHalf(node)) {
    return withNode(node, { attributes: { ...node.attributes, to: wide } })
  }
  const value = tensorAttribute(node, 'value')
  if (node.op === 'ConstantOfShape' && value !== undefined && half(value.type)) {
    const tensor = tensorOf('', 'float32', [...tensorNumbers(value)], value.dims)
    return withNode(node, {
      attributes: { ...node.attributes, value: attributeOf('value', tensor) },
    })
  }
  return node
}
