import { mixPrompts } from '../../tools/index.ts'
import type { MixedPrompt, NearPrompt } from '../../tools/index.ts'
import type { TunedPrompt } from './tuning.ts'

/** Prompts that are mixed for an input at most, by default. */
const NEAREST = 10

/** The ensemble of prompts that belong to no lesson yet, as it would act (clova §4.1). */
export function ensembleOf(
  prompts: readonly TunedPrompt[],
  nearest = NEAREST,
): (feature: Float32Array) => MixedPrompt | undefined {
  return (feature) => {
    const near = prompts
      .map(({ feature: other, values, shape }): NearPrompt => {
        const use = { lesson: '', concept: '', prompt: '', weight: 0 }
        return { use, weight: Math.max(0, cosineOf(feature, other)), values, shape }
      })
      .filter(({ weight }) => weight > 0)
      .toSorted((a, b) => b.weight - a.weight)
    return mixPrompts(near.slice(0, nearest))
  }
}

export function cosineOf(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    dot += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb)
}
