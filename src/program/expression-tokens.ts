import { ModelFault } from '../base/index.ts'
import { decodeEscape, scanString } from './scan-string.ts'
import { matchAt } from './source.ts'
import { template } from './substitute.ts'
import type { TemplatePart } from './substitute.ts'

/** A word of an expression; `at` and `end` are offsets in its text. */
export type Token = { readonly at: number; readonly end: number } & (
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'text'; readonly parts: readonly TemplatePart[] }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'operator'; readonly operator: string }
  | { readonly type: 'end' }
)

const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const VARIABLE = /\{[ \t\u00a0]*([A-Za-z_][A-Za-z0-9_]*)[ \t\u00a0]*\}/y
const OPERATOR = /==|!=|<=|>=|\/\/|[<>+\-*/%()[\],]/y
const BLANKS = /\s*/y
const KEYWORDS = new Set(['and', 'or', 'xor', 'not', 'AND', 'OR', 'XOR', 'NOT', 'if', 'else', 'in'])

/** Spellings of other languages, with the way out. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/\*\*/y, 'There is no power; multiply instead.'],
  [/<>/y, 'Use !=.'],
  [/=/y, 'Use ==.'],
  [/&&?/y, 'Use and.'],
  [/\|\|?/y, 'Use or.'],
  [/\^/y, 'Use xor.'],
  [/!/y, 'Use not.'],
  [/\?/y, "Use 'a' if condition else 'b'."],
  [/[\u2018-\u201f]/y, 'Use \' or " as quotes.'],
  [/\{[ \t\u00a0]*[A-Za-z_]\w*[ \t\u00a0]*[:!]/y, 'No format specifications; use round.'],
  [/\{[ \t\u00a0]*[A-Za-z_]\w*[ \t\u00a0]*[.[]/y, 'No attributes or indexing; write {NAME}.'],
  [/\{/y, 'Write {NAME} with the name of a variable.'],
  [/\./y, 'No attributes; numbers begin with a digit.'],
]

/** @throws ModelFault `X_SYNTAX` with `fields.at` */
export function syntaxFault(message: string, at: number, hint?: string, length = 1): ModelFault {
  return new ModelFault('X_SYNTAX', message, {
    fields: { at, length },
    ...(hint === undefined ? {} : { cure: hint }),
  })
}

/** Splits an expression into words. @throws ModelFault `X_SYNTAX` */
export function expressionTokens(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at += matchAt(BLANKS, text, at, text.length)?.length ?? 0
    if (at >= text.length) break
    const token = readToken(text, at)
    tokens.push(token)
    at = token.end
  }
  tokens.push({ type: 'end', at: text.length, end: text.length })
  return tokens
}

function readToken(text: string, at: number): Token {
  for (const [pattern, hint] of FOREIGN.slice(0, 2)) refuse(pattern, hint, text, at)
  const operator = matchAt(OPERATOR, text, at, text.length)
  if (operator !== undefined) return { type: 'operator', operator, at, end: at + operator.length }
  const unit = text.charAt(at)
  if (unit === "'" || unit === '"') return readText(text, at, at)
  if (/\d/.test(unit)) return readNumber(text, at)
  const name = matchAt(NAME, text, at, text.length)
  if (name !== undefined) return readWord(text, at, name)
  const variable = matchAt(VARIABLE, text, at, text.length)
  if (variable !== undefined) {
    return { type: 'variable', name: variable.slice(1, -1).trim(), at, end: at + variable.length }
  }
  for (const [pattern, hint] of FOREIGN) refuse(pattern, hint, text, at)
  const found = String.fromCodePoint(text.codePointAt(at) ?? 0)
  throw syntaxFault(`unexpected "${found}"`, at)
}

function refuse(pattern: RegExp, hint: string, text: string, at: number): void {
  const found = matchAt(pattern, text, at, text.length)
  if (found !== undefined) throw syntaxFault(`unexpected "${found}"`, at, hint, found.length)
}

function readNumber(text: string, at: number): Token {
  const digits = matchAt(NUMBER, text, at, text.length) ?? ''
  const end = at + digits.length
  const value = Number(digits)
  if (/[A-Za-z0-9_.]/.test(text.charAt(end)) || !Number.isFinite(value)) {
    const run = matchAt(/[A-Za-z0-9_.]+/y, text, at, text.length) ?? digits
    throw syntaxFault(`"${run}" is not a number`, at, 'Write numbers like 3 or 0.5.', run.length)
  }
  return { type: 'number', value, at, end }
}

function readWord(text: string, at: number, name: string): Token {
  const end = at + name.length
  const quote = text.charAt(end)
  if (quote === "'" || quote === '"') {
    if (name === 'f' || name === 'F') return readText(text, at, end)
    if (/^(?:[rbu]|rb|br|fr|rf)$/i.test(name)) {
      throw syntaxFault(`the prefix "${name}" before a text`, at, 'Write the text without it.')
    }
  }
  if (KEYWORDS.has(name)) return { type: 'operator', operator: name.toLowerCase(), at, end }
  return { type: 'name', name, at, end }
}

function readText(text: string, at: number, open: number): Token {
  const found = scanString(text, open, text.length)
  if (!found.ok) {
    const triple = found.code === 'P_TRIPLE_QUOTE'
    throw syntaxFault(
      triple ? 'a text in tripled quotes' : 'a text without its closing quote',
      open,
    )
  }
  return {
    type: 'text',
    parts: templateOfSource(text, open, found.end, found.text),
    at,
    end: found.end,
  }
}

/** The parts of a text; offsets are those of the expression, exact when nothing was escaped. */
function templateOfSource(
  text: string,
  open: number,
  end: number,
  decoded: string,
): readonly TemplatePart[] {
  const starts: number[] = []
  for (let i = open + 1; i < end - 1;) {
    const escape = text.charAt(i) === '\\' ? decodeEscape(text, i, end - 1) : undefined
    for (let k = 0; k < (escape?.text.length ?? 1); k++) starts.push(i)
    i += escape?.length ?? 1
  }
  const offset = (index: number): number => starts[index] ?? end - 1
  return template(decoded).map((part) =>
    part.type === 'text' ? part : { ...part, from: offset(part.from), to: offset(part.to - 1) + 1 },
  )
}
