import { Bug } from '../base/index.ts'
import type { FieldValue, Message } from './message.ts'
import type { FieldSchema, MessageType } from './schema.ts'
import { isMessageType, schemas } from './schema.ts'

/** Sizes of the messages of one encoding, so that each is measured once. */
type Sizes = Map<Message, number>

interface Writer {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly sizes: Sizes
  pos: number
}

const utf8 = new TextEncoder()

/**
 * Encodes a message into one buffer of exactly its size; fields in the order of their numbers,
 * unknown ones among them.
 *
 * @throws Bug `E_ONNX_ENCODE` when the message still points into a file
 */
export function encodeMessage(type: MessageType, message: Message): Uint8Array {
  const sizes: Sizes = new Map()
  const bytes = new Uint8Array(sizeOfMessage(type, message, sizes))
  const writer: Writer = { bytes, view: new DataView(bytes.buffer), sizes, pos: 0 }
  writeMessage(writer, type, message)
  return bytes
}

function sizeOfMessage(type: MessageType, message: Message, sizes: Sizes): number {
  let size = 0
  for (const field of schemas[type].fields.values()) {
    const value = message.fields[field.name]
    if (value !== undefined) size += sizeOfField(field, value, message, sizes)
  }
  for (const unknown of message.unknown ?? []) size += unknown.bytes.length
  sizes.set(message, size)
  return size
}

function isPacked(field: FieldSchema, message: Message): boolean {
  const unlike = message.unlike?.includes(field.name) ?? false
  return field.packed !== unlike
}

function sizeOfField(
  field: FieldSchema,
  value: FieldValue,
  message: Message,
  sizes: Sizes,
): number {
  const tag = sizeOfVarint(field.number * 8)
  if (!field.repeated) return tag + sizeOfSingle(field, value, sizes)
  if (field.kind === 'float' || field.kind === 'double') {
    const { length } = asBytes(field, value)
    if (isPacked(field, message)) return tag + sizeOfVarint(length) + length
    return (length / (field.kind === 'float' ? 4 : 8)) * tag + length
  }
  const list = value as unknown as readonly FieldValue[]
  let size = 0
  for (const item of list) size += sizeOfSingle(field, item, sizes)
  return isPacked(field, message) ? tag + sizeOfVarint(size) + size : size + tag * list.length
}

function sizeOfSingle(field: FieldSchema, value: FieldValue, sizes: Sizes): number {
  const { kind } = field
  let length: number
  if (isMessageType(kind)) length = sizeOfMessage(kind, value as Message, sizes)
  else if (kind === 'text') length = Buffer.byteLength(value as string)
  else if (kind === 'bytes') ({ length } = asBytes(field, value))
  else if (kind === 'float') return 4
  else if (kind === 'double') return 8
  else return sizeOfVarint(value as number | bigint)
  return sizeOfVarint(length) + length
}

function asBytes(field: FieldSchema, value: FieldValue): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw new Bug('E_ONNX_ENCODE', `${field.name} lies in a file and was not brought into memory.`, {
    fields: { field: field.name },
  })
}

function sizeOfVarint(value: number | bigint): number {
  if (value < 0) return 10
  if (typeof value === 'bigint') {
    let size = 1
    for (let left = value >> 7n; left > 0n; left >>= 7n) size++
    return size
  }
  let size = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) size++
  return size
}

function writeMessage(writer: Writer, type: MessageType, message: Message): void {
  const unknown = [...(message.unknown ?? [])].sort((a, b) => a.number - b.number)
  let next = 0
  const writeUnknownBelow = (number: number): void => {
    for (; next < unknown.length; next++) {
      const field = unknown[next]
      if (field === undefined || field.number > number) return
      writeRaw(writer, field.bytes)
    }
  }
  for (const field of schemas[type].fields.values()) {
    const value = message.fields[field.name]
    if (value === undefined) continue
    writeUnknownBelow(field.number)
    writeField(writer, field, value, message)
  }
  writeUnknownBelow(Infinity)
}

function writeField(writer: Writer, field: FieldSchema, value: FieldValue, message: Message): void {
  if (!field.repeated) {
    writeTagged(writer, field, value)
    return
  }
  const packed = isPacked(field, message)
  if (field.kind === 'float' || field.kind === 'double') {
    writeFloats(writer, field, asBytes(field, value), packed)
    return
  }
  const list = value as unknown as readonly FieldValue[]
  if (!packed) {
    for (const item of list) writeTagged(writer, field, item)
    return
  }
  let size = 0
  for (const item of list) size += sizeOfVarint(item as number | bigint)
  writeVarint(writer, field.number * 8 + 2)
  writeVarint(writer, size)
  for (const item of list) writeVarint(writer, item as number | bigint)
}

function writeFloats(writer: Writer, field: FieldSchema, bytes: Uint8Array, packed: boolean): void {
  if (packed) {
    writeVarint(writer, field.number * 8 + 2)
    writeVarint(writer, bytes.length)
    writeRaw(writer, bytes)
    return
  }
  const [width, wire] = field.kind === 'float' ? [4, 5] : [8, 1]
  for (let at = 0; at < bytes.length; at += width) {
    writeVarint(writer, field.number * 8 + wire)
    writeRaw(writer, bytes.subarray(at, at + width))
  }
}

function writeTagged(writer: Writer, field: FieldSchema, value: FieldValue): void {
  const { kind } = field
  const tag = field.number * 8
  if (isMessageType(kind)) {
    writeVarint(writer, tag + 2)
    writeVarint(writer, writer.sizes.get(value as Message) ?? 0)
    writeMessage(writer, kind, value as Message)
    return
  }
  switch (kind) {
    case 'int':
    case 'int32':
    case 'uint':
      writeVarint(writer, tag)
      writeVarint(writer, value as number | bigint)
      return
    case 'float':
      writeVarint(writer, tag + 5)
      writer.view.setFloat32(writer.pos, value as number, true)
      writer.pos += 4
      return
    case 'double':
      writeVarint(writer, tag + 1)
      writer.view.setFloat64(writer.pos, value as number, true)
      writer.pos += 8
      return
    case 'text':
    case 'bytes': {
      const bytes = kind === 'text' ? utf8.encode(value as string) : asBytes(field, value)
      writeVarint(writer, tag + 2)
      writeVarint(writer, bytes.length)
      writeRaw(writer, bytes)
      return
    }
    default:
      kind satisfies never
  }
}

function writeRaw(writer: Writer, bytes: Uint8Array): void {
  writer.bytes.set(bytes, writer.pos)
  writer.pos += bytes.length
}

function writeVarint(writer: Writer, value: number | bigint): void {
  const { bytes } = writer
  if (typeof value === 'bigint' || value < 0) {
    let left = BigInt.asUintN(64, BigInt(value))
    while (left > 127n) {
      bytes[writer.pos++] = Number(left & 127n) | 128
      left >>= 7n
    }
    bytes[writer.pos++] = Number(left)
    return
  }
  let left = value
  while (left >= 128) {
    bytes[writer.pos++] = (left % 128) | 128
    left = Math.floor(left / 128)
  }
  bytes[writer.pos++] = left
}
