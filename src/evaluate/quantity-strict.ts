/** A number or a range as a scorer reads it. */
export type Range = readonly [low: number, high: number]
export type Quantity = number | Range

/** Digits of any script, superscripts included, count before a dash. */
const DIGIT = String.raw`[\p{Nd}\u00b2\u00b3\u00b9\u2070-\u2079]`
const DASH = new RegExp(`(?<=${DIGIT})-`, 'gu')
const TOKEN = /[-+]?\.?\p{Nd}+(?:,\p{Nd}{3})*\.?\p{Nd}*(?:[eE][-+]?\p{Nd}+)?/gu

/**
 * The official reading of a quantity, quirks kept: the first two tokens only, an unparsed text is [0, 0], number
 * words are not read, a leading point is lost.
 *
 * @source avis §15.1 (strict)
 */
export function parseQuantityStrict(text: string): Quantity {
  const numbers = [...text.replace(DASH, ' - ').matchAll(TOKEN)]
    .map(([token]) => readToken(token))
    .slice(0, 2)
  const [a, b] = numbers
  if (a === undefined) return [0, 0]
  if (b === undefined) return a
  return a <= b ? [a, b] : a
}

function readToken(token: string): number {
  const plain = [...token.replaceAll(',', '').replace(/^\.+|\.+$/g, '')]
    .map((letter) => (/\p{Nd}/u.test(letter) ? digitOf(letter) : letter))
    .join('')
  const parts = plain.split('.')
  return Number(parts.length > 2 ? `${parts[0]}.${parts[1]}` : plain)
}

/** Decimal digits of a script stand in rows of ten. */
function digitOf(letter: string): string {
  if (/[0-9]/.test(letter)) return letter
  const code = letter.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}
