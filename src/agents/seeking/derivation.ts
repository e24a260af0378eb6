import { evaluate, stateOf } from '../../program/index.ts'
import { convert, convertedText, quantities, sameQuantity, unitKind } from './quantity.ts'
import type { Quantity } from './quantity.ts'
import type { AnswerType, Decomposition, Derivation, Rejection } from './types.ts'

export interface Derived {
  readonly value: string
  /** As its source writes it, when it was converted. */
  readonly shown: string
  readonly derivation: Derivation
}

export type DerivedOr = Derived | { readonly rejected: Rejection }

/**
 * How a value follows from its quotes, checked by code: literally, as a number, in another unit, as a date,
 * by arithmetic over quoted numbers, as a choice, or (labelled so) by judgement.
 *
 * @source avis §6 (3 type, 4 derivation, 5 unit)
 */
export function deriveValue(
  value: string,
  quotes: readonly string[],
  asked: Pick<Decomposition, 'answerType' | 'unit'> & { readonly choices?: readonly string[] },
): DerivedOr {
  const { answerType, unit } = asked
  const joined = quotes.join('\n')
  if (!fitsType(value, answerType)) return { rejected: 'type' }
  if (unit !== undefined && answerType === 'number') return inUnit(value, quotes, unit)
  if (containsWhole(joined, value)) return { value, shown: value, derivation: 'literal' }
  const number = numberOf(value, joined)
  if (number !== undefined) return { value, shown: number, derivation: 'number' }
  const converted = sameInOtherUnit(value, joined)
  if (converted !== undefined) return { value, shown: converted, derivation: 'unit' }
  const date = dateIn(value, joined)
  if (date !== undefined) return { value, shown: date, derivation: 'date' }
  const arithmetic = arithmeticOf(value, joined)
  if (arithmetic !== undefined) return { value: arithmetic, shown: value, derivation: 'arithmetic' }
  if (answerType === 'choice' && (asked.choices ?? []).some((one) => level(one) === level(value))) {
    return { value, shown: value, derivation: 'choice' }
  }
  const judged = answerType === 'yesno' || (answerType === 'text' && !/\d/.test(value))
  return judged && joined.trim() !== ''
    ? { value, shown: value, derivation: 'judgement' }
    : { rejected: 'underived' }
}

/** Whether a value can answer the kind of question: a number has a figure, a date a figure or a month. */
export function fitsType(value: string, type: AnswerType): boolean {
  const text = value.trim()
  if (text === '' || text.length > 300) return false
  switch (type) {
    case 'number':
      return quantities(text).length > 0 || /[=+*/]/.test(text)
    case 'date':
      return /\d/.test(text) || MONTHS.some((month) => text.toLowerCase().includes(month))
    case 'yesno':
      return /^(?:yes|no|true|false)\b/i.test(text)
    case 'person':
    case 'place':
    case 'name':
    case 'choice':
      return /\p{L}/u.test(text)
    case 'text':
      return true
    default:
      return type satisfies never
  }
}

/** Case, dashes, quotation marks and spaces levelled. */
export function level(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/\s*-\s*/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Whether a text holds a value as whole tokens: "26" is not in "1926", nor in "26.5". */
export function containsWhole(text: string, value: string): boolean {
  const [hay, needle] = [level(text), level(value)]
  if (needle === '') return false
  for (let at = hay.indexOf(needle); at !== -1; at = hay.indexOf(needle, at + 1)) {
    const [before, after] = [hay.slice(0, at), hay.slice(at + needle.length)]
    const startsWord = /^[\p{L}\p{N}]/u.test(needle)
    const endsWord = /[\p{L}\p{N}]$/u.test(needle)
    const joinedBefore = startsWord && (/[\p{L}\p{N}]$/u.test(before) || /\d[.,]$/.test(before))
    const joinedAfter = endsWord && (/^[\p{L}\p{N}]/u.test(after) || /^[.,]\d/.test(after))
    if (!joinedBefore && !joinedAfter) return true
  }
  return false
}

function numberOf(value: string, text: string): string | undefined {
  const [asked, ...more] = quantities(value)
  if (asked === undefined || more.length > 0 || asked.unit !== undefined) return undefined
  if (value.replace(asked.text, '').trim() !== '') return undefined
  const found = quantities(text).find((one) => one.low === asked.low && one.high === asked.high)
  return found === undefined ? undefined : found.text
}

function sameInOtherUnit(value: string, text: string): string | undefined {
  const [asked] = quantities(value)
  if (asked?.unit === undefined) return undefined
  const found = quantities(text).find((one) => one.unit !== undefined && sameQuantity(asked, one))
  return found?.text
}

/** A value where a unit is asked: written in it, or converted to it; what names no unit takes the quote's. */
function inUnit(value: string, quotes: readonly string[], unit: string): DerivedOr {
  const asked = quantities(value)[0]
  const found = quotes.flatMap((quote) => quantities(quote))
  const measured = found.filter(
    (one) => one.unit !== undefined && unitKind(one.unit) === unitKind(unit),
  )
  const matches = (one: Quantity): boolean => {
    if (asked === undefined) return false
    if (asked.unit !== undefined) return sameQuantity(asked, one)
    const converted = sameQuantity({ ...asked, unit }, one)
    return converted || (one.low === asked.low && one.high === asked.high)
  }
  const source = measured.find((one) => one.unit === unit && matches(one)) ?? measured.find(matches)
  if (source?.unit === undefined) {
    return { rejected: found.length > 0 && measured.length === 0 ? 'unit' : 'underived' }
  }
  if (source.unit === unit) {
    const literal = containsWhole(quotes.join('\n'), value)
    const shown = literal && asked?.unit === undefined ? `${value} ${unit}` : value
    return { value: shown, shown: source.text, derivation: literal ? 'literal' : 'number' }
  }
  const text = convertedText(source, unit)
  if (text === undefined || convert(source.low, source.unit, unit) === undefined) {
    return { rejected: 'unit' }
  }
  return { value: text, shown: source.text, derivation: 'unit' }
}

export const MONTHS: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')

interface DayDate {
  readonly year?: number
  readonly month?: number
  readonly day?: number
}

/** Dates of a text: 4 May 1887, May 4, 1887, 1887-05-04, 1887. */
export function datesIn(text: string): readonly (DayDate & { readonly text: string })[] {
  const names = MONTHS.map((month) => `${month}|${month.slice(0, 3)}\\.?`).join('|')
  const patterns: readonly (readonly [RegExp, (m: RegExpExecArray) => DayDate])[] = [
    [
      new RegExp(
        `\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?(${names})(?:,?\\s+(\\d{3,4}))?\\b`,
        'gi',
      ),
      (m) => ({ day: Number(m[1]), month: monthOf(m[2]), ...yearOf(m[3]) }),
    ],
    [
      new RegExp(`\\b(${names})\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{3,4}))?\\b`, 'gi'),
      (m) => ({ day: Number(m[2]), month: monthOf(m[1]), ...yearOf(m[3]) }),
    ],
    [
      /\b(\d{4})-(\d{2})-(\d{2})\b/g,
      (m) => ({ year: Number(m[1]), month: Number(m[2]), day: Number(m[3]) }),
    ],
    [/(?<![\d.,-])\b(1\d{3}|20\d{2}|[5-9]\d{2})\b(?![\d,.]\d)/g, (m) => ({ year: Number(m[1]) })],
  ]
  return patterns.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)].map((m) => ({ ...read(m), text: m[0] })),
  )
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((month) => month.startsWith((name ?? '?').slice(0, 3).toLowerCase())) + 1
}

function yearOf(text: string | undefined): { year: number } | object {
  return text === undefined ? {} : { year: Number(text) }
}

/** The date of a text that a value states in another form, or whose year it is. */
function dateIn(value: string, text: string): string | undefined {
  const [asked] = datesIn(value)
  if (asked?.year === undefined && asked?.day === undefined) return undefined
  const same = (a: number | undefined, b: number | undefined): boolean => a === undefined || a === b
  return datesIn(text).find(
    (one) => same(asked.year, one.year) && same(asked.month, one.month) && same(asked.day, one.day),
  )?.text
}

/** The value of an expression whose numbers all stand in the quotes, by the language's own EVAL. */
function arithmeticOf(value: string, text: string): string | undefined {
  const [expression = '', stated] = value.split('=').map((part) => part.trim())
  if (!/^[\d.\s+*/()-]+$/.test(expression) || !/[+*/-]/.test(expression)) return undefined
  const known = quantities(text).flatMap(({ low, high }) => [low, high])
  const operands = expression.match(/\d+(?:\.\d+)?/g)?.map(Number) ?? []
  if (operands.length < 2 || operands.some((one) => !known.includes(one))) return undefined
  try {
    const result = evaluate(expression, stateOf({}), { where: 'arithmetic' })
    if (typeof result !== 'number' || !Number.isFinite(result)) return undefined
    const said = stated === undefined ? undefined : Number(stated.replace(/[^\d.-]/g, ''))
    return said === undefined || Math.abs(said - result) <= 1e-9 * Math.abs(result)
      ? String(result)
      : undefined
  } catch {
    // Not an expression of the language: then the value is not derived by arithmetic.
    return undefined
  }
}
