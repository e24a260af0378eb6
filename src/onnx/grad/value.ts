import type { ElementType } from '../element-types.ts'
import { sizeOf } from '../tensor.ts'

/** A value of the graph with what is known of it; all sizes are numbers. */
export interface Value {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly number[]
}

/** Dims right-aligned to `rank`, ones in front. */
export function padDims(dims: readonly number[], rank: number): readonly number[] {
  return [...new Array<number>(Math.max(0, rank - dims.length)).fill(1), ...dims]
}

/** The dims to which both broadcast; of sizes that differ one is 1. */
export function broadcastDims(a: readonly number[], b: readonly number[]): readonly number[] {
  const rank = Math.max(a.length, b.length)
  const [p, q] = [padDims(a, rank), padDims(b, rank)]
  return p.map((d, k) => (d === 1 ? (q[k] ?? 1) : d))
}

export function sameDims(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((d, k) => d === b[k])
}

/** The axis counted from the front. */
export function axisOf(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis
}

/** Sizes before an axis multiplied, the axis, and sizes behind it multiplied. */
export function around(
  dims: readonly number[],
  axis: number,
): readonly [before: number, size: number, behind: number] {
  return [sizeOf(dims.slice(0, axis)), dims[axis] ?? 1, sizeOf(dims.slice(axis + 1))]
}

/** 0, 1, ... n − 1. */
export function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, k) => k)
}
