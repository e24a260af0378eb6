/** A field that the schema does not know, as its bytes with the tag; written back at its number. */
export interface UnknownField {
  readonly number: number
  readonly bytes: Uint8Array
}

/** A stretch of bytes that was left in its source; only `raw_data` of large tensors. */
export interface ByteRange {
  readonly offset: number
  readonly length: number
}

export type FieldValue =
  | number
  | bigint
  | string
  | Uint8Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array
  | ByteRange
  | Message
  | readonly number[]
  | readonly bigint[]
  | readonly (number | bigint)[]
  | readonly Uint8Array[]
  | readonly string[]
  | readonly Message[]

/**
 * A protocol message as plain values by field name. What was absent is absent here.
 *
 * `unknown` holds fields that the schema does not know, `unlike` the names of repeated numbers that
 * came packed where the schema says one by one, or the other way round.
 */
export interface Message {
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly unknown?: readonly UnknownField[]
  readonly unlike?: readonly string[]
}
