import { UserFault } from '../base/index.ts'
import type { ElementType } from './element-types.ts'
import { byteLengthOf, elementTypeOf, elementTypes } from './element-types.ts'
import type { ExternalFiles } from './external-files.ts'
import type { ByteRange, FieldValue, Message } from './message.ts'
import type { FileRange, Storage, Tensor } from './tensor.ts'
import { tensorBytes } from './tensor.ts'

/** What reading needs to know beside the messages. */
export interface ReadContext {
  /** The file that the bytes are from, and where in it they begin. */
  readonly file?: string
  /** Whether `bytes` are views into the file's own bytes from its beginning. */
  readonly whole?: Uint8Array
  readonly external: ExternalFiles
}

const modelled = new Set([
  ...['dims', 'data_type', 'name', 'raw_data', 'float_data', 'int32_data', 'string_data'],
  ...['int64_data', 'double_data', 'uint64_data', 'external_data', 'data_location'],
])

/** Messages that tensors were read from: what nobody edited is written as it came. */
const origins = new WeakMap<Tensor, Message>()

/** Reads a tensor; its weights stay where they are. */
export function toTensor(message: Message, context: ReadContext): Tensor {
  const { fields } = message
  const name = (fields.name ?? '') as string
  const type = elementTypeOf((fields.data_type ?? 0) as number)
  if (type === undefined) {
    throw bad(name, `has the element type ${String(fields.data_type ?? 'none')}, which is unknown`)
  }
  if (fields.segment !== undefined) throw bad(name, 'is stored in segments, which nobody reads')
  const dims = readDims(name, (fields.dims ?? []) as readonly (number | bigint)[])
  const storage = readStorage(name, type, dims, message, context)
  const rest = restOf(message, modelled)
  const tensor: Tensor = Object.freeze({
    name,
    type,
    dims,
    storage: Object.freeze(storage),
    ...(rest === undefined ? {} : { rest }),
  })
  origins.set(tensor, message)
  return tensor
}

function readDims(name: string, dims: readonly (number | bigint)[]): readonly number[] {
  let size = 1
  for (const dim of dims) {
    if (typeof dim === 'bigint' || dim < 0) throw bad(name, `has the size ${dim}`)
    size *= dim
    if (!Number.isSafeInteger(size))
      throw bad(name, `has more elements than can be: [${dims.join(', ')}]`)
  }
  return Object.freeze([...(dims as readonly number[])])
}

function readStorage(
  name: string,
  type: ElementType,
  dims: readonly number[],
  message: Message,
  context: ReadContext,
): Storage {
  const { fields } = message
  const count = dims.reduce((product, dim) => product * dim, 1)
  if (fields.data_location === 1) {
    if (type === 'string') throw bad(name, 'is text but lies outside the model')
    const at = context.external.resolve(name, (fields.external_data ?? []) as readonly Message[])
    const length = byteLengthOf(type, count)
    if (at.length !== length) {
      throw bad(
        name,
        `needs ${length} bytes for [${dims.join(', ')}] ${type} but ${at.length} are given`,
      )
    }
    return { kind: 'file', at }
  }
  if (type === 'string') {
    const texts = (fields.string_data ?? []) as readonly Uint8Array[]
    if (texts.length !== count) throw bad(name, `needs ${count} texts but has ${texts.length}`)
    return { kind: 'texts', texts: Object.freeze([...texts]) }
  }
  const data = readData(name, type, fields)
  const length = byteLengthOf(type, count)
  if (data.length !== length) {
    throw bad(name, `needs ${length} bytes for [${dims.join(', ')}] ${type} but has ${data.length}`)
  }
  return place(data, context)
}

/** Bytes with the place in the file where the same bytes lie, when they are a view of it. */
function place(data: Uint8Array | ByteRange, context: ReadContext): Storage {
  const { file, whole } = context
  if (!(data instanceof Uint8Array)) {
    if (file === undefined) throw bad('', 'lies in a file that has no name')
    const at: FileRange = Object.freeze({ file, offset: data.offset, length: data.length })
    return { kind: 'file', at }
  }
  if (file === undefined || whole === undefined || data.buffer !== whole.buffer) {
    return { kind: 'bytes', bytes: data }
  }
  const at = { file, offset: data.byteOffset - whole.byteOffset, length: data.length }
  return { kind: 'bytes', bytes: data, at: Object.freeze(at) }
}

const dataFields = [
  'raw_data',
  'float_data',
  'int32_data',
  'int64_data',
  'double_data',
  'uint64_data',
]

/** Which list holds a type that is not given as raw bytes. */
function listOf(type: ElementType): string {
  if (type === 'float32' || type === 'complex64') return 'float_data'
  if (type === 'float64' || type === 'complex128') return 'double_data'
  if (type === 'int64') return 'int64_data'
  return type === 'uint32' || type === 'uint64' ? 'uint64_data' : 'int32_data'
}

function readData(
  name: string,
  type: ElementType,
  fields: Readonly<Record<string, FieldValue>>,
): Uint8Array | ByteRange {
  const given = dataFields.filter(
    (field) => (fields[field] as { length: number } | undefined)?.length,
  )
  const [field] = given
  if (given.length > 1) throw bad(name, `has its data twice, as ${given.join(' and ')}`)
  if (field === undefined) return new Uint8Array()
  const value = fields[field]
  if (field === 'raw_data') return value as Uint8Array | ByteRange
  if (field !== listOf(type)) throw bad(name, `is ${type} but its data are ${field}`)
  if (field === 'float_data' || field === 'double_data') return value as Uint8Array | ByteRange
  return packIntegers(type, value as readonly (number | bigint)[])
}

function packIntegers(type: ElementType, values: readonly (number | bigint)[]): Uint8Array {
  const { array } = elementTypes[type]
  const data = new array(values.length)
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let i = 0; i < values.length; i++) data[i] = BigInt(values[i] ?? 0)
  } else {
    for (let i = 0; i < values.length; i++) data[i] = Number(values[i])
  }
  return new Uint8Array(data.buffer)
}

/** The message of a tensor with its data in it; read from the file when they lie there. */
export function fromTensor(tensor: Tensor): Message {
  const origin = origins.get(tensor)
  if (origin !== undefined && isComplete(origin)) return origin
  const { storage } = tensor
  return withData(
    tensor,
    storage.kind === 'texts' ? { string_data: storage.texts } : { raw_data: tensorBytes(tensor) },
  )
}

function isComplete({ fields }: Message): boolean {
  return (
    fields.data_location !== 1 &&
    ['raw_data', 'float_data', 'double_data'].every(
      (name) => fields[name] === undefined || fields[name] instanceof Uint8Array,
    )
  )
}

/** The message of a tensor whose data lie in a file beside the model. */
export function fromTensorOutside(tensor: Tensor, at: FileRange): Message {
  const entry = (key: string, value: string): Message => ({ fields: { key, value } })
  return withData(tensor, {
    external_data: [
      entry('location', at.file),
      entry('offset', String(at.offset)),
      entry('length', String(at.length)),
    ],
    data_location: 1,
  })
}

function withData(tensor: Tensor, data: Readonly<Record<string, FieldValue>>): Message {
  return withRest(tensor.rest, {
    ...(tensor.dims.length === 0 ? {} : { dims: tensor.dims }),
    data_type: elementTypes[tensor.type].id,
    ...(tensor.name === '' ? {} : { name: tensor.name }),
    ...data,
  })
}

/** What a message holds beside the named fields; undefined when that is nothing. */
export function restOf(message: Message, known: ReadonlySet<string>): Message | undefined {
  const left = Object.entries(message.fields).filter(([name]) => !known.has(name))
  if (left.length === 0 && message.unknown === undefined) return undefined
  const unlike = message.unlike?.filter((name) => !known.has(name)) ?? []
  return {
    fields: Object.fromEntries(left),
    ...(message.unknown === undefined ? {} : { unknown: message.unknown }),
    ...(unlike.length === 0 ? {} : { unlike }),
  }
}

/** A message of what was kept aside and the named fields. */
export function withRest(
  rest: Message | undefined,
  fields: Readonly<Record<string, FieldValue>>,
): Message {
  return rest === undefined ? { fields } : { ...rest, fields: { ...rest.fields, ...fields } }
}

function bad(name: string, what: string): UserFault {
  return new UserFault('E_ONNX_TENSOR', `The tensor "${name}" ${what}.`, {
    fields: { tensor: name, what },
    cure: 'Get the file again, or export the model again.',
  })
}
