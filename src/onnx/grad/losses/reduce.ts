import type { Builder } from '../../builder.ts'

/** Everything folded into one number. */
export function total(b: Builder, x: string): string {
  return b.op('ReduceSum', [x], { keepdims: 0 })
}

/**
 * Rows weighted and averaged: Σ w·x / Σ w, so that a padded row (weight 0) counts nothing; without
 * weights the mean.
 */
export function weightedMean(b: Builder, x: string, weights?: string): string {
  if (weights === undefined) return b.op('ReduceMean', [x], { keepdims: 0 })
  return b.op('Div', [total(b, b.op('Mul', [x, weights])), total(b, weights)])
}

/** A number times a value; the value itself for 1. */
export function times(b: Builder, x: string, factor: number): string {
  return factor === 1 ? x : b.op('Mul', [x, b.scalar(factor)])
}

/** Losses added up, each with its weight. */
export function sumOf(
  b: Builder,
  terms: readonly (readonly [loss: string, weight: number])[],
): string {
  const weighted = terms.map(([loss, weight]) => times(b, loss, weight))
  return weighted.reduce((sum, term) => b.op('Add', [sum, term]))
}
