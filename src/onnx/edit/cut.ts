import type { Graph, Shapes, ValueInfo } from '../graph.ts'
import { indexOf, valueInfo, withNode, withParts } from '../graph.ts'
import { prune } from './prune.ts'
import { checkValue } from './splice.ts'

/** A graph in two halves. */
export interface Halves {
  /** From the inputs to the values, which are its outputs. */
  readonly prefix: Graph
  /** From the values, which are inputs, to the outputs. */
  readonly rest: Graph
}

/**
 * Cuts a graph at some values: they become outputs of the prefix and inputs of the rest.
 *
 * What the rest needs beside them (inputs, constants, what leads around the cut) stays in it. Both
 * halves keep only the inputs that they read.
 *
 * @param shapes  types and shapes of the values where the graph does not declare them
 * @throws UserFault `E_ARGUMENT` for a name that the graph does not define
 */
export function cut(graph: Graph, values: readonly string[], shapes?: Shapes): Halves {
  values.forEach((value) => checkValue(graph, value))
  const infos = values.map((value) => describe(graph, value, shapes))
  const severed = new Set(values)
  const prefix = withParts(graph, { outputs: infos })
  const rest = withParts(graph, {
    inputs: [...graph.inputs.filter(({ name }) => !severed.has(name)), ...infos],
    initializers: graph.initializers.filter(({ name }) => !severed.has(name)),
    nodes: graph.nodes.flatMap((node) => {
      if (!node.outputs.some((name) => severed.has(name))) return [node]
      // A node of which every output is cut goes; of the others, the cut outputs get no name.
      const outputs = node.outputs.map((name) => (severed.has(name) ? '' : name))
      return outputs.every((name) => name === '') ? [] : [withNode(node, { outputs })]
    }),
    valueInfo: graph.valueInfo.filter(({ name }) => !severed.has(name)),
  })
  return {
    prefix: prune(prefix, { keepInputs: false }),
    rest: prune(rest, { keepInputs: false }),
  }
}

/** What is known of a value, as an input or output has to say it. */
export function describe(graph: Graph, name: string, shapes?: Shapes): ValueInfo {
  const found = shapes?.get(name)
  if (found !== undefined) return valueInfo(name, found.type, found.dims)
  const { input, output, info, initializer } = indexOf(graph)
  const tensor = initializer.get(name)
  if (tensor !== undefined) return valueInfo(name, tensor.type, tensor.dims)
  return input.get(name) ?? output.get(name) ?? info.get(name) ?? valueInfo(name)
}
