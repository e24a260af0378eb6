const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen'
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const VALUES = new Map<string, number>([
  ...SMALL.split(' ').map((word, i) => [word, i] as const),
  ...TENS.split(' ').map((word, i) => [word, (i + 2) * 10] as const),
])
const SETS: Readonly<Record<string, number>> = { pair: 2, couple: 2, dozen: 12, single: 1 }

/** The number that begins at a word, with how many words it takes: `three`, `twenty one`, `a pair of`, `7`. */
export function numberAt(
  words: readonly string[],
  at: number,
): { readonly value: number; readonly length: number } | undefined {
  const [first = '', second = '', third = ''] = words.slice(at, at + 3)
  if (/^\d{1,9}$/.test(first)) return { value: Number(first), length: 1 }
  const set = SETS[second]
  if (first === 'a' && set !== undefined) {
    return { value: set, length: third === 'of' ? 3 : 2 }
  }
  const value = VALUES.get(first)
  if (value === undefined) return undefined
  const unit = VALUES.get(second) ?? 0
  if (value >= 20 && unit > 0 && unit < 10) return { value: value + unit, length: 2 }
  if (second === 'hundred') return { value: value * 100, length: 2 }
  return { value, length: 1 }
}
