import { parseQuantitySane } from './quantity-sane.ts'
import { parseQuantityStrict } from './quantity-strict.ts'
import type { Quantity, Range } from './quantity-strict.ts'

export type Mode = 'strict' | 'sane'

/** A text as a quantity; undefined in sane mode when no number stands in it. @source avis §15.1 */
export function parseQuantity(text: string, mode: Mode): Quantity | undefined {
  return mode === 'strict' ? parseQuantityStrict(text) : parseQuantitySane(text)
}

/** Rounding of the official code: lengths are never quite zero. */
const TINY = 1e-12

/**
 * Whether a predicted quantity answers: a number inside the reference range, or a range inside it or
 * overlapping it by half.
 */
export function scoreQuantity(
  prediction: Quantity | undefined,
  answer: Quantity,
  mode: Mode,
): boolean {
  if (prediction === undefined) return false
  const range = referenceRange(answer, mode)
  if (typeof prediction === 'number') return prediction >= range[0] && prediction <= range[1]
  const [low, high] = prediction[0] <= prediction[1] ? prediction : [prediction[1], prediction[0]]
  if (low >= range[0] && high <= range[1]) return true
  return overlapRatio([low, high], sorted(range)) >= 0.5 - TINY
}

/** A lone number means itself and a tenth to both sides. */
function referenceRange(answer: Quantity, mode: Mode): Range {
  if (typeof answer !== 'number') return mode === 'sane' ? sorted(answer) : answer
  if (mode === 'strict') return [answer * 0.9, answer * 1.1]
  return [answer - 0.1 * Math.abs(answer), answer + 0.1 * Math.abs(answer)]
}

const sorted = ([a, b]: Range): Range => (a <= b ? [a, b] : [b, a])

function overlapRatio(a: Range, b: Range): number {
  const overlap = Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))
  const length = ([low, high]: Range): number => high - low + TINY
  return overlap / (length(a) + length(b) - overlap)
}
