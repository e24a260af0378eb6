import type { UserFault } from '../base/index.ts'
import type { ByteRange, FieldValue, Message, UnknownField } from './message.ts'
import type { Place, Reader } from './reader.ts'
import {
  damaged,
  readerOf,
  readInteger,
  readLength,
  readUnsigned,
  readVarint,
  spend,
  take,
  takeCopy,
} from './reader.ts'
import type { FieldSchema, MessageType } from './schema.ts'
import { isMessageType, schemas } from './schema.ts'
import type { Source } from './source.ts'

/** Raw weights longer than this stay in a file instead of being read. */
const leaveFrom = 1024
const deepest = 64
/** Packed whole numbers of more bytes than this are kept in a typed array. */
const longList = 1 << 16

/** Turns fields that arrive one by one into what a message keeps; what is rare is made when it comes. */
interface Gathering {
  readonly fields: Record<string, FieldValue>
  unknown?: UnknownField[]
  unlike?: Set<string>
  growing?: Map<string, { buffer: Uint8Array; used: number }>
}

/**
 * Decodes one message that fills the source.
 *
 * Memory is bounded: nothing is allocated from a declared size before it was compared with what is left,
 * and only so many messages are built.
 *
 * @throws UserFault `E_ONNX_DAMAGED` with the byte offset, and the node and tensor around it
 */
export function decodeMessage(type: MessageType, source: Source): Message {
  return readMessage(readerOf(source), type, source.length, undefined)
}

function readMessage(
  reader: Reader,
  type: MessageType,
  end: number,
  index: number | undefined,
): Message {
  if (reader.trail.length >= deepest) throw damaged(reader, `messages nest deeper than ${deepest}`)
  spend(reader, 16)
  const place: Place = { type, index, name: undefined }
  reader.trail.push(place)
  const { fields } = schemas[type]
  const gathered: Gathering = { fields: {} }
  while (reader.pos < end) {
    const start = reader.pos
    const tag = readUnsigned(reader, end)
    const field = fields.get(Math.floor(tag / 8))
    if (field === undefined) readUnknown(reader, tag, start, end, gathered)
    else readField(reader, field, tag % 8, end, gathered)
    const { name } = gathered.fields
    if (place.name === undefined && typeof name === 'string') place.name = name
  }
  reader.trail.pop()
  for (const [name, { buffer, used }] of gathered.growing ?? []) {
    gathered.fields[name] = buffer.subarray(0, used)
  }
  const { unknown, unlike } = gathered
  if (unknown === undefined && unlike === undefined) return { fields: gathered.fields }
  return {
    fields: gathered.fields,
    ...(unknown === undefined ? {} : { unknown }),
    ...(unlike === undefined ? {} : { unlike: [...unlike] }),
  }
}

function readField(
  reader: Reader,
  field: FieldSchema,
  wire: number,
  end: number,
  into: Gathering,
): void {
  const { fields } = into
  if (field.repeated) {
    readRepeated(reader, field, wire, end, into)
    return
  }
  if (Object.hasOwn(fields, field.name)) throw damaged(reader, `${field.name} comes twice`)
  if (wire !== wireOf(field)) throw wrongWire(reader, field, wire)
  fields[field.name] = readSingle(reader, field, end, undefined)
}

function readRepeated(
  reader: Reader,
  field: FieldSchema,
  wire: number,
  end: number,
  into: Gathering,
): void {
  const { fields } = into
  const number = isNumber(field)
  const packed = number && wire === 2
  if (!packed && wire !== wireOf(field)) throw wrongWire(reader, field, wire)
  if (number && packed !== field.packed) (into.unlike ??= new Set()).add(field.name)
  if (field.kind === 'float' || field.kind === 'double') {
    const piece = packed
      ? readBytes(reader, end, field.name)
      : takeCopy(reader, field.kind === 'float' ? 4 : 8, end)
    addFloats(reader, field, piece, into)
    return
  }
  const known = fields[field.name]
  const stop = packed ? readLength(reader, end, field.name) : end
  if (packed && known === undefined && stop - reader.pos > longList) {
    fields[field.name] = readLongList(reader, field, stop)
    return
  }
  if (known !== undefined && !Array.isArray(known)) {
    throw damaged(reader, `${field.name} comes in several large pieces`)
  }
  const list = (known ?? []) as FieldValue[]
  fields[field.name] = list as FieldValue
  if (!packed) {
    spend(reader, 1)
    list.push(readSingle(reader, field, end, list.length))
    return
  }
  while (reader.pos < stop) {
    spend(reader, 1)
    list.push(readInteger(reader, field, stop))
  }
}

/** Many packed whole numbers, in an array of exactly their count. */
function readLongList(reader: Reader, field: FieldSchema, stop: number): FieldValue {
  const start = reader.pos
  const bytes = take(reader, stop - start)
  let count = 0
  // Each number ends with a byte below 128.
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] ?? 0) < 128) count++
  reader.pos = start
  if (field.kind === 'int32') {
    const list = new Int32Array(count)
    for (let i = 0; i < count; i++) list[i] = Number(readInteger(reader, field, stop))
    return endOfList(reader, stop, list)
  }
  const list = field.kind === 'uint' ? new BigUint64Array(count) : new BigInt64Array(count)
  for (let i = 0; i < count; i++) list[i] = BigInt(readInteger(reader, field, stop))
  return endOfList(reader, stop, list)
}

function endOfList<T>(reader: Reader, stop: number, list: T): T {
  if (reader.pos < stop) throw damaged(reader, 'a number does not end')
  return list
}

/** Keeps floats as their bytes: one packed piece as it is, more pieces or single ones in a growing buffer. */
function addFloats(reader: Reader, field: FieldSchema, piece: FieldValue, into: Gathering): void {
  const width = field.kind === 'float' ? 4 : 8
  const { length } = piece as Uint8Array | ByteRange
  if (length % width !== 0) {
    throw damaged(reader, `${field.name} has ${length} bytes, no whole number of ${field.kind}s`)
  }
  const known = into.fields[field.name]
  if (known === undefined) {
    into.fields[field.name] = piece
    return
  }
  if (!(known instanceof Uint8Array && piece instanceof Uint8Array)) {
    throw damaged(reader, `${field.name} comes in several large pieces`)
  }
  const growing = (into.growing ??= new Map())
  let state = growing.get(field.name)
  if (state === undefined || state.used + length > state.buffer.length) {
    const used = state?.used ?? known.length
    const buffer = new Uint8Array(Math.max(64, 2 * (used + length)))
    buffer.set(state === undefined ? known : state.buffer.subarray(0, used))
    state = { buffer, used }
    growing.set(field.name, state)
  }
  state.buffer.set(piece, state.used)
  state.used += length
}

function readSingle(
  reader: Reader,
  field: FieldSchema,
  end: number,
  index: number | undefined,
): FieldValue {
  const { kind } = field
  if (isMessageType(kind)) {
    const stop = readLength(reader, end, field.name)
    return readMessage(reader, kind, stop, index)
  }
  switch (kind) {
    case 'int':
    case 'int32':
    case 'uint':
      return readInteger(reader, field, end)
    case 'float':
    case 'double': {
      const bytes = takeCopy(reader, kind === 'float' ? 4 : 8, end)
      const view = new DataView(bytes.buffer)
      return kind === 'float' ? view.getFloat32(0, true) : view.getFloat64(0, true)
    }
    case 'bytes':
      return readBytes(reader, end, field.name)
    case 'text':
      return readText(reader, end, field.name)
    default:
      return kind satisfies never
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readText(reader: Reader, end: number, name: string): string {
  const start = reader.pos
  const stop = readLength(reader, end, name)
  const bytes = take(reader, stop - reader.pos)
  try {
    return utf8.decode(bytes)
  } catch {
    reader.pos = start
    throw damaged(reader, `${name} is no UTF-8 text`)
  }
}

function readBytes(reader: Reader, end: number, name: string): FieldValue {
  const stop = readLength(reader, end, name)
  const length = stop - reader.pos
  const { paged } = reader.source
  if (paged && length > leaveFrom && name.endsWith('_data')) {
    const range = { offset: reader.pos, length }
    reader.pos = stop
    return range
  }
  // A stretch of a file is not kept alive for a few bytes of it.
  return paged ? take(reader, length).slice() : take(reader, length)
}

function readUnknown(
  reader: Reader,
  tag: number,
  start: number,
  end: number,
  into: Gathering,
): void {
  const wire = tag % 8
  const number = Math.floor(tag / 8)
  if (number === 0) throw damaged(reader, 'a field has the number 0')
  if (wire === 0) readVarint(reader, end)
  else if (wire === 1) takeCopy(reader, 8, end)
  else if (wire === 5) takeCopy(reader, 4, end)
  else if (wire === 2) reader.pos = readLength(reader, end, `field ${number}`)
  else throw damaged(reader, `field ${number} has the wire type ${wire}`)
  const stop = reader.pos
  reader.pos = start
  const unknown = (into.unknown ??= [])
  unknown.push({ number, bytes: take(reader, stop - start).slice() })
}

function wireOf(field: FieldSchema): number {
  switch (field.kind) {
    case 'int':
    case 'int32':
    case 'uint':
      return 0
    case 'float':
      return 5
    case 'double':
      return 1
    default:
      return 2
  }
}

function isNumber(field: FieldSchema): boolean {
  return wireOf(field) !== 2
}

function wrongWire(reader: Reader, field: FieldSchema, wire: number): UserFault {
  return damaged(reader, `${field.name} has the wire type ${wire} instead of ${wireOf(field)}`)
}
