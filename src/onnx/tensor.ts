import { closeSync, openSync, readSync } from 'node:fs'
import { expected, Unavailable } from '../base/index.ts'
import type { ElementType, TypedArray } from './element-types.ts'
import { byteLengthOf, elementTypes } from './element-types.ts'
import type { Message } from './message.ts'

/** A stretch of a file: an absolute path, and bytes from its beginning. */
export interface FileRange {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/**
 * Where the elements of a tensor are: in memory as little-endian bytes (perhaps an unaligned view of
 * the model's own bytes; `at` tells where the same bytes lie in a file), in a file, or as texts.
 */
export type Storage =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly at?: FileRange }
  | { readonly kind: 'file'; readonly at: FileRange }
  | { readonly kind: 'texts'; readonly texts: readonly Uint8Array[] }

/** A frozen constant: row-major elements of one type. */
export interface Tensor {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly storage: Storage
  /** Fields of the file that we do not model, written back as they came. */
  readonly rest?: Message
}

/** The product of the dims; 1 for a scalar. */
export function sizeOf(dims: readonly number[]): number {
  return dims.reduce((product, dim) => product * dim, 1)
}

/**
 * A tensor of the given elements, which are copied unless they are already the type's own array.
 *
 * @param dims  default: one axis of `values.length`
 * @throws UserFault `E_ARGUMENT` when the dims do not multiply to the number of elements
 */
export function tensorOf(
  name: string,
  type: ElementType,
  values: TypedArray | readonly number[] | readonly bigint[],
  dims: readonly number[] = [values.length],
): Tensor {
  const data = toArray(type, values)
  const { bits } = elementTypes[type]
  const length = bits === 4 ? byteLengthOf(type, sizeOf(dims)) : sizeOf(dims)
  if (data.length !== length) {
    throw expected(`${length} elements for dims [${dims.join(', ')}]`, `tensor "${name}"`, values)
  }
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return Object.freeze({
    name,
    type,
    dims: Object.freeze([...dims]),
    storage: Object.freeze({ kind: 'bytes', bytes }),
  })
}

function toArray(
  type: ElementType,
  values: TypedArray | readonly number[] | readonly bigint[],
): TypedArray {
  if (type === 'string') throw expected('an element type of numbers', 'type', type)
  const { array } = elementTypes[type]
  if (values instanceof array) return values
  const data = new array(values.length)
  if (type === 'float16' || type === 'bfloat16') {
    const pattern = type === 'float16' ? toFloat16 : toBfloat16
    for (let i = 0; i < values.length; i++) data[i] = pattern(Number(values[i]))
  } else if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let i = 0; i < values.length; i++) data[i] = BigInt(values[i] ?? 0)
  } else {
    for (let i = 0; i < values.length; i++) data[i] = Number(values[i])
  }
  return data
}

/** The bytes of the elements, little-endian; read from the file when they lie there. */
export function tensorBytes(tensor: Tensor): Uint8Array {
  const { storage } = tensor
  switch (storage.kind) {
    case 'bytes':
      return storage.bytes
    case 'file':
      return readRange(storage.at, tensor.name)
    case 'texts':
      throw expected('a tensor of numbers', `tensor "${tensor.name}"`, 'string')
    default:
      return storage satisfies never
  }
}

function readRange(at: FileRange, name: string): Uint8Array {
  const bytes = new Uint8Array(at.length)
  try {
    const file = openSync(at.file, 'r')
    try {
      let done = 0
      while (done < at.length) {
        const got = readSync(
          file,
          bytes,
          done,
          Math.min(at.length - done, 1 << 30),
          at.offset + done,
        )
        if (got === 0) throw new Error(`the file ends ${at.length - done} bytes early`)
        done += got
      }
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new Unavailable(
      'E_ONNX_WEIGHTS',
      `The weights "${name}" cannot be read from ${at.file}.`,
      {
        fields: { tensor: name, ...at },
        cause,
        cure: 'Put the file back beside its model, or load the model again.',
      },
    )
  }
  return bytes
}

/**
 * The elements as the type's own array: a view where the bytes lie aligned, else a copy. Half floats,
 * bool and 8-bit floats as patterns, 4-bit types as packed bytes.
 */
export function tensorArray(tensor: Tensor): TypedArray {
  const bytes = tensorBytes(tensor)
  const { array } = elementTypes[tensor.type]
  const width = array.BYTES_PER_ELEMENT
  const aligned = bytes.byteOffset % width === 0 ? bytes : bytes.slice()
  return new array(aligned.buffer, aligned.byteOffset, aligned.byteLength / width)
}

/** The elements as plain numbers, whatever the type; 64-bit integers beyond 2^53 lose their last digits. */
export function tensorNumbers(tensor: Tensor): Float64Array {
  const count = sizeOf(tensor.dims)
  const source = tensorArray(tensor)
  const decode = decoders[tensor.type]
  if (decode !== undefined) return Float64Array.from({ length: count }, (_, i) => decode(source, i))
  const out = new Float64Array(count)
  for (let i = 0; i < count; i++) out[i] = Number(source[i])
  return out
}

const half = (source: TypedArray, i: number): number =>
  (Number(source[i >> 1]) >> ((i & 1) * 4)) & 15

const decoders: { readonly [K in ElementType]?: (source: TypedArray, i: number) => number } = {
  float16: (source, i) => fromFloat16(Number(source[i])),
  bfloat16: (source, i) => fromBfloat16(Number(source[i])),
  uint4: half,
  int4: (source, i) => (half(source, i) << 28) >> 28,
  float4e2m1: (source, i) => smallFloat(half(source, i), 2, 1, 1, 'finite'),
  float8e4m3fn: (source, i) => smallFloat(Number(source[i]), 4, 3, 7, 'nan-only'),
  float8e4m3fnuz: (source, i) => smallFloat(Number(source[i]), 4, 3, 8, 'unsigned-zero'),
  float8e5m2: (source, i) => smallFloat(Number(source[i]), 5, 2, 15, 'ieee'),
  float8e5m2fnuz: (source, i) => smallFloat(Number(source[i]), 5, 2, 16, 'unsigned-zero'),
}

/** How the top of a small float's range is used: as IEEE; all ones are NaN; minus zero is NaN; no special values. */
type Specials = 'ieee' | 'nan-only' | 'unsigned-zero' | 'finite'

function smallFloat(
  pattern: number,
  exponentBits: number,
  mantissaBits: number,
  bias: number,
  specials: Specials,
): number {
  const mantissa = pattern & ((1 << mantissaBits) - 1)
  const top = (1 << exponentBits) - 1
  const exponent = (pattern >> mantissaBits) & top
  const negative = pattern >> (exponentBits + mantissaBits) === 1
  if (specials === 'unsigned-zero' && negative && mantissa === 0 && exponent === 0) return NaN
  if (specials === 'nan-only' && exponent === top && mantissa === (1 << mantissaBits) - 1)
    return NaN
  if (specials === 'ieee' && exponent === top) {
    return mantissa === 0 ? (negative ? -Infinity : Infinity) : NaN
  }
  const fraction = mantissa / (1 << mantissaBits)
  const size = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias)
  return negative ? -size : size
}

/** The number that a float16 pattern means. */
export function fromFloat16(pattern: number): number {
  return smallFloat(pattern, 5, 10, 15, 'ieee')
}

/** The nearest float16 pattern, ties to even. */
export function toFloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7e00
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0
  const size = Math.abs(value)
  if (size >= 65520) return sign | 0x7c00
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  // log2 may round up to the next power at the border: the mantissa then comes out below 1024.
  const settled = 2 ** exponent > size ? exponent - 1 : exponent
  return sign | (((settled + 15) << 10) + (roundEven(size * 2 ** (10 - settled)) - 1024))
}

function roundEven(value: number): number {
  const low = Math.floor(value)
  const over = value - low
  if (over !== 0.5) return over < 0.5 ? low : low + 1
  return low % 2 === 0 ? low : low + 1
}

const word = new DataView(new ArrayBuffer(4))

/** The number that a bfloat16 pattern means. */
export function fromBfloat16(pattern: number): number {
  word.setUint32(0, pattern << 16)
  return word.getFloat32(0)
}

/** The nearest bfloat16 pattern, ties to even. */
export function toBfloat16(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0
  word.setFloat32(0, value)
  const bits = word.getUint32(0)
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff
}
