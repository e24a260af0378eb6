import { iou } from './box.ts'
import type { Box } from './types.ts'

/** What suppression reads of a detection. */
export interface Scored {
  readonly box: Box
  /** Higher is better; null counts as the lowest. */
  readonly score: number | null
}

/** Best score first; ties by y1, then x1 (program-language §8, LOC). */
export function byScore(a: Scored, b: Scored): number {
  return (
    (b.score ?? -Infinity) - (a.score ?? -Infinity) || a.box[1] - b.box[1] || a.box[0] - b.box[0]
  )
}

/**
 * Keeps the best of boxes that overlap: greedy, best first; a box whose IoU with a kept one is
 * **at least** `maxOverlap` goes (vector G6).
 *
 * @param found  boxes of one frame, in any order, unrounded
 * @param options.maxOverlap  0..1, default 0.5
 * @param options.within  boxes are compared only when this gives the same word, e.g. the label
 * @returns those kept, best first; the same values, no copies
 */
export function suppress<T extends Scored>(
  found: readonly T[],
  options: { readonly maxOverlap?: number; readonly within?: (one: T) => string } = {},
): T[] {
  const { maxOverlap = 0.5, within } = options
  const kept: T[] = []
  for (const one of found.toSorted(byScore)) {
    const clash = kept.some(
      (better) =>
        (within === undefined || within(better) === within(one)) &&
        iou(better.box, one.box) >= maxOverlap,
    )
    if (!clash) kept.push(one)
  }
  return kept
}
