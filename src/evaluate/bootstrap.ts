import { seededRandom } from '../base/index.ts'

/** The 95 % interval of a mean by drawing the items anew 1,000 times; the same for the same items. */
export function bootstrapInterval(values: readonly number[]): readonly [low: number, high: number] {
  return values.length === 0 ? [0, 0] : bootstrapShares(values.map((value) => [value, 1]))
}

/**
 * The same for a share Σ over / Σ under, such as a micro F1.
 *
 * @param parts  what each item adds to what is above and below the line
 */
export function bootstrapShares(
  parts: readonly (readonly [over: number, under: number])[],
): readonly [low: number, high: number] {
  if (parts.length === 0) return [0, 1]
  const random = seededRandom(11)
  const shares = Array.from({ length: 1000 }, () => {
    let [over, under] = [0, 0]
    for (let i = 0; i < parts.length; i++) {
      const [a, b] = parts[random.below(parts.length)] ?? [0, 0]
      over += a
      under += b
    }
    return under === 0 ? 1 : over / under
  }).toSorted((a, b) => a - b)
  return [shares[25] ?? 0, shares[974] ?? 0]
}
