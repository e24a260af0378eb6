import { seededRandom } from '../base/index.ts'

/** The 95 % interval of a mean by drawing the items anew 1,000 times; the same for the same items. */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  if (values.length === 0) return [0, 0]
  const random = seededRandom(11)
  const means = Array.from({ length: 1000 }, () => {
    let sum = 0
    for (let i = 0; i < values.length; i++) sum += values[random.below(values.length)] ?? 0
    return sum / values.length
  }).toSorted((a, b) => a - b)
  return [means[25] ?? 0, means[974] ?? 0]
}
