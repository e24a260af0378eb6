/**
 * How likely a find is right, from the detector's raw score.
 *
 * A logistic curve through what was measured: at the threshold 0.30 about half of the additional
 * finds are right, at 0.45 nearly no label is wrong (photo-starter §4). A starting value, to be
 * replaced per concept by what corrections teach.
 */
export function likelihood(score: number, threshold = 0.3): number {
  return 1 / (1 + Math.exp(-14 * (score - threshold)))
}

/** Share of objects that the detector finds at its threshold: 87 % (photo-starter §1). */
export const DETECTOR_RECALL = 0.87

/**
 * How sure a count is: every find, and everything that nearly was one, must have been judged rightly.
 *
 * @param scores  raw scores of all candidates, also of those below the threshold
 */
export function countConfidence(scores: readonly number[], threshold = 0.3): number {
  const sure = scores.map((score) => {
    const p = likelihood(score, threshold)
    return Math.max(p, 1 - p)
  })
  return sure.reduce((product, p) => product * p, DETECTOR_RECALL)
}

/** How sure a yes is: at least one find is right. */
export function presenceConfidence(scores: readonly number[], threshold = 0.3): number {
  return 1 - scores.reduce((none, score) => none * (1 - likelihood(score, threshold)), 1)
}

/** How sure a no is: none of those below the threshold is one after all, and nothing was missed. */
export function absenceConfidence(scores: readonly number[], threshold = 0.3): number {
  return scores.reduce((none, score) => none * (1 - likelihood(score, threshold)), DETECTOR_RECALL)
}
