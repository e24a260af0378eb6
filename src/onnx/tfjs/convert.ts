import type { Builder } from '../builder.ts'
import { builder } from '../builder.ts'
import type { Dim, Model } from '../graph.ts'
import { modelOf } from '../graph.ts'
import type { Context, Rule } from './context.ts'
import { unsupported } from './context.ts'
import { foldConstant } from './fold.ts'
import type { TfGraph, TfNode } from './graph-file.ts'
import { broken, readGraphFile, tfElementType, tfShape } from './graph-file.ts'
import { convolutionRules } from './rules-convolution.ts'
import { elementwiseRules } from './rules-elementwise.ts'
import { shapeRules } from './rules-shape.ts'
import type { TfConstant } from './weights.ts'
import { readWeights } from './weights.ts'

/** Raised whenever the same files may give another model: part of the key under which results are kept. */
export const tfjsConverterVersion = 1

/** The files of a TFJS graph model. */
export interface TfjsFiles {
  /** The bytes of `model.json`. */
  readonly json: Uint8Array
  /** The bytes of the weight files, in the order of the manifest. */
  readonly shards: readonly Uint8Array[]
}

export interface ConvertTfjsOptions {
  /** What the model is called in messages. */
  readonly name: string
  /** Further nodes whose values become outputs, beside those of the signature. */
  readonly alsoOutputs?: readonly string[]
  /** Shapes of inputs in place of those that the file declares. */
  readonly inputShapes?: Readonly<Record<string, readonly Dim[]>>
}

const rules: ReadonlyMap<string, Rule> = new Map(
  Object.entries({ ...convolutionRules, ...shapeRules, ...elementwiseRules }),
)

/** TensorFlow operations that the converter knows. */
export const tfjsOperators: readonly string[] = Object.freeze(
  [...rules.keys(), 'Const', 'Placeholder', 'SparseToDense'].sort(),
)

interface Conversion {
  readonly graph: TfGraph
  readonly g: Builder
  readonly weights: ReadonlyMap<string, TfConstant>
  readonly constants: Map<string, TfConstant | undefined>
  readonly values: Map<string, readonly string[]>
  readonly shapes: Readonly<Record<string, readonly Dim[]>>
}

/**
 * An ONNX model (opset 17) of a TFJS graph model.
 *
 * Pure. Values keep TensorFlow's layout, channels last; inputs and outputs keep their names without `:0`.
 *
 * @throws UserFault `E_TFJS_UNSUPPORTED` with op, node and model; `E_TFJS_DAMAGED` for files that do not fit
 */
export function convertTfjs(files: TfjsFiles, options: ConvertTfjsOptions): Model {
  const graph = readGraphFile(files.json, options.name)
  const conversion: Conversion = {
    graph,
    // No TensorFlow name begins with @.
    g: builder({ opset: 17 }, { prefix: '@' }),
    weights: readWeights(options.name, graph.weights, files.shards),
    constants: new Map(),
    values: new Map(),
    shapes: options.inputShapes ?? {},
  }
  for (const name of graph.inputs) addInput(conversion, nodeNamed(conversion, name))
  const outputs = [...new Set([...graph.outputs, ...(options.alsoOutputs ?? [])])]
  for (const name of outputs) {
    const value = valueOf(conversion, name)
    const { g } = conversion
    g.output(g.op('Identity', [value], {}, { outputs: [name], name }))
  }
  return modelOf(conversion.g.graph(), { producer: 'pupil tfjs' })
}

function nodeNamed({ graph }: Conversion, name: string): TfNode {
  const node = graph.nodes.get(name)
  if (node === undefined) throw broken(graph.model, `has no node "${name}"`)
  return node
}

function addInput({ graph, g, values, shapes }: Conversion, node: TfNode): void {
  const type = tfElementType(node.attr.dtype?.type)
  if (node.op !== 'Placeholder' || type === undefined) {
    const what = `is an input of type ${node.attr.dtype?.type ?? 'none'}`
    throw unsupported({ node, model: graph.model }, what)
  }
  const shape = shapes[node.name] ?? tfShape(node.attr.shape?.shape)
  if (shape === undefined) throw unsupported({ node, model: graph.model }, 'declares no shape')
  values.set(node.name, [g.input(node.name, type, shape)])
}

/** Splits `name:1` into node and output; a node may itself have such a name. */
function reference({ graph }: Conversion, from: string): readonly [TfNode, number] {
  const whole = graph.nodes.get(from)
  if (whole !== undefined) return [whole, 0]
  const [, name = from, output = '0'] = /^(.*):(\d+)$/.exec(from) ?? []
  const node = graph.nodes.get(name)
  if (node === undefined) throw broken(graph.model, `has no node "${from}"`)
  return [node, Number(output)]
}

/** The ONNX value of a TensorFlow one; whatever it needs is written first. */
function valueOf(conversion: Conversion, from: string): string {
  const pending = [from]
  // A stack instead of recursion: nets are thousands of nodes deep, and a cycle must end.
  const entered = new Set<string>()
  for (let name = pending.at(-1); name !== undefined; name = pending.at(-1)) {
    const [node] = reference(conversion, name)
    const missing = conversion.values.has(node.name) ? [] : missingOf(conversion, node)
    if (missing.length > 0) {
      if (entered.has(node.name))
        throw broken(conversion.graph.model, `has a cycle at "${node.name}"`)
      entered.add(node.name)
      pending.push(...missing)
      continue
    }
    if (!conversion.values.has(node.name)) {
      conversion.values.set(node.name, write(conversion, node))
    }
    pending.pop()
  }
  const [node, output] = reference(conversion, from)
  const value = conversion.values.get(node.name)?.[output]
  if (value === undefined) throw broken(conversion.graph.model, `has no value "${from}"`)
  return value
}

/** Inputs of a node that are neither written nor constant. */
function missingOf(conversion: Conversion, node: TfNode): string[] {
  if (constantOf(conversion, node) !== undefined) return []
  ruleOf(conversion, node)
  return node.input.filter((from) => {
    const [source] = reference(conversion, from)
    return !conversion.values.has(source.name) && constantOf(conversion, source) === undefined
  })
}

/** The constant that a node is, or comes to. */
function constantOf(conversion: Conversion, node: TfNode): TfConstant | undefined {
  const { constants, weights } = conversion
  if (constants.has(node.name)) return constants.get(node.name)
  // Set first, so that a cycle ends.
  constants.set(node.name, undefined)
  if (node.op === 'Const') {
    const weight = weights.get(node.name)
    if (weight === undefined) {
      throw broken(conversion.graph.model, `has no weight for the constant "${node.name}"`)
    }
    constants.set(node.name, weight)
    return weight
  }
  if (node.input.length === 0 || !foldable.has(node.op)) return undefined
  const inputs = node.input.map((from) => constantOf(conversion, reference(conversion, from)[0]))
  if (inputs.some((input) => input === undefined)) return undefined
  const folded = foldConstant(node, inputs as TfConstant[])
  constants.set(node.name, folded)
  return folded
}

const foldable: ReadonlySet<string> = new Set('SparseToDense Add AddV2 Sub Mul Identity'.split(' '))

function write(conversion: Conversion, node: TfNode): readonly string[] {
  const constant = constantOf(conversion, node)
  const { g } = conversion
  if (constant !== undefined) return [g.constant(constant.values, constant.dims, constant.type)]
  return ruleOf(conversion, node)(contextOf(conversion, node))
}

function ruleOf({ graph }: Conversion, node: TfNode): Rule {
  const rule = rules.get(node.op)
  if (rule !== undefined) return rule
  const what = 'is an operation that the converter does not know'
  throw unsupported({ node, model: graph.model }, what)
}

function contextOf(conversion: Conversion, node: TfNode): Context {
  const { graph, g } = conversion
  const source = (i: number): TfNode => {
    const from = node.input[i]
    if (from === undefined) throw unsupported({ node, model: graph.model }, `has no input ${i}`)
    return reference(conversion, from)[0]
  }
  const value = (i: number): string => {
    source(i)
    // The source exists, so there is such an input.
    const from = node.input[i]!
    const [{ name }, output] = reference(conversion, from)
    const known = conversion.values.get(name) ?? write(conversion, source(i))
    conversion.values.set(name, known)
    const found = known[output]
    if (found === undefined) throw broken(graph.model, `has no value "${from}"`)
    return found
  }
  const maybeConstant = (i: number): TfConstant | undefined =>
    node.input[i] === undefined ? undefined : constantOf(conversion, source(i))
  return {
    model: graph.model,
    node,
    g,
    input: value,
    inputs: () => node.input.map((_, i) => value(i)),
    maybeConstant,
    constant: (i) => {
      const constant = maybeConstant(i)
      if (constant === undefined) {
        const what = `needs a constant as input ${i}, but "${source(i).name}" is computed`
        throw unsupported({ node, model: graph.model }, what)
      }
      return constant
    },
  }
}
