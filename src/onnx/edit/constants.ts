import type { Attribute } from '../attribute.ts'
import type { Graph, Node } from '../graph.ts'
import { withParts } from '../graph.ts'
import type { Tensor } from '../tensor.ts'
import { tensorOf } from '../tensor.ts'
import { verify } from '../verify.ts'

/** A graph whose Constant nodes are initialisers; those of texts and sparse tensors stay. */
export function inlineConstants(graph: Graph): Graph {
  const inlined = withoutConstants(graph)
  return inlined === graph ? graph : verify(inlined)
}

/** The same without the check, for graphs that nobody has looked at yet. */
export function withoutConstants(graph: Graph): Graph {
  const found = graph.nodes.map(constantTensor)
  const tensors = found.filter((tensor) => tensor !== undefined)
  if (tensors.length === 0) return graph
  return withParts(graph, {
    nodes: graph.nodes.filter((_, i) => found[i] === undefined),
    initializers: [...graph.initializers, ...tensors],
  })
}

function constantTensor(node: Node): Tensor | undefined {
  const [name] = node.outputs
  if (node.op !== 'Constant' || node.domain !== '' || name === undefined) return undefined
  for (const [key, attribute] of Object.entries(node.attributes)) {
    const tensor = toTensor(name, key, attribute)
    if (tensor !== undefined) return tensor
  }
  return undefined
}

function toTensor(name: string, key: string, attribute: Attribute): Tensor | undefined {
  switch (attribute.type) {
    case 'tensor':
      return key === 'value' ? Object.freeze({ ...attribute.value, name }) : undefined
    case 'float':
      return tensorOf(name, 'float32', [attribute.value], [])
    case 'int':
      return tensorOf(name, 'int64', [BigInt(attribute.value)], [])
    case 'floats':
      return tensorOf(name, 'float32', attribute.value)
    case 'ints':
      return tensorOf(name, 'int64', attribute.value.map(BigInt))
    default:
      return undefined
  }
}
