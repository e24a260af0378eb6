import type { RunOutcome } from '../program/index.ts'
import { numberLike } from '../program/index.ts'
import { singular } from '../tools/index.ts'

const ARTICLES = /\b(?:an?|the)\b/g
const YES = new Set(['yes', 'true', 'yeah', 'yep'])
const NO = new Set(['no', 'false', 'nope'])

/**
 * An answer for comparison: lower case, without articles and punctuation, number words in digits, the
 * last word singular, `true`/`false` as `yes`/`no`.
 *
 * @source clova §8 (gqa, normalised)
 */
export function normaliseAnswer(answer: string): string {
  const plain = answer
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s.]|\.(?!\d)/gu, ' ')
    .replace(ARTICLES, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (YES.has(plain)) return 'yes'
  if (NO.has(plain)) return 'no'
  const number = numberLike(plain)
  if (number !== undefined) return String(number)
  const words = plain.split(' ')
  return [...words.slice(0, -1), singular(words.at(-1) ?? '')].join(' ')
}

/** True when two answers say the same. */
export function sameAnswer(a: string, b: string): boolean {
  return normaliseAnswer(a) === normaliseAnswer(b)
}

/** True when a run came out as wished; a failure never does. */
export function agrees(outcome: RunOutcome, answer: string): boolean {
  if (outcome.status !== 'done' || outcome.answer === undefined) return false
  return sameAnswer(outcome.answer, answer)
}
