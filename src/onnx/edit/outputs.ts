import { expected } from '../../base/index.ts'
import type { Dim, Graph, Shapes } from '../graph.ts'
import { indexOf, valueInfo, withParts } from '../graph.ts'
import { verify } from '../verify.ts'
import { describe } from './cut.ts'
import { checkValue } from './splice.ts'

/** A graph that gives exactly these values; nothing is pruned. */
export function withOutputs(graph: Graph, names: readonly string[], shapes?: Shapes): Graph {
  names.forEach((name) => checkValue(graph, name))
  return verify(withParts(graph, { outputs: names.map((name) => describe(graph, name, shapes)) }))
}

/**
 * A graph whose inputs have the given sizes.
 *
 * Notes on the sizes of other values are dropped, since they may not hold any more.
 *
 * @throws UserFault `E_ARGUMENT` for a name that is no input, or a size that the input does not allow
 */
export function withInputShapes(
  graph: Graph,
  shapes: Readonly<Record<string, readonly number[]>>,
): Graph {
  for (const name of Object.keys(shapes)) {
    if (!indexOf(graph).input.has(name)) {
      const known = graph.inputs.map((input) => input.name).join(', ')
      throw expected(`one of the inputs ${known}`, 'the shape of an input', name)
    }
  }
  const inputs = graph.inputs.map((input) => {
    const dims = Object.hasOwn(shapes, input.name) ? shapes[input.name] : undefined
    if (dims === undefined) return input
    const fits =
      input.shape === undefined ||
      (input.shape.length === dims.length &&
        input.shape.every((dim, i) => typeof dim !== 'number' || dim === dims[i]))
    if (!fits) {
      throw expected(
        `[${input.shape?.join(', ')}]`,
        `the shape of input "${input.name}"`,
        `[${dims.join(', ')}]`,
      )
    }
    return valueInfo(input.name, input.type, dims)
  })
  const outputs = graph.outputs.map((output) => {
    const free = output.shape?.some((dim) => typeof dim !== 'number') ?? false
    const shape = output.shape?.map((dim): Dim => (typeof dim === 'number' ? dim : null))
    return free ? valueInfo(output.name, output.type, shape) : output
  })
  return verify(withParts(graph, { inputs, outputs, valueInfo: [] }))
}
