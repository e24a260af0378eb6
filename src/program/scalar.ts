import { isImage, isList, isObject } from './kind.ts'
import { numberWord } from './number-words.ts'
import type { Value } from './value.ts'

const DIGITS = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
])
const TOLERANCE = 1e-9

/** The truth of a bool or of yes, no, true, false in any letter case; else undefined. */
export function boolLike(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value
  return typeof value === 'string' ? TRUTHS.get(value.trim().toLowerCase()) : undefined
}

/** The number in a number, in digits, in a number word up to 999, or in none (0); else undefined. */
export function numberLike(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (value === null) return 0
  if (typeof value !== 'string') return undefined
  const text = value.trim().toLowerCase()
  if (!DIGITS.test(text)) return text === 'none' ? 0 : numberWord(text)
  const number = Number(text.replaceAll(',', ''))
  return Number.isFinite(number) ? number : undefined
}

/** A number for arithmetic: Bool-like values count 1 and 0; undefined for anything else. */
export function asNumber(value: Value): number | undefined {
  const truth = boolLike(value)
  return truth === undefined ? numberLike(value) : Number(truth)
}

/** The truth of a value in a logical context; undefined where it has none. */
export function asTruth(value: Value): boolean | undefined {
  const truth = boolLike(value)
  if (truth !== undefined) return truth
  if (isList(value)) return value.length > 0
  const number = numberLike(value)
  return number === undefined ? undefined : number !== 0
}

/** Equality of numbers with relative tolerance 1e-9. */
export function closeTo(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

/** Texts are compared trimmed, with blanks collapsed and letter case ignored. */
export function comparable(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase()
}

/**
 * Equality by kind: truths, numbers, texts, lists item by item, pictures and objects by identity;
 * anything else is unequal.
 *
 * @source program-language §7, "Kinds"
 */
export function equal(a: Value, b: Value): boolean {
  if (isList(a) || isList(b)) {
    if (!isList(a) || !isList(b) || a.length !== b.length) return false
    return a.every((item, i) => equal(item, b[i] ?? null))
  }
  if (isImage(a)) return isImage(b) && a.hash === b.hash && a.frame.id === b.frame.id
  if (isObject(a)) return isObject(b) && a.id === b.id
  if (isImage(b) || isObject(b)) return false
  return equalScalars(a, b)
}

function equalScalars(a: Value, b: Value): boolean {
  const [truthA, truthB] = [boolLike(a), boolLike(b)]
  if (truthA !== undefined && truthB !== undefined) return truthA === truthB
  const [numberA, numberB] = [numberLike(a), numberLike(b)]
  if (numberA !== undefined && numberB !== undefined) return closeTo(numberA, numberB)
  const mixed = (truthA ?? truthB) !== undefined && (numberA ?? numberB) !== undefined
  if (mixed) {
    const real = [a, b].some((side) => typeof side === 'boolean' || typeof side === 'number')
    return real && closeTo(asNumber(a) ?? NaN, asNumber(b) ?? NaN)
  }
  return typeof a === 'string' && typeof b === 'string' && comparable(a) === comparable(b)
}
