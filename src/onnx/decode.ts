import { UserFault } from '../base/index.ts'
import type { ByteRange, FieldValue, Message, UnknownField } from './message.ts'
import type { FieldSchema, MessageType } from './schema.ts'
import { isMessageType, schemas } from './schema.ts'
import type { Source } from './source.ts'

/** Raw weights longer than this stay in a file instead of being read. */
const leaveFrom = 1024
const deepest = 64

/** Where the decoder stands: a window of the source, and which message it is in. */
interface Reader {
  readonly source: Source
  view: Uint8Array
  /** Offset of the window's first byte in the source. */
  base: number
  pos: number
  readonly trail: Place[]
}

interface Place {
  readonly type: MessageType
  readonly index: number | undefined
  name: string | undefined
}

/** Turns fields that arrive one by one into what a message keeps. */
interface Gathering {
  readonly fields: Record<string, FieldValue>
  readonly unknown: UnknownField[]
  readonly unlike: Set<string>
  readonly growing: Map<string, { buffer: Uint8Array; used: number }>
}

/**
 * Decodes one message that fills the source.
 *
 * Memory is bounded by the size of the source: nothing is allocated from a declared size before it
 * was compared with what is left.
 *
 * @throws UserFault `E_ONNX_DAMAGED` with the byte offset, and the node and tensor around it
 */
export function decodeMessage(type: MessageType, source: Source): Message {
  const reader: Reader = { source, view: new Uint8Array(), base: 0, pos: 0, trail: [] }
  return readMessage(reader, type, source.length, undefined)
}

function readMessage(
  reader: Reader,
  type: MessageType,
  end: number,
  index: number | undefined,
): Message {
  if (reader.trail.length >= deepest) throw damaged(reader, `messages nest deeper than ${deepest}`)
  const place: Place = { type, index, name: undefined }
  reader.trail.push(place)
  const { fields } = schemas[type]
  const gathered: Gathering = {
    fields: {},
    unknown: [],
    unlike: new Set(),
    growing: new Map(),
  }
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
  for (const [name, { buffer, used }] of gathered.growing) {
    gathered.fields[name] = buffer.subarray(0, used)
  }
  return {
    fields: gathered.fields,
    ...(gathered.unknown.length === 0 ? {} : { unknown: gathered.unknown }),
    ...(gathered.unlike.size === 0 ? {} : { unlike: [...gathered.unlike] }),
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
  const { fields, unlike } = into
  const number = isNumber(field)
  const packed = number && wire === 2
  if (!packed && wire !== wireOf(field)) throw wrongWire(reader, field, wire)
  if (number && packed !== field.packed) unlike.add(field.name)
  if (field.kind === 'float' || field.kind === 'double') {
    const piece = packed
      ? readBytes(reader, end, field.name)
      : takeCopy(reader, field.kind === 'float' ? 4 : 8, end)
    addFloats(reader, field, piece, into)
    return
  }
  const list = (fields[field.name] ?? []) as FieldValue[]
  if (packed) {
    const stop = readLength(reader, end, field.name)
    while (reader.pos < stop) list.push(readInteger(reader, field, stop))
  } else {
    list.push(readSingle(reader, field, end, list.length))
  }
  fields[field.name] = list as FieldValue
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
  let state = into.growing.get(field.name)
  if (state === undefined || state.used + length > state.buffer.length) {
    const used = state?.used ?? known.length
    const buffer = new Uint8Array(Math.max(64, 2 * (used + length)))
    buffer.set(state === undefined ? known : state.buffer.subarray(0, used))
    state = { buffer, used }
    into.growing.set(field.name, state)
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
  into.unknown.push({ number, bytes: take(reader, stop - start).slice() })
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

function readInteger(reader: Reader, field: FieldSchema, end: number): number | bigint {
  const value = readVarint(reader, end)
  if (typeof value === 'number') {
    return field.kind === 'int32' && value > 0x7fffffff ? value | 0 : value
  }
  const bits = field.kind === 'int32' ? 32 : 64
  const whole = field.kind === 'uint' ? BigInt.asUintN(64, value) : BigInt.asIntN(bits, value)
  const plain = Number(whole)
  return Number.isSafeInteger(plain) ? plain : whole
}

/** A varint: a number up to 49 bits, else a bigint of up to 70. */
function readVarint(reader: Reader, end: number): number | bigint {
  const room = Math.min(10, end - reader.pos)
  ensure(reader, room)
  const { view } = reader
  let at = reader.pos - reader.base
  let value = 0
  let scale = 1
  for (let i = 0; i < room; i++) {
    const byte = view[at++] ?? 0
    if (i === 7) return readLongVarint(reader, room)
    value += (byte & 127) * scale
    scale *= 128
    if (byte < 128) {
      reader.pos += i + 1
      return value
    }
  }
  throw damaged(reader, 'a number does not end')
}

function readLongVarint(reader: Reader, room: number): bigint {
  const start = reader.pos - reader.base
  let value = 0n
  for (let i = 0; i < room; i++) {
    const byte = reader.view[start + i] ?? 0
    value |= BigInt(byte & 127) << BigInt(7 * i)
    if (byte < 128) {
      reader.pos += i + 1
      return value
    }
  }
  throw damaged(reader, 'a number does not end')
}

function readUnsigned(reader: Reader, end: number): number {
  const value = readVarint(reader, end)
  if (typeof value === 'bigint') throw damaged(reader, `${value} is no length`)
  return value
}

/** Reads a length and gives the offset where what it measures ends. */
function readLength(reader: Reader, end: number, name: string): number {
  const length = readUnsigned(reader, end)
  if (length > end - reader.pos) {
    throw damaged(reader, `${name} says ${length} bytes but ${end - reader.pos} are left`)
  }
  return reader.pos + length
}

function take(reader: Reader, length: number): Uint8Array {
  ensure(reader, length)
  const at = reader.pos - reader.base
  reader.pos += length
  return reader.view.subarray(at, at + length)
}

function takeCopy(reader: Reader, length: number, end: number): Uint8Array {
  if (length > end - reader.pos) {
    throw damaged(reader, `${length} bytes are due but ${end - reader.pos} are left`)
  }
  return take(reader, length).slice()
}

/** Makes the window hold `length` bytes from here. */
function ensure(reader: Reader, length: number): void {
  const at = reader.pos - reader.base
  if (at >= 0 && at + length <= reader.view.length) return
  reader.view = reader.source.window(reader.pos, length)
  reader.base = reader.pos
  if (reader.view.length < length)
    throw damaged(reader, 'the file became shorter while it was read')
}

function wrongWire(reader: Reader, field: FieldSchema, wire: number): UserFault {
  return damaged(reader, `${field.name} has the wire type ${wire} instead of ${wireOf(field)}`)
}

function damaged(reader: Reader, what: string): UserFault {
  const { source, pos, trail } = reader
  const name = (type: MessageType): string | undefined =>
    trail.findLast((place) => place.type === type)?.name
  const path = trail
    .slice(1)
    .map(({ type, index, name: own }) => {
      const place = index === undefined ? type : `${type} ${index}`
      return own === undefined ? place : `${place} "${own}"`
    })
    .join(' > ')
  return new UserFault(
    'E_ONNX_DAMAGED',
    `This is no ONNX model, or it is damaged: at byte ${pos} of ${source.length}${path === '' ? '' : ` (${path})`}, ${what}.`,
    {
      fields: { file: source.file, offset: pos, node: name('Node'), tensor: name('Tensor'), what },
      cure: 'Get the file again, and compare its size and hash with the source.',
    },
  )
}
