/**
 * A number at two decimals, half to even on its exact binary value, as Python rounds; `toFixed` rounds half up.
 */
export function round2(value: number): number {
  if (!Number.isFinite(value)) return value
  // A double is exact in units of 2^-52 of its magnitude: 1/8 steps of a hundredth decide ties exactly.
  const scaled = value * 100
  const down = Math.floor(scaled)
  const exactHalf = value === (down + 0.5) / 100 && Number.isInteger((down + 0.5) * 2)
  const isTie = exactHalf && isDyadic(value)
  if (isTie) return (down % 2 === 0 ? down : down + 1) / 100
  return Number(value.toFixed(2))
}

/** Whether a decimal half of a hundredth is exact in binary: only odd multiples of 1/8 are. */
function isDyadic(value: number): boolean {
  return Number.isInteger(value * 8)
}
