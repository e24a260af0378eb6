import { emojiNamed } from '../emoji.ts'
import { isOpen } from '../spans.ts'
import type { Token } from '../tokens.ts'

/** A run of tokens that names a thing. */
export interface ThingSpan {
  readonly start: number
  readonly end: number
}

/** A run that is bound as a whole, whatever its words are. */
export interface TakenSpan extends ThingSpan {
  readonly type: 'emoji' | 'clause'
}

/** Whether a word stands beside the things of a lesson, and so is no news. */
export type IsKnown = (canon: string) => boolean

/** What stands for a token whatever it says: two relations, two numbers, two colours look alike. */
function symbolOf(token: Token, isKnown: IsKnown): string {
  switch (token.cls) {
    case 'rel':
    case 'number':
    case 'color':
    case 'side':
    case 'kind':
      return token.cls.toUpperCase()
    case 'word':
      return isKnown(token.canon) ? token.canon : '?'
    default:
      return token.canon
  }
}

/** An instruction with its things, numbers, relations, sides and colours as bare marks. */
export function symbolsOf(
  tokens: readonly Token[],
  things: readonly ThingSpan[],
  isKnown: IsKnown,
  taken?: TakenSpan,
): readonly string[] {
  const symbols: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    const thing = things.find(({ start }) => start === i)
    const token = tokens[i]
    if (taken?.start === i) {
      symbols.push(taken.type.toUpperCase())
      i = taken.end - 1
    } else if (thing !== undefined) {
      symbols.push('THING')
      i = thing.end - 1
    } else if (token !== undefined && token.cls !== 'det') symbols.push(symbolOf(token, isKnown))
  }
  return symbols
}

/** What is seen of a whole instruction. */
export function sentenceFeatures(symbols: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  const pairs = symbols.map((symbol, i) => `${symbols[i - 1] ?? '^'} ${symbol}`)
  return [
    '',
    ...counts.keys(),
    ...pairs,
    ...[...counts].map(([symbol, count]) => `${symbol} ${Math.min(count, 3)}x`),
    `$${symbols.at(-1) ?? ''}`,
  ]
}

/** What is seen of one word that may belong to a thing. */
export function wordFeatures(
  tokens: readonly Token[],
  at: number,
  isKnown: IsKnown,
): readonly string[] {
  const token = tokens[at]
  if (token === undefined) return []
  const around = (offset: number): string => {
    const other = tokens[at + offset]
    if (other === undefined) return offset < 0 ? '^' : '$'
    return isOpen(other) ? (isKnown(other.canon) ? other.canon : 'open') : other.canon
  }
  const text = token.text.toLowerCase()
  const ending = /(?:ing|ed|ly|s)$/.exec(text)?.[0] ?? ''
  return [
    '',
    `cls ${token.cls}`,
    ...(isKnown(token.canon) ? [`is ${token.canon}`] : ['new']),
    `before ${around(-1)}`,
    `after ${around(1)}`,
    `before ${tokens[at - 1]?.cls ?? '^'} class`,
    `after ${tokens[at + 1]?.cls ?? '$'} class`,
    `between ${tokens[at - 1]?.cls ?? '^'} ${tokens[at + 1]?.cls ?? '$'}`,
    `two before ${around(-2)}`,
    `ends ${ending}`,
    `ends ${ending} before ${tokens[at - 1]?.cls ?? '^'}`,
  ]
}

/** What is seen of a thing that may have a role. */
export function roleFeatures(
  tokens: readonly Token[],
  things: readonly ThingSpan[],
  at: number,
): readonly string[] {
  const thing = things[at]
  if (thing === undefined) return []
  const symbols = (from: number, step: -1 | 1): readonly string[] => {
    const seen: string[] = []
    for (let i = from; seen.length < 2 && i >= 0 && i < tokens.length; i += step) {
      const token = tokens[i]
      if (token !== undefined && token.cls !== 'det' && token.cls !== 'aux') {
        seen.push(token.cls === 'rel' || isOpen(token) ? token.cls : token.canon)
      }
    }
    return [...seen, step < 0 ? '^' : '$', '']
  }
  const [before = '', further = ''] = symbols(thing.start - 1, -1)
  const [after = '', beyond = ''] = symbols(thing.end, 1)
  const determiner = tokens[thing.start - 1]
  const said = determiner?.cls === 'det' ? determiner.text.toLowerCase().replace(/^an$/, 'a') : ''
  const relation = tokens.findIndex(({ cls }) => cls === 'rel')
  return [
    `nth ${at} of ${things.length}`,
    `before ${before}`,
    `before ${further} ${before}`,
    `after ${after}`,
    `after ${after} ${beyond}`,
    `between ${before} ${after}`,
    `det ${said}`,
    relation === -1 ? 'no relation' : `relation ${relation < thing.start ? 'first' : 'then'}`,
  ]
}

/** The run that names an emoji, the word emoji in it; nothing where that word is not said. */
export function emojiRun(tokens: readonly Token[]): TakenSpan | undefined {
  const word = tokens.findIndex(({ canon }) => canon === 'EMOJI')
  if (word === -1) return undefined
  for (let start = Math.max(0, word - 5); start <= word; start++) {
    if (tokens[start]?.cls === 'det') continue
    const span = tokens.slice(start, word + 1)
    if (emojiNamed(span.map(({ text }) => text).join(' ')) !== undefined) {
      return { start, end: word + 1, type: 'emoji' }
    }
  }
  return { start: word, end: word + 1, type: 'emoji' }
}

const ENDS_CLAUSE: ReadonlySet<string> = new Set(['comma', 'conj', 'side', 'wh', 'picture'])

/** What is said of a thing after `that`, `which`, `something` or `one`, up to a comma or a question. */
export function clauseRun(tokens: readonly Token[]): TakenSpan | undefined {
  const word = tokens.findIndex(({ text }, i) => {
    const next = tokens[i + 1]?.cls ?? ''
    return /^(?:that|which|something|one|things?)$/i.test(text) && BEGINS_CLAUSE.has(next)
  })
  if (word === -1) return undefined
  const start = word + 1
  let end = start + 1
  while (end < tokens.length && !endsClause(tokens, end)) end++
  return { start, end, type: 'clause' }
}

const BEGINS_CLAUSE: ReadonlySet<string> = new Set(['word', 'aux', 'exist', 'verb'])

function endsClause(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || ENDS_CLAUSE.has(token.cls)) return true
  // "… that cuts. Does it stand …", "… that stores data. Say …", "… that cuts on the left".
  if (token.cls === 'aux')
    return next?.cls === 'pron' || next?.cls === 'det' || next?.cls === 'side'
  return token.canon === 'SAY'
}
