import { sizeOf } from '../tensor.ts'
import type { TfNode } from './graph-file.ts'
import type { TfConstant } from './weights.ts'

/**
 * The value of a node all of whose inputs are constants, for the few operations that models use to
 * build shapes; undefined for any other.
 */
export function foldConstant(
  { op }: TfNode,
  inputs: readonly TfConstant[],
): TfConstant | undefined {
  switch (op) {
    case 'SparseToDense':
      return sparseToDense(inputs)
    case 'Add':
    case 'AddV2':
      return pairwise(inputs, (a, b) => a + b)
    case 'Sub':
      return pairwise(inputs, (a, b) => a - b)
    case 'Mul':
      return pairwise(inputs, (a, b) => a * b)
    case 'Identity':
      return inputs[0]
    default:
      return undefined
  }
}

function like(
  { type }: TfConstant,
  dims: readonly number[],
  value: (i: number) => number,
): TfConstant {
  const size = sizeOf(dims)
  const values =
    type === 'float32'
      ? new Float32Array(size)
      : type === 'int32'
        ? new Int32Array(size)
        : new Uint8Array(size)
  for (let i = 0; i < size; i++) values[i] = value(i)
  return { type, dims, values }
}

/** Same dims, or one of them a single number; anything else is left to the graph. */
function pairwise(
  [a, b]: readonly TfConstant[],
  combine: (a: number, b: number) => number,
): TfConstant | undefined {
  if (a === undefined || b === undefined) return undefined
  const [sizeA, sizeB] = [a.values.length, b.values.length]
  const same = a.dims.join() === b.dims.join()
  if (!same && sizeA !== 1 && sizeB !== 1) return undefined
  const dims = sizeA >= sizeB && a.dims.length >= b.dims.length ? a.dims : b.dims
  return like(a, dims, (i) =>
    combine(a.values[sizeA === 1 ? 0 : i] ?? 0, b.values[sizeB === 1 ? 0 : i] ?? 0),
  )
}

/** Inputs: positions [n, rank] (or [n], or a scalar), the dims, values (n or one), the value elsewhere. */
function sparseToDense([at, shape, given, elsewhere]: readonly TfConstant[]):
  TfConstant | undefined {
  if (at === undefined || shape === undefined || given === undefined) return undefined
  const dims = Array.from(shape.values, Number)
  const filled = elsewhere?.values[0] ?? 0
  const result = like(given, dims, () => filled)
  const rank = at.dims.length > 1 ? (at.dims[1] ?? 1) : 1
  for (let n = 0; n < at.values.length / rank; n++) {
    let index = 0
    for (let axis = 0; axis < rank; axis++) {
      index = index * (dims[axis] ?? 1) + (at.values[n * rank + axis] ?? 0)
    }
    result.values[index] = given.values[given.values.length === 1 ? 0 : n] ?? 0
  }
  return result
}
