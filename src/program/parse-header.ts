import { isSmartQuote, readName, readNumber, readString, smartQuote } from './parse-value.ts'
import type { Scanner } from './scanner.ts'
import type { ForNode, Ident, NumberNode, Span, StringNode } from './syntax.ts'

/** What a `for` line says. */
export type Loop = Pick<ForNode, 'item' | 'list' | 'limit' | 'carries' | 'gathers'>

/** The line that opens, continues or closes a block; `broken` when it could not be read whole. */
export type Header = { readonly at: Span; readonly broken: boolean } & (
  | { readonly kind: 'if' | 'elif'; readonly condition: StringNode }
  | { readonly kind: 'else' | 'end' }
  | { readonly kind: 'for'; readonly loop: Loop }
)

const KEYWORD = /(?:if|elif|else|for|end)\b(?![ \t\u00a0]*=)/y

/** Reads a block header at the position, or gives undefined where none stands. */
export function readHeader(scan: Scanner): Header | undefined {
  const keyword = scan.match(KEYWORD)
  if (keyword === undefined) return undefined
  const begin = scan.at
  const at = scan.span(keyword.length)
  scan.at += keyword.length
  scan.blanks()
  switch (keyword) {
    case 'if':
    case 'elif': {
      const condition = readCondition(scan)
      const broken = condition === undefined
      return { kind: keyword, condition: condition ?? nothing(at), broken, at: upTo(scan, begin) }
    }
    case 'for': {
      const loop = readLoop(scan)
      return {
        kind: 'for',
        loop: loop ?? unknownLoop(at),
        broken: loop === undefined,
        at: upTo(scan, begin),
      }
    }
    default:
      if (keyword === 'else') colon(scan)
      return { kind: keyword === 'else' ? 'else' : 'end', broken: false, at }
  }
}

function upTo(scan: Scanner, begin: number): Span {
  return scan.spanAt(begin, Math.max(1, scan.at - begin))
}

function colon(scan: Scanner): void {
  scan.blanks()
  if (scan.peek() === ':') scan.at++
}

function readCondition(scan: Scanner): StringNode | undefined {
  const prefix = /f/i.test(scan.peek()) && /['"]/.test(scan.peek(1)) ? 1 : 0
  const quote = scan.peek(prefix)
  if (isSmartQuote(quote)) return smartQuote(scan)
  if (quote !== "'" && quote !== '"') {
    return scan.expected('a condition in quotes', 'Write it like if "{ANSWER0} > 0".')
  }
  const condition = readString(scan, scan.at + prefix, true)
  if (condition !== undefined) colon(scan)
  return condition
}

function readLoop(scan: Scanner): Loop | undefined {
  const item = readName(scan, 'the name of the loop variable')
  const list = item && afterWord(scan, 'in', 'the name of a list')
  if (item === undefined || list === undefined) return undefined
  let limit: NumberNode | null = null
  const carries: { name: Ident; from: Ident }[] = []
  const gathers: { item: Ident; into: Ident }[] = []
  for (;;) {
    scan.blanks()
    const clause = scan.match(/(?:limit|carry|gather)\b/y)
    if (clause === undefined) break
    if (clause === 'limit' && limit !== null) return scan.expected('one limit only')
    scan.at += clause.length
    scan.blanks()
    if (clause === 'limit') {
      limit = /[0-9+.-]/.test(scan.peek())
        ? (readNumber(scan) ?? null)
        : (scan.expected('a number') ?? null)
      if (limit === null) return undefined
    } else {
      const pair = readPair(scan, clause === 'carry' ? 'from' : 'as')
      if (pair === undefined) return undefined
      if (clause === 'carry') carries.push(Object.freeze({ name: pair[0], from: pair[1] }))
      else gathers.push(Object.freeze({ item: pair[0], into: pair[1] }))
    }
  }
  colon(scan)
  return { item, list, limit, carries: Object.freeze(carries), gathers: Object.freeze(gathers) }
}

function readPair(scan: Scanner, word: 'from' | 'as'): [Ident, Ident] | undefined {
  const first = readName(scan, 'the name of a variable')
  const second = first && afterWord(scan, word, 'the name of a variable')
  return first === undefined || second === undefined ? undefined : [first, second]
}

/** Reads a keyword such as `in`, then a name. */
function afterWord(scan: Scanner, word: string, expected: string): Ident | undefined {
  scan.blanks()
  if (scan.match(/[A-Za-z_]\w*/y) !== word) return scan.expected(`"${word}"`)
  scan.at += word.length
  scan.blanks()
  return readName(scan, expected)
}

function nothing(at: Span): StringNode {
  return Object.freeze({
    type: 'string',
    text: '',
    expression: true,
    at,
    map: null,
    start: at.offset,
  })
}

function unknownLoop(at: Span): Loop {
  const ident = Object.freeze({ name: '', at })
  return { item: ident, list: ident, limit: null, carries: [], gathers: [] }
}
