/**
 * `round(x, 2)` of a float: to the nearest hundredth of its exact binary value, ties to even.
 *
 * @source llava-plus §2.6
 */
export function round2(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value
  const [numerator, power] = fraction(Math.abs(value))
  const scaled = numerator * 100n
  const unit = 1n << power
  let whole = scaled / unit
  const rest = (scaled % unit) * 2n
  if (rest > unit || (rest === unit && whole % 2n === 1n)) whole += 1n
  const rounded = Number(`${whole / 100n}.${String(whole % 100n).padStart(2, '0')}`)
  return value < 0 || Object.is(value, -0) ? -rounded : rounded
}

/** The exact value of a positive double as `numerator / 2^power`. */
function fraction(value: number): readonly [numerator: bigint, power: bigint] {
  let power = 0n
  let rest = value
  while (!Number.isInteger(rest)) {
    rest *= 2
    power += 1n
  }
  return [BigInt(rest), power]
}

/** numpy's rounding to two decimals: times 100, ties to even, divided (for drawn boxes). */
export function numpyRound2(value: number): number {
  const scaled = value * 100
  const low = Math.floor(scaled)
  const rest = scaled - low
  const whole = rest < 0.5 ? low : rest > 0.5 ? low + 1 : low % 2 === 0 ? low : low + 1
  return whole / 100
}

/** Python's `str.strip()`: its own set of blanks, which has U+001C to U+001F and not U+FEFF. */
export function pythonStrip(text: string): string {
  const blank =
    '[\\t-\\r\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
  return text.replace(new RegExp(`^${blank}|${blank}$`, 'g'), '')
}
