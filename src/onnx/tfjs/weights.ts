import type { ElementType } from '../element-types.ts'
import { fromFloat16, sizeOf } from '../tensor.ts'
import type { TfWeight } from './graph-file.ts'
import { broken } from './graph-file.ts'

/** A constant of the model, unpacked. */
export interface TfConstant {
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly values: Float32Array | Int32Array | Uint8Array
}

const widths: Readonly<Record<string, number>> = {
  float32: 4,
  int32: 4,
  float16: 2,
  uint16: 2,
  uint8: 1,
  bool: 1,
}

/** Unpacks the weights: shards joined, each tensor plain or quantised by itself. */
export function readWeights(
  model: string,
  weights: readonly TfWeight[],
  shards: readonly Uint8Array[],
): ReadonlyMap<string, TfConstant> {
  const bytes = join(shards)
  const constants = new Map<string, TfConstant>()
  let offset = 0
  for (const weight of weights) {
    const stored = weight.quantization?.dtype ?? weight.dtype
    const width = widths[stored]
    if (width === undefined) {
      throw broken(model, `stores the weight "${weight.name}" as ${stored}, which is not known`)
    }
    const length = sizeOf(weight.shape) * width
    if (!(length <= bytes.length - offset)) {
      throw broken(
        model,
        `needs ${length} bytes for the weight "${weight.name}" at ${offset}, but the shards have ${bytes.length}`,
      )
    }
    const data = bytes.slice(offset, offset + length)
    offset += length
    constants.set(weight.name, unpack(model, weight, data))
  }
  if (offset !== bytes.length) {
    throw broken(model, `uses ${offset} of the ${bytes.length} bytes of its shards`)
  }
  return constants
}

function unpack(model: string, weight: TfWeight, data: Uint8Array): TfConstant {
  const { dtype, quantization } = weight
  const dims = weight.shape
  if (dtype !== 'float32' && dtype !== 'int32' && dtype !== 'bool') {
    throw broken(model, `has the weight "${weight.name}" of type ${dtype}`)
  }
  if (quantization === undefined) {
    if (dtype === 'bool') return { type: 'bool', dims, values: data }
    const values = dtype === 'int32' ? new Int32Array(data.buffer) : new Float32Array(data.buffer)
    return { type: dtype, dims, values }
  }
  const patterns = quantization.dtype === 'uint8' ? data : new Uint16Array(data.buffer)
  const { scale = 1, min = 0 } = quantization
  const decode =
    quantization.dtype === 'float16'
      ? fromFloat16
      : (pattern: number): number => pattern * scale + min
  const values =
    dtype === 'int32' ? new Int32Array(patterns.length) : new Float32Array(patterns.length)
  for (let i = 0; i < patterns.length; i++) {
    const value = decode(patterns[i] ?? 0)
    values[i] = dtype === 'int32' ? Math.round(value) : value
  }
  return { type: dtype === 'int32' ? 'int32' : 'float32', dims, values }
}

/** One array of its own: a Buffer's `slice` would not copy, and its memory is not aligned. */
function join(shards: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(shards.reduce((sum, shard) => sum + shard.length, 0))
  let offset = 0
  for (const shard of shards) {
    joined.set(shard, offset)
    offset += shard.length
  }
  return joined
}
