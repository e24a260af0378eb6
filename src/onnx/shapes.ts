import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UserFault } from '../base/index.ts'
import { inlineConstants, withoutConstants } from './edit/constants.ts'
import { withInputShapes } from './edit/outputs.ts'
import { isFloat } from './element-types.ts'
import type { Graph, Model, Shapes, TensorType, ValueInfo } from './graph.ts'
import { indexOf, valueInfo, withGraph, withParts } from './graph.ts'
import type { OpenSessionOptions } from './open-session.ts'
import { openLean } from './open-session.ts'
import { readModel } from './read-model.ts'
import type { Session } from './session.ts'
import { sizeOf } from './tensor.ts'
import { verify } from './verify.ts'
import { writeModel } from './write-model.ts'

export interface ShapeOptions {
  /** Where the runtime is asked; default a worker of its own. */
  readonly thread?: OpenSessionOptions['thread']
  readonly signal?: AbortSignal
}

/** Float initialisers above this many elements are left out of the twin. */
const bigFrom = 256

/**
 * Optimisers that would change the form of the graph. Even the lowest level fuses without this list;
 * with it, only constants and shapes are folded.
 */
const reshaping = [
  ...['MatMulAddFusion', 'LayerNormFusion', 'LayerNormFusionL1', 'SimplifiedLayerNormFusion'],
  ...['GeluFusion', 'GeluFusionL1', 'QuickGeluFusion', 'TransposeOptimizer', 'ConvAddFusion'],
  ...['ConvMulFusion', 'ConvBNFusion', 'PadFusion', 'MatMulBNFusion', 'ReshapeFusion'],
  ...['ConstantSharing', 'CommonSubexpressionElimination', 'DoubleQDQPairsRemover'],
  'GemmTransposeFusion',
]

/**
 * A graph without its large weights: they become inputs of their shapes, so that the runtime can be
 * asked about the graph without reading them.
 */
function twinOf(graph: Graph): Graph {
  const big = new Set(
    graph.initializers.filter(({ type, dims }) => isFloat(type) && sizeOf(dims) > bigFrom),
  )
  return withParts(graph, {
    inputs: [
      ...graph.inputs,
      ...[...big].map(({ name, type, dims }) => valueInfo(name, type, dims)),
    ],
    initializers: graph.initializers.filter((tensor) => !big.has(tensor)),
  })
}

/** A session for a twin, everything that is left of its weights inside. */
function openTwin(twin: Model, options: OpenSessionOptions): Promise<Session> {
  return openLean({ bytes: writeModel(twin) }, options)
}

/**
 * Folds what depends only on shapes and small constants: Shape chains vanish, an If with a settled
 * condition is inlined, Constant nodes become initialisers. Names stay; weights are not touched.
 *
 * All inputs must have sizes that are numbers.
 *
 * @throws UserFault `E_ONNX_REFUSED` with the runtime's reason
 */
export async function foldShapes(model: Model, options: ShapeOptions = {}): Promise<Model> {
  checkSizes(model.graph)
  const original = inlineConstants(model.graph)
  const folder = await mkdtemp(join(tmpdir(), 'pupil-onnx-'))
  try {
    const optimizedFile = join(folder, 'folded.onnx')
    const session = await openTwin(withGraph(model, twinOf(original)), {
      ...options,
      level: 'basic',
      without: reshaping,
      optimizedFile,
    })
    await session.close()
    const folded = readModel(await readFile(optimizedFile))
    return withGraph(model, restored(original, folded.graph))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The folded twin with the weights and the outer form of the original. */
function restored(original: Graph, folded: Graph): Graph {
  const inputs = new Set(original.inputs.map(({ name }) => name))
  const used = indexOf(folded).consumers
  const known = indexOf(folded).initializer
  const weights = original.initializers.filter(
    ({ name }) => !known.has(name) && !inputs.has(name) && used.has(name),
  )
  return verify(
    inlineConstants(
      withParts(folded, {
        name: original.name,
        inputs: original.inputs,
        outputs: original.outputs,
        initializers: [...folded.initializers, ...weights],
        valueInfo: [],
        opsets: usedOpsets(original, folded),
        rest: original.rest,
      }),
    ),
  )
}

/** The runtime imports every domain it knows; only those that nodes need are kept. */
function usedOpsets(original: Graph, folded: Graph): Graph['opsets'] {
  const domains = new Set(['', ...folded.nodes.map(({ domain }) => domain)])
  return Object.fromEntries(
    Object.entries({ ...folded.opsets, ...original.opsets }).filter(([domain]) =>
      domains.has(domain),
    ),
  )
}

export interface InferOptions extends ShapeOptions {
  /** Whether values whose shape does not come out are an error (default) or left out. */
  readonly unresolved?: 'refuse' | 'skip'
}

/**
 * Types and concrete shapes of every value, as the runtime infers them; nothing is run.
 *
 * @throws UserFault `E_ONNX_SHAPES` naming the values whose shape does not come out
 */
export async function inferShapes(model: Model, options: InferOptions = {}): Promise<Shapes> {
  const { unresolved = 'refuse', ...rest } = options
  if (unresolved === 'refuse') checkSizes(model.graph)
  const graph = withoutConstants(model.graph)
  const made = graph.nodes.flatMap((node) => node.outputs.filter((name) => name !== ''))
  // Without a type, so that the runtime says what it infers.
  const outputs = made.map((name) => valueInfo(name))
  const asked = withGraph(model, withParts(twinOf(graph), { outputs, valueInfo: [] }))
  const session = await openTwin(asked, { ...rest, level: 'disabled' })
  await session.close()
  const shapes = new Map<string, TensorType>()
  for (const { name, type, dims } of graph.initializers) shapes.set(name, { type, dims })
  const open: string[] = []
  for (const info of [...graph.inputs, ...session.outputs]) {
    const found = concrete(info)
    if (found === undefined) open.push(info.name)
    else shapes.set(info.name, found)
  }
  if (open.length > 0 && unresolved === 'refuse') throw notResolved(graph, open)
  return shapes
}

function concrete({ type, shape }: ValueInfo): TensorType | undefined {
  if (type === undefined || shape === undefined) return undefined
  const dims = shape.filter((dim) => typeof dim === 'number')
  return dims.length < shape.length ? undefined : Object.freeze({ type, dims: Object.freeze(dims) })
}

/** A model whose sizes are all numbers, and the shapes of its values. */
export interface Specialised {
  readonly model: Model
  readonly shapes: Shapes
}

/**
 * Writes concrete sizes into the inputs, folds what follows from them, and infers every shape.
 *
 * @param sizes  for each input that has free sizes, all of its sizes
 */
export async function specialise(
  model: Model,
  sizes: Readonly<Record<string, readonly number[]>> = {},
  options: ShapeOptions = {},
): Promise<Specialised> {
  const sized = withGraph(model, withInputShapes(model.graph, sizes))
  const folded = await foldShapes(sized, options)
  return { model: folded, shapes: await inferShapes(folded, options) }
}

function checkSizes(graph: Graph): void {
  const free = graph.inputs.filter((input) => concrete(input) === undefined)
  if (free.length === 0) return
  const list = free.map(
    ({ name, shape }) => `${name} [${shape?.map((dim) => dim ?? '?').join(', ') ?? '...'}]`,
  )
  throw new UserFault('E_ONNX_SHAPES', `Inputs have free sizes: ${list.join(', ')}.`, {
    fields: { inputs: free.map(({ name }) => name) },
    cure: 'Give their sizes: specialise(model, { NAME: [1, 3, 224, 224] }).',
  })
}

function notResolved(graph: Graph, open: readonly string[]): UserFault {
  const [first = ''] = open
  const node = indexOf(graph).producer.get(first)
  const by = node === undefined ? '' : ` of ${node.op} "${node.name}"`
  const more = open.length > 1 ? ` and of ${open.length - 1} more` : ''
  return new UserFault(
    'E_ONNX_SHAPES',
    `The shape of "${first}"${by}${more} depends on the data.`,
    {
      fields: { values: open.slice(0, 20), count: open.length },
      cure: 'Fold the shapes first (specialise); what still depends on the data cannot be differentiated.',
    },
  )
}
