/** A learnt prompt with the feature of the picture it was learnt from. */
export interface WeightedPrompt {
  readonly feature: Float32Array
  readonly prompt: Float32Array
}

/**
 * The prompt for an input: p′ = Σ w_i p_i / Σ w_i with w_i = max(0, cosine), over the nearest.
 *
 * @param nearest  how many take part; default all
 * @returns undefined when all weights are 0 or every prompt is zero: the plain tool, bit for bit
 * @source CLOVA §3.4; clova §4.1 (no negative weights, bypass)
 */
export function ensemble(
  feature: Float32Array,
  entries: readonly WeightedPrompt[],
  nearest = Infinity,
): Float32Array | undefined {
  const weighted = entries
    .map(({ feature: other, prompt }) => ({
      prompt,
      weight: Math.max(0, cosineOf(feature, other)),
    }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, nearest)
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const size = weighted[0]?.prompt.length ?? 0
  if (total === 0 || size === 0) return undefined
  const mixed = new Float64Array(size)
  for (const { prompt, weight } of weighted) {
    for (let i = 0; i < size; i++) mixed[i] = (mixed[i] ?? 0) + (weight / total) * (prompt[i] ?? 0)
  }
  return mixed.every((value) => value === 0) ? undefined : Float32Array.from(mixed)
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb)
}
