/** The element types of ONNX by the names that we use, as of IR 13. */
export type ElementType =
  | 'float32'
  | 'uint8'
  | 'int8'
  | 'uint16'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'string'
  | 'bool'
  | 'float16'
  | 'float64'
  | 'uint32'
  | 'uint64'
  | 'complex64'
  | 'complex128'
  | 'bfloat16'
  | 'float8e4m3fn'
  | 'float8e4m3fnuz'
  | 'float8e5m2'
  | 'float8e5m2fnuz'
  | 'uint4'
  | 'int4'
  | 'float4e2m1'

/** Arrays that hold the bit patterns of elements; half floats, bool and 8-bit floats as unsigned patterns. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array

export interface TypedArrayConstructor {
  readonly name: string
  readonly BYTES_PER_ELEMENT: number
  new (length: number): TypedArray
  new (buffer: ArrayBufferLike, offset?: number, length?: number): TypedArray
}

export interface ElementTypeFacts {
  /** The number in the protocol (`TensorProto.DataType`). */
  readonly id: number
  /** Bits of an element; 0 for text. */
  readonly bits: number
  /** What holds the pattern of an element (two to a byte, low half first, where bits are 4). */
  readonly array: TypedArrayConstructor
  readonly float: boolean
}

const entry = (
  id: number,
  bits: number,
  array: TypedArrayConstructor,
  float = false,
): ElementTypeFacts => Object.freeze({ id, bits, array, float })

/** What is known of each element type. */
export const elementTypes: { readonly [K in ElementType]: ElementTypeFacts } = Object.freeze({
  float32: entry(1, 32, Float32Array, true),
  uint8: entry(2, 8, Uint8Array),
  int8: entry(3, 8, Int8Array),
  uint16: entry(4, 16, Uint16Array),
  int16: entry(5, 16, Int16Array),
  int32: entry(6, 32, Int32Array),
  int64: entry(7, 64, BigInt64Array),
  string: entry(8, 0, Uint8Array),
  bool: entry(9, 8, Uint8Array),
  float16: entry(10, 16, Uint16Array, true),
  float64: entry(11, 64, Float64Array, true),
  uint32: entry(12, 32, Uint32Array),
  uint64: entry(13, 64, BigUint64Array),
  complex64: entry(14, 64, Float32Array),
  complex128: entry(15, 128, Float64Array),
  bfloat16: entry(16, 16, Uint16Array, true),
  float8e4m3fn: entry(17, 8, Uint8Array, true),
  float8e4m3fnuz: entry(18, 8, Uint8Array, true),
  float8e5m2: entry(19, 8, Uint8Array, true),
  float8e5m2fnuz: entry(20, 8, Uint8Array, true),
  uint4: entry(21, 4, Uint8Array),
  int4: entry(22, 4, Uint8Array),
  float4e2m1: entry(23, 4, Uint8Array, true),
})

const byId: ReadonlyMap<number, ElementType> = new Map(
  Object.entries(elementTypes).map(([name, facts]) => [facts.id, name as ElementType]),
)

/** The name of a protocol number; undefined for a number that no version up to IR 13 knows. */
export function elementTypeOf(id: number): ElementType | undefined {
  return byId.get(id)
}

/** True for the types that carry gradients or could: every floating type. */
export function isFloat(type: ElementType): boolean {
  return elementTypes[type].float
}

/** How many bytes `count` elements take; sub-byte types are rounded up to whole bytes. */
export function byteLengthOf(type: ElementType, count: number): number {
  const { bits } = elementTypes[type]
  // Whole bytes are multiplied as bytes, so that sizes beyond 2^50 stay exact.
  return bits % 8 === 0 ? count * (bits / 8) : Math.ceil((count * bits) / 8)
}
