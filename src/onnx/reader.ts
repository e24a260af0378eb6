import { UserFault } from '../base/index.ts'
import type { FieldSchema, MessageType } from './schema.ts'
import type { Source } from './source.ts'

/** Where the decoder stands: a window of the source, and which message it is in. */
export interface Reader {
  readonly source: Source
  view: Uint8Array
  /** Offset of the window's first byte in the source. */
  base: number
  pos: number
  spent: number
  readonly trail: Place[]
}

/** A message that the reader is in. */
export interface Place {
  readonly type: MessageType
  readonly index: number | undefined
  name: string | undefined
}

/**
 * What may be built as JavaScript objects: a number in a list costs 1, a message 16. A damaged or hostile
 * file of empty messages would otherwise take a hundred times its size.
 */
const budget = 48e6

/** A reader at the beginning of a source. */
export function readerOf(source: Source): Reader {
  return { source, view: new Uint8Array(), base: 0, pos: 0, spent: 0, trail: [] }
}

/** Counts what is built against the budget. */
export function spend(reader: Reader, cost: number): void {
  reader.spent += cost
  if (reader.spent > budget) throw damaged(reader, 'there is more in it than any model has')
}

/** A whole number of the field's kind: a number where it is exact, else a bigint. */
export function readInteger(reader: Reader, field: FieldSchema, end: number): number | bigint {
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
export function readVarint(reader: Reader, end: number): number | bigint {
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

/** A tag or a length. */
export function readUnsigned(reader: Reader, end: number): number {
  const value = readVarint(reader, end)
  if (typeof value === 'bigint') throw damaged(reader, `${value} is no length`)
  return value
}

/** Reads a length and gives the offset where what it measures ends. */
export function readLength(reader: Reader, end: number, name: string): number {
  const length = readUnsigned(reader, end)
  if (length > end - reader.pos) {
    throw damaged(reader, `${name} says ${length} bytes but ${end - reader.pos} are left`)
  }
  return reader.pos + length
}

/** The next bytes, as a view of the window. */
export function take(reader: Reader, length: number): Uint8Array {
  ensure(reader, length)
  const at = reader.pos - reader.base
  reader.pos += length
  return reader.view.subarray(at, at + length)
}

/** The next bytes, in an array of their own. */
export function takeCopy(reader: Reader, length: number, end: number): Uint8Array {
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

/** What is wrong, with the byte, the path of messages, and the node and tensor around it. */
export function damaged(reader: Reader, what: string): UserFault {
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
