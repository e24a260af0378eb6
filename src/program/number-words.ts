const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** The number that English words from zero to 999 name, such as `two hundred and five`. */
export function numberWord(text: string): number | undefined {
  if (text.length > 40 || !/^[a-z]/.test(text)) return undefined
  const words = text.split(/[\s-]+/)
  if (words[1] !== 'hundred') return words[0] === 'hundred' ? undefined : belowHundred(words)
  const hundreds = words[0] === 'a' ? 1 : UNITS.indexOf(words[0] ?? '')
  if (hundreds < 1 || hundreds > 9) return undefined
  const rest = words.slice(words[2] === 'and' ? 3 : 2)
  if (rest.length === 0) return words.length === 2 ? hundreds * 100 : undefined
  const below = belowHundred(rest)
  return below === undefined || below === 0 ? undefined : hundreds * 100 + below
}

function belowHundred(words: readonly string[]): number | undefined {
  const [first = '', second] = words
  if (words.length === 1) {
    const unit = UNITS.indexOf(first)
    if (unit >= 0) return unit
  }
  const tens = TENS.indexOf(first)
  if (tens < 0 || words.length > 2) return undefined
  if (second === undefined) return (tens + 2) * 10
  const unit = UNITS.indexOf(second)
  return unit >= 1 && unit <= 9 ? (tens + 2) * 10 + unit : undefined
}
