import { UserFault } from '../../base/index.ts'
import type { ElementType } from '../element-types.ts'
import type { Dim } from '../graph.ts'

/** An attribute as TFJS writes it: integers as text, text in base64. */
export interface TfAttribute {
  readonly s?: string
  readonly i?: string | number
  readonly f?: number
  readonly b?: boolean
  readonly type?: string
  readonly shape?: TfShape
  readonly list?: {
    readonly s?: readonly string[]
    readonly i?: readonly (string | number)[]
  }
}

interface TfShape {
  readonly dim?: readonly { readonly size?: string | number }[]
}

export interface TfNode {
  readonly name: string
  readonly op: string
  readonly input: readonly string[]
  readonly attr: Readonly<Record<string, TfAttribute>>
}

export interface TfWeight {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  readonly quantization?: { readonly dtype: string; readonly scale?: number; readonly min?: number }
}

export interface TfGraph {
  /** What the model is called in messages. */
  readonly model: string
  readonly nodes: ReadonlyMap<string, TfNode>
  readonly weights: readonly TfWeight[]
  /** Node names of the signature, or placeholders, and nodes that nobody reads. */
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

interface ModelJson {
  readonly modelTopology?: { readonly node?: readonly Partial<TfNode>[] }
  readonly weightsManifest?: readonly { readonly weights?: readonly TfWeight[] }[]
  readonly signature?: Signature
  readonly userDefinedMetadata?: { readonly signature?: Signature }
}

type Ports = Readonly<Record<string, { readonly name?: string }>>
interface Signature {
  readonly inputs?: Ports
  readonly outputs?: Ports
}

/** Reads `model.json` of a TFJS graph model. */
export function readGraphFile(json: Uint8Array, model: string): TfGraph {
  const parsed = parse(json, model)
  const list = parsed.modelTopology?.node
  const manifest = parsed.weightsManifest
  if (!Array.isArray(list) || !Array.isArray(manifest)) {
    throw broken(model, 'has no modelTopology.node and weightsManifest: it is no TFJS graph model')
  }
  const nodes = new Map<string, TfNode>()
  for (const { name, op, input = [], attr = {} } of list as readonly Partial<TfNode>[]) {
    if (typeof name !== 'string' || typeof op !== 'string' || !Array.isArray(input)) {
      throw broken(model, 'has a node without name or op')
    }
    if (nodes.has(name)) throw broken(model, `has two nodes "${name}"`)
    // Control inputs only order side effects, of which there are none here.
    nodes.set(name, { name, op, attr, input: input.filter((from) => !from.startsWith('^')) })
  }
  const signature = parsed.signature ?? parsed.userDefinedMetadata?.signature
  const ports = (side: Ports | undefined): string[] =>
    Object.entries(side ?? {}).map(([key, port]) => (port.name ?? key).replace(/:0$/, ''))
  const inputs = ports(signature?.inputs)
  const outputs = ports(signature?.outputs)
  return {
    model,
    nodes,
    weights: manifest.flatMap((group) => group.weights ?? []),
    inputs: inputs.length > 0 ? inputs : placeholders(nodes),
    outputs: outputs.length > 0 ? outputs : unread(nodes),
  }
}

function parse(json: Uint8Array, model: string): ModelJson {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(json))
    if (typeof value === 'object' && value !== null) return value
    throw new Error('it is no object')
  } catch (cause) {
    throw broken(model, 'is no JSON', cause)
  }
}

function placeholders(nodes: ReadonlyMap<string, TfNode>): string[] {
  return [...nodes.values()].filter(({ op }) => op === 'Placeholder').map(({ name }) => name)
}

function unread(nodes: ReadonlyMap<string, TfNode>): string[] {
  const read = new Set<string>()
  for (const { input } of nodes.values()) {
    for (const from of input) read.add(from).add(from.replace(/:\d+$/, ''))
  }
  return [...nodes.values()]
    .filter(({ name, op }) => !read.has(name) && op !== 'Const' && op !== 'NoOp')
    .map(({ name }) => name)
}

const elementTypes: Readonly<Record<string, ElementType>> = {
  DT_FLOAT: 'float32',
  DT_DOUBLE: 'float64',
  DT_INT32: 'int32',
  DT_INT64: 'int64',
  DT_UINT8: 'uint8',
  DT_BOOL: 'bool',
}

/** The element type of a TensorFlow type; undefined for those that no rule handles. */
export function tfElementType(type: string | undefined): ElementType | undefined {
  return type === undefined ? undefined : elementTypes[type]
}

/** The shape that a placeholder declares; undefined when it declares none. */
export function tfShape(shape: TfShape | undefined): readonly Dim[] | undefined {
  return shape?.dim?.map(({ size }, axis) => {
    const value = Number(size ?? -1)
    return value < 0 ? (axis === 0 ? 'batch' : null) : value
  })
}

/** What is wrong with the files of a TFJS model. */
export function broken(model: string, what: string, cause?: unknown): UserFault {
  return new UserFault('E_TFJS_DAMAGED', `The model "${model}" ${what}.`, {
    fields: { model, what },
    cause,
    cure: 'Install the package that brings it again.',
  })
}
