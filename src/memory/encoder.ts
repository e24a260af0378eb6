import type { Abortable } from '../base/index.ts'

/** A sentence as features of unit length: dense, or the non-zero entries by name. */
export type SentenceVector = Float32Array | ReadonlyMap<string, number>

/**
 * Turns sentences into vectors of unit length that are compared by cosine.
 *
 * One interface for embedding models (mean-pooled, dense) and for lexical ranking (sparse).
 * `name` and `version` are kept with every vector: another encoder means that all are made anew.
 *
 * @source CLOVA §3.2 retrieves by BERT features of the instruction; clova §2: cosine, any encoder.
 */
export interface SentenceEncoder {
  readonly name: string
  readonly version: string
  /** One vector for each sentence, in order. */
  encode(sentences: readonly string[], options?: Abortable): Promise<readonly SentenceVector[]>
}

/** Cosine of two unit vectors of the same encoder. */
export function cosine(a: SentenceVector, b: SentenceVector): number {
  if (a instanceof Float32Array && b instanceof Float32Array) return dot(a, b)
  if (a instanceof Float32Array || b instanceof Float32Array) return 0
  const [small, large] = a.size <= b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [term, weight] of small) sum += weight * (large.get(term) ?? 0)
  return sum
}

/** The same vector with length 1; a zero vector stays as it is. */
export function unit(vector: Float32Array): Float32Array
export function unit(vector: ReadonlyMap<string, number>): ReadonlyMap<string, number>
export function unit(vector: SentenceVector): SentenceVector {
  const values: Iterable<number> = vector.values()
  let square = 0
  for (const value of values) square += value * value
  const length = Math.sqrt(square)
  if (length === 0) return vector
  return vector instanceof Float32Array
    ? vector.map((value) => value / length)
    : new Map([...vector].map(([term, weight]) => [term, weight / length]))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  // Indices below the length are always there.
  for (let i = 0; i < a.length; i++) sum += a[i]! * (b[i] ?? 0)
  return sum
}
