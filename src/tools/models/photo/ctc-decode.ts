/** What a row of probabilities reads as. */
export interface Reading {
  readonly text: string
  /** Mean of the kept probabilities; 0 for an empty text. */
  readonly score: number
}

/**
 * Greedy CTC: the best character of each step, repeats and blanks dropped.
 *
 * @param table  [steps, characters + 2] row-major probabilities: blank, the dictionary, a space
 * @param characters  the dictionary, in the order of the model's numbers
 * @source photo-starter §8
 */
export function decodeCtc(
  table: ArrayLike<number>,
  steps: number,
  characters: readonly string[],
): Reading {
  const width = characters.length + 2
  let text = ''
  let sum = 0
  let kept = 0
  let last = 0
  for (let t = 0; t < steps; t++) {
    let best = 0
    for (let c = 1; c < width; c++) {
      if ((table[t * width + c] ?? 0) > (table[t * width + best] ?? 0)) best = c
    }
    if (best !== 0 && best !== last) {
      text += characters[best - 1] ?? ' '
      sum += table[t * width + best] ?? 0
      kept++
    }
    last = best
  }
  return { text, score: kept === 0 ? 0 : sum / kept }
}
