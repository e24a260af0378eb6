import { singularPhrase } from '../../memory/index.ts'
import { isList, pythonRepr } from '../../tools/index.ts'
import type { PythonDict } from '../../tools/index.ts'
import type { AnswerFacts } from './answers.ts'

const WORDS: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ eleven: 11, twelve: 12 },
}
const DENIES = /\b(?:no|not|none|nothing|neither|isn't|aren't|cannot|can't|don't|doesn't)\b/i

/**
 * What an answer in free words says that its result does not bear out; none for a good one. Numbers must be counts
 * of what was found or stand in the result, a denial must be one, texts are quoted as they were read, and what was
 * asked about is named.
 *
 * @source llava-plus §7.3 step 7
 */
export function unsupported(
  { wants, things, reply }: AnswerFacts,
  answer: string,
): readonly string[] {
  const said = answer.toLowerCase()
  const counts = things.map((thing) => countOf(thing, reply))
  const faults = [...wrongNumbers(said, counts, reply)]
  if (wants === 'count' || wants === 'exists' || wants === 'found' || wants === 'where') {
    for (const thing of things.filter((one) => !names(said, one))) {
      faults.push(`the answer does not name "${thing}"`)
    }
    const none = counts.every((count) => count === 0)
    if (none && !DENIES.test(said) && !/\b0\b/.test(said)) {
      faults.push('the answer does not say that nothing was found')
    }
    if (counts.every((count) => count > 0) && wants === 'exists' && DENIES.test(said)) {
      faults.push('the answer denies what was found')
    }
  }
  if (wants === 'texts') {
    const read = texts(reply, 'texts')
    const missing = read.filter((one) => !answer.includes(one))
    if (missing.length > 0) faults.push(`the answer leaves out ${JSON.stringify(missing[0])}`)
  }
  if (wants === 'tags' || wants === 'caption') {
    const told = String(reply.get(wants) ?? '').toLowerCase()
    const words = told.match(/[\p{L}]{4,}/gu) ?? []
    const kept = words.filter((word) => names(said, word)).length
    if (kept * 2 < words.length) faults.push('the answer leaves out most of the result')
  }
  return faults
}

function wrongNumbers(
  said: string,
  counts: readonly number[],
  reply: PythonDict,
): readonly string[] {
  const result = pythonRepr(reply).toLowerCase()
  const total = texts(reply, 'phrases').length
  const right = (number: number): boolean =>
    counts.includes(number) ||
    number === total ||
    new RegExp(`(?<![\\d.])${number}(?:\\.0+)?(?![\\d.])`).test(result)
  const digits = said.match(/\d+(?:\.\d+)?/g) ?? []
  const spelled = said.match(/\b[a-z]+\b/g) ?? []
  const numbers = [...digits.map(Number), ...spelled.flatMap((word) => WORDS[word] ?? [])]
  return [...new Set(numbers)].flatMap((number) =>
    right(number) ? [] : [`the number ${number} is not in the result`],
  )
}

function texts(reply: PythonDict, key: string): readonly string[] {
  const value = reply.get(key)
  return isList(value) ? value.map(String) : []
}

const countOf = (thing: string, reply: PythonDict): number =>
  texts(reply, 'phrases').filter((phrase) => phrase === thing).length

/** Whether a text names a thing, one or many. */
export function names(text: string, thing: string): boolean {
  const wanted = thing.toLowerCase()
  if (text.includes(wanted)) return true
  const words = text.match(/[\p{L}'-]+/gu) ?? []
  const size = wanted.split(' ').length
  return words.some((_, i) => singularPhrase(words.slice(i, i + size).join(' ')) === wanted)
}
