import type { Quantity } from './quantity-strict.ts'

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  billion: 1e9,
}

const WORD = `(?:${TENS.join('|')})(?:[- ](?:${ONES.slice(1, 10).join('|')}))?|${[...ONES].reverse().join('|')}|a dozen`
const SPACE = '[\\u00a0\\u2009\\u202f]'
const FIGURE = `(?:\\d+(?:${SPACE}\\d{3})+|[\\d,]*\\d[\\d,]*)?(?:\\.[\\d.,]*\\d)?(?:[eE][-+]?\\d+)?`
const NUMBER = new RegExp(
  `(?<![\\p{L}\\d])([-+−]?)((?=[\\d.,]*\\d)${FIGURE})|(?<![\\p{L}])(${WORD})(?![\\p{L}])|(?<=\\p{L}[-−]?)()((?=\\d)${FIGURE})`,
  'giu',
)

interface Found {
  readonly value: number
  readonly start: number
  readonly end: number
  readonly scale: number
}

/**
 * What a careful person reads: number words, magnitudes, thousands and decimals by their marks, ranges with a
 * connector, the first number otherwise; text in parentheses only when there is nothing else.
 *
 * @returns undefined when no number stands in it
 * @source avis §15.1 (sane)
 */
export function parseQuantitySane(text: string): Quantity | undefined {
  const outside = text.replace(/\([^)]*\)/g, (part) => ' '.repeat(part.length))
  return readQuantity(outside) ?? readQuantity(text)
}

function readQuantity(text: string): Quantity | undefined {
  const found = numbersOf(text)
  const [first, second] = found
  if (first === undefined) return undefined
  if (second === undefined || !isRange(text, first, second)) return first.value * first.scale
  // "1.5 to 2 million": the magnitude stands once and means both.
  const scale = first.scale === 1 ? second.scale : first.scale
  const [a, b] = [first.value * scale, second.value * second.scale]
  return a <= b ? [a, b] : [b, a]
}

function numbersOf(text: string): readonly Found[] {
  const found: Found[] = []
  for (const match of text.matchAll(NUMBER)) {
    const [whole, sign = '', figure, word, , glued] = match
    const value =
      word !== undefined ? wordValue(word.toLowerCase()) : figureValue(figure ?? glued ?? '')
    if (value === undefined) continue
    const end = match.index + whole.length
    const scale = /^[\s-]*(hundred|thousand|million|billion)\b/i.exec(text.slice(end))
    const factor = SCALES[scale?.[1]?.toLowerCase() ?? ''] ?? 1
    const isNegative = /[-−]/.test(sign) && !connects(text, match.index, found.at(-1))
    const signed = isNegative ? -value : value
    const length = scale?.[0].length ?? 0
    found.push({ value: signed, start: match.index, end: end + length, scale: factor })
  }
  return found
}

/** A dash between two numbers joins them; it is no sign then. */
function connects(text: string, at: number, before: Found | undefined): boolean {
  return before !== undefined && /^\s*$/.test(text.slice(before.end, at))
}

function isRange(text: string, { start, end }: Found, second: Found): boolean {
  const between = text.slice(end, second.start)
  const dashed = /^\s*[^\d\s]{0,12}\s*(?:[-–—−]|\bto\b)\s*\D{0,3}$/iu.test(between)
  const signed = /^\s*$/.test(between) && /[-−]/.test(text[second.start] ?? '')
  const joined =
    /\bbetween\s+\D{0,3}$/i.test(text.slice(0, start)) &&
    /^\s*[^\d]{0,12}\band\b\s*\D{0,3}$/i.test(between)
  return dashed || signed || joined
}

function wordValue(word: string): number {
  if (word === 'a dozen') return 12
  const [ten = '', one] = word.split(/[- ]/)
  if (!TENS.includes(ten)) return ONES.indexOf(word)
  return (TENS.indexOf(ten) + 2) * 10 + (one === undefined ? 0 : ONES.indexOf(one))
}

/** The value of a figure by its marks; undefined where they make no number. */
function figureValue(text: string): number | undefined {
  const figure = text.replace(/[\u00a0\u2009\u202f]/g, '').replace(/[.,]+$/, '')
  if ((figure.match(/\./g) ?? []).length > 1 || figure === '') return undefined
  if (!figure.includes(',')) return finite(Number(figure.startsWith('.') ? `0${figure}` : figure))
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(figure))
    return finite(Number(figure.replaceAll(',', '')))
  return /^\d+,\d{1,2}$/.test(figure) ? finite(Number(figure.replace(',', '.'))) : undefined
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined)
