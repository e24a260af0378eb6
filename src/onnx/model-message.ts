import { UserFault } from '../base/index.ts'
import type { Attribute } from './attribute.ts'
import { elementTypeOf, elementTypes } from './element-types.ts'
import type { Dim, Graph, Model, Node, ValueInfo } from './graph.ts'
import { graphOf, modelOf, nodeOf } from './graph.ts'
import type { FieldValue, Message } from './message.ts'
import type { Tensor } from './tensor.ts'
import type { ReadContext } from './tensor-message.ts'
import { fromTensor, restOf, toTensor, withRest } from './tensor-message.ts'

type Fields = Readonly<Record<string, FieldValue>>

/** IR versions that are read; the runtime refuses 14. */
export const irVersions = Object.freeze({ oldest: 3, newest: 13 })

/** Messages that nodes and values were read from: what nobody edited is written as it came. */
const origins = new WeakMap<Node | ValueInfo, Message>()
/** The same for the lists of operator sets and of metadata. */
const listOrigins = new WeakMap<object, readonly Message[]>()

const text = (value: FieldValue | undefined): string => (value ?? '') as string
const texts = (value: FieldValue | undefined): readonly string[] =>
  (value ?? []) as readonly string[]
const messages = (value: FieldValue | undefined): readonly Message[] =>
  (value ?? []) as readonly Message[]

const modelFields = new Set(['ir_version', 'graph', 'opset_import', 'metadata_props'])
// The name stays in the rest too, so that an empty one is written when it was there.
const graphFields = new Set(['node', 'initializer', 'input', 'output', 'value_info'])
const nodeFields = new Set(['input', 'output', 'name', 'op_type', 'attribute', 'domain'])
const valueFields = new Set(['name', 'type'])

/** Reads a model. Initialisers that are graph inputs too (obligatory before IR 4) leave the inputs. */
export function toModel(message: Message, context: ReadContext): Model {
  const { fields } = message
  const irVersion = fields.ir_version ?? 0
  if (
    typeof irVersion !== 'number' ||
    irVersion < irVersions.oldest ||
    irVersion > irVersions.newest
  ) {
    throw refused(`has the IR version ${String(fields.ir_version ?? 'none')}`, { irVersion })
  }
  if (fields.graph === undefined) throw refused('has no graph', {})
  const opsets = toRecord(messages(fields.opset_import), ({ fields: set }) => {
    const domain = text(set.domain)
    return [domain === 'ai.onnx' ? '' : domain, Number(set.version ?? 0)]
  })
  const graph = toGraph(fields.graph as Message, opsets, context)
  const shadowed = new Set(graph.initializers.map((tensor) => tensor.name))
  const inputs = graph.inputs.filter((input) => !shadowed.has(input.name))
  const moved = inputs.length < graph.inputs.length
  const rest = restOf(message, modelFields)
  return modelOf(moved ? graphOf({ ...graph, inputs }) : graph, {
    irVersion: moved ? Math.max(4, irVersion) : irVersion,
    producer: text(fields.producer_name),
    metadata: toRecord(messages(fields.metadata_props), (entry) => [
      text(entry.fields.key),
      text(entry.fields.value),
    ]),
    ...(rest === undefined ? {} : { rest }),
  })
}

function toRecord<T>(
  list: readonly Message[],
  entry: (message: Message) => readonly [string, T],
): Readonly<Record<string, T>> {
  const record = Object.freeze(Object.fromEntries(list.map(entry)))
  listOrigins.set(record, list)
  return record
}

function toGraph(message: Message, opsets: Graph['opsets'], context: ReadContext): Graph {
  const { fields } = message
  const rest = restOf(message, graphFields)
  return graphOf({
    name: text(fields.name),
    nodes: messages(fields.node).map((node) => toNode(node, opsets, context)),
    inputs: messages(fields.input).map(toValueInfo),
    outputs: messages(fields.output).map(toValueInfo),
    initializers: messages(fields.initializer).map((tensor) => toTensor(tensor, context)),
    valueInfo: messages(fields.value_info).map(toValueInfo),
    opsets,
    ...(rest === undefined ? {} : { rest }),
  })
}

function toNode(message: Message, opsets: Graph['opsets'], context: ReadContext): Node {
  const { fields } = message
  const domain = text(fields.domain)
  const name = text(fields.name)
  const entries = messages(fields.attribute).map(
    (attribute) =>
      [text(attribute.fields.name), toAttribute(attribute, opsets, context, name)] as const,
  )
  const attributes = Object.fromEntries(entries)
  if (Object.keys(attributes).length < entries.length) {
    throw refused(`has an attribute twice in the node "${name}" (${text(fields.op_type)})`, {
      node: name,
    })
  }
  const rest = restOf(message, nodeFields)
  const node = nodeOf(text(fields.op_type), texts(fields.input), texts(fields.output), {
    domain: domain === 'ai.onnx' ? '' : domain,
    name,
    attributes,
    ...(rest === undefined ? {} : { rest }),
  })
  origins.set(node, message)
  return node
}

const attributeFields = new Set([
  'name',
  'type',
  'f',
  'i',
  's',
  't',
  'g',
  'floats',
  'ints',
  'strings',
  'tensors',
  'graphs',
])
const attributeTypes: Readonly<Record<number, Attribute['type']>> = {
  1: 'float',
  2: 'int',
  3: 'string',
  4: 'tensor',
  5: 'graph',
  6: 'floats',
  7: 'ints',
  8: 'strings',
  9: 'tensors',
  10: 'graphs',
}

/** Old files leave the type out: then the field that is there tells it. */
function attributeTypeOf(fields: Fields): Attribute['type'] {
  if (fields.ref_attr_name !== undefined) return 'other'
  if (fields.type !== undefined && fields.type !== 0) {
    return attributeTypes[fields.type as number] ?? 'other'
  }
  const present = (
    ['f', 'i', 's', 't', 'g', 'floats', 'ints', 'strings', 'tensors', 'graphs'] as const
  ).findIndex((name) => fields[name] !== undefined)
  return attributeTypes[present + 1] ?? 'other'
}

function toAttribute(
  message: Message,
  opsets: Graph['opsets'],
  context: ReadContext,
  node: string,
): Attribute {
  const { fields } = message
  const rest = restOf(message, attributeFields)
  const keep = <T extends object>(attribute: T): T =>
    Object.freeze(rest === undefined ? attribute : { ...attribute, rest })
  const type = attributeTypeOf(fields)
  switch (type) {
    case 'float':
      return keep({ type, value: (fields.f ?? 0) as number })
    case 'int':
      return keep({ type, value: (fields.i ?? 0) as number | bigint })
    case 'string':
      return keep({ type, value: toText((fields.s ?? new Uint8Array()) as Uint8Array) })
    case 'tensor':
      return keep({ type, value: toTensor(must(fields.t, fields, node), context) })
    case 'graph':
      return keep({ type, value: toGraph(must(fields.g, fields, node), opsets, context) })
    case 'floats':
      return keep({ type, value: Object.freeze(toFloats(fields.floats as Uint8Array | undefined)) })
    case 'ints':
      return keep({ type, value: Object.freeze([...((fields.ints ?? []) as readonly number[])]) })
    case 'strings':
      return keep({
        type,
        value: Object.freeze(((fields.strings ?? []) as readonly Uint8Array[]).map(toText)),
      })
    case 'tensors':
      return keep({
        type,
        value: Object.freeze(messages(fields.tensors).map((tensor) => toTensor(tensor, context))),
      })
    case 'graphs':
      return keep({
        type,
        value: Object.freeze(
          messages(fields.graphs).map((graph) => toGraph(graph, opsets, context)),
        ),
      })
    case 'other':
      return Object.freeze({ type, value: message })
    default:
      return type satisfies never
  }
}

function must(value: FieldValue | undefined, fields: Fields, node: string): Message {
  if (value !== undefined) return value as Message
  throw refused(`has no value for the attribute "${text(fields.name)}" of the node "${node}"`, {
    node,
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function toText(bytes: Uint8Array): string | Uint8Array {
  try {
    return utf8.decode(bytes)
  } catch {
    return bytes
  }
}

function toFloats(bytes: Uint8Array | undefined): number[] {
  if (bytes === undefined) return []
  const copy = bytes.slice()
  return [...new Float32Array(copy.buffer)]
}

function toValueInfo(message: Message): ValueInfo {
  const { fields } = message
  const rest = restOf(message, valueFields)
  const info: ValueInfo = Object.freeze({
    name: text(fields.name),
    ...toType(fields.type as Message | undefined),
    ...(rest === undefined ? {} : { rest }),
  })
  origins.set(info, message)
  return info
}

function toType(message: Message | undefined): Pick<ValueInfo, 'type' | 'shape' | 'other'> {
  if (message === undefined) return {}
  const tensor = message.fields.tensor_type as Message | undefined
  if (tensor === undefined) return { other: message }
  const type = elementTypeOf((tensor.fields.elem_type ?? 0) as number)
  const shape = tensor.fields.shape as Message | undefined
  return {
    ...(type === undefined ? {} : { type }),
    ...(shape === undefined ? {} : { shape: Object.freeze(messages(shape.fields.dim).map(toDim)) }),
  }
}

function toDim({ fields }: Message): Dim {
  const value = fields.dim_value
  // A negative size is an old way of saying that it is free.
  if (typeof value === 'number') return value < 0 ? null : value
  const name = text(fields.dim_param)
  return name === '' ? null : name
}

/** The message of a model; how each initialiser is written is the caller's to say. */
export function fromModel(model: Model, tensor: (tensor: Tensor) => Message): Message {
  const { rest, producer, metadata, graph } = model
  const entries = fromRecord(metadata, (key, value) => ({ key, value }))
  return withRest(rest, {
    // Below 4 initialisers have to be inputs too; here they never are.
    ir_version: graph.initializers.length > 0 ? Math.max(4, model.irVersion) : model.irVersion,
    ...(producer === '' ? {} : { producer_name: producer }),
    graph: fromGraph(graph, tensor),
    opset_import: fromRecord(graph.opsets, (domain, version) => ({ domain, version })),
    ...(entries.length === 0 ? {} : { metadata_props: entries }),
  })
}

function fromRecord<T>(
  record: Readonly<Record<string, T>>,
  fields: (key: string, value: T) => Fields,
): readonly Message[] {
  return (
    listOrigins.get(record) ??
    Object.entries(record).map(([key, value]) => ({ fields: fields(key, value) }))
  )
}

function fromGraph(graph: Graph, tensor: (tensor: Tensor) => Message): Message {
  const list = (name: string, items: readonly Message[]): Fields =>
    items.length === 0 ? {} : { [name]: items }
  return withRest(graph.rest, {
    ...list(
      'node',
      graph.nodes.map((node) => fromNode(node, tensor)),
    ),
    ...(graph.name === '' ? {} : { name: graph.name }),
    ...list('initializer', graph.initializers.map(tensor)),
    ...list('input', graph.inputs.map(fromValueInfo)),
    ...list('output', graph.outputs.map(fromValueInfo)),
    ...list('value_info', graph.valueInfo.map(fromValueInfo)),
  })
}

function fromNode(node: Node, tensor: (tensor: Tensor) => Message): Message {
  const entries = Object.entries(node.attributes)
  const origin = origins.get(node)
  if (origin !== undefined) return fromOrigin(origin, node, tensor)
  const attribute = entries.map(([name, value]) => fromAttribute(name, value, tensor))
  return withRest(node.rest, {
    ...(node.inputs.length === 0 ? {} : { input: node.inputs }),
    ...(node.outputs.length === 0 ? {} : { output: node.outputs }),
    ...(node.name === '' ? {} : { name: node.name }),
    op_type: node.op,
    ...(attribute.length === 0 ? {} : { attribute }),
    ...(node.domain === '' ? {} : { domain: node.domain }),
  })
}

/** A node as it came; only tensors and graphs in its attributes may have to be written anew. */
function fromOrigin(origin: Message, node: Node, tensor: (tensor: Tensor) => Message): Message {
  const values = node.attributes
  if (Object.values(values).every(({ type }) => !nesting.has(type))) return origin
  const attribute = messages(origin.fields.attribute).map((message) => {
    const value = values[text(message.fields.name)]
    if (value === undefined || !nesting.has(value.type)) return message
    const { fields } = fromAttribute('', value, tensor)
    const nested = Object.entries(fields).filter(([key]) => nestingFields.has(key))
    return { ...message, fields: { ...message.fields, ...Object.fromEntries(nested) } }
  })
  return { ...origin, fields: { ...origin.fields, attribute } }
}

const nesting: ReadonlySet<Attribute['type']> = new Set(['tensor', 'tensors', 'graph', 'graphs'])
const nestingFields: ReadonlySet<string> = new Set(['t', 'tensors', 'g', 'graphs'])

function fromAttribute(
  name: string,
  attribute: Attribute,
  tensor: (tensor: Tensor) => Message,
): Message {
  const plain = (id: number, fields: Fields): Message =>
    withRest(attribute.rest, { name, ...fields, type: id })
  const { type, value } = attribute
  switch (type) {
    case 'float':
      return plain(1, { f: value })
    case 'int':
      return plain(2, { i: value })
    case 'string':
      return plain(3, { s: fromText(value) })
    case 'tensor':
      return plain(4, { t: fromTensor(value) })
    case 'graph':
      return plain(5, { g: fromGraph(value, tensor) })
    case 'floats':
      return plain(6, { floats: new Uint8Array(Float32Array.from(value).buffer) })
    case 'ints':
      return plain(7, { ints: value })
    case 'strings':
      return plain(8, { strings: value.map(fromText) })
    case 'tensors':
      return plain(9, { tensors: value.map(fromTensor) })
    case 'graphs':
      return plain(10, { graphs: value.map((graph) => fromGraph(graph, tensor)) })
    case 'other':
      return { ...value, fields: { ...value.fields, name } }
    default:
      return type satisfies never
  }
}

function fromText(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}

function fromValueInfo(info: ValueInfo): Message {
  const origin = origins.get(info)
  if (origin !== undefined) return origin
  const type = info.other ?? fromType(info)
  return withRest(info.rest, { name: info.name, ...(type === undefined ? {} : { type }) })
}

function fromType({ type, shape }: ValueInfo): Message | undefined {
  if (type === undefined) return undefined
  const elem_type = elementTypes[type].id
  if (shape === undefined) return { fields: { tensor_type: { fields: { elem_type } } } }
  const dim = shape.map((size): Message => {
    if (size === null) return { fields: {} }
    return { fields: typeof size === 'number' ? { dim_value: size } : { dim_param: size } }
  })
  const sizes: Message = dim.length === 0 ? { fields: {} } : { fields: { dim } }
  return { fields: { tensor_type: { fields: { elem_type, shape: sizes } } } }
}

function refused(what: string, fields: Fields): UserFault {
  return new UserFault('E_ONNX_REFUSED', `The model ${what}.`, {
    fields,
    cure: `Export it again as IR ${irVersions.oldest} to ${irVersions.newest}.`,
  })
}
