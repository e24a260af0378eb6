const WORDS =
  'zero,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen,seventeen,eighteen,nineteen,twenty'.split(
    ',',
  )

/** Matches a number in digits or words up to twenty. */
export const NUMBER_PATTERN = `(?:\\d+|${WORDS.join('|')})`

/** The value of a number in digits or words, or undefined. */
export function numberOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word)
  const at = WORDS.indexOf(word)
  return at < 0 ? undefined : at
}
