import { relative, sep } from 'node:path'
import { withoutConstants } from './edit/constants.ts'
import { encodeMessage } from './encode.ts'
import { commonFolder } from './external-files.ts'
import type { Graph, Model } from './graph.ts'
import { subgraphsOf, withGraph } from './graph.ts'
import { fromModel } from './model-message.ts'
import type { FileRange, Tensor } from './tensor.ts'
import { fromTensor, fromTensorOutside } from './tensor-message.ts'

/**
 * The bytes of a model with all of its weights inside, read from their files where they lie there.
 *
 * What was read and not edited is written byte for byte as it came.
 */
export function writeModel(model: Model): Uint8Array {
  return encodeMessage('Model', fromModel(model, fromTensor))
}

/** A model as the runtime takes it: weights above 1 kB stay in their files, named relative to `folder`. */
export interface LeanModel {
  readonly bytes: Uint8Array
  /** Where the weights lie; undefined when all of them are in the bytes. */
  readonly folder?: string
}

/** Weights below this go into the bytes: shapes and axes have to be there for the runtime's inference. */
const outsideFrom = 1024

/**
 * The bytes of a model without the weights that lie in files. Constant nodes become initialisers, since
 * only those can point into a file.
 */
export function writeLean(given: Model): LeanModel {
  const model = withGraph(given, withoutConstants(given.graph))
  const files = new Set<string>()
  eachTensor(model.graph, (tensor) => {
    const at = placeOf(tensor)
    if (at !== undefined) files.add(at.file)
  })
  const folder = commonFolder([...files])
  if (folder === undefined) return { bytes: writeModel(model) }
  const bytes = encodeMessage(
    'Model',
    fromModel(model, (tensor) => {
      const at = placeOf(tensor)
      if (at === undefined) return fromTensor(tensor)
      const file = relative(folder, at.file).split(sep).join('/')
      return fromTensorOutside(tensor, { ...at, file })
    }),
  )
  return { bytes, folder }
}

function placeOf({ storage }: Tensor): FileRange | undefined {
  const at = storage.kind === 'texts' ? undefined : storage.at
  return at !== undefined && at.length >= outsideFrom ? at : undefined
}

function eachTensor(graph: Graph, visit: (tensor: Tensor) => void): void {
  graph.initializers.forEach(visit)
  for (const node of graph.nodes) {
    for (const inner of subgraphsOf(node)) eachTensor(inner, visit)
  }
}
