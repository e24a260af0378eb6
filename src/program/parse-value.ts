import { hintNested } from './hints.ts'
import type { Scanner } from './scanner.ts'
import { scanString } from './scan-string.ts'
import type { Ident, ListNode, StringNode, ValueNode } from './syntax.ts'

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NUMBER_RUN = /[-+]?[0-9A-Za-z_.]*(?:(?<=[eE])[+-]\d+)?/y
const SMART_QUOTES = /[\u2018-\u201f\u00ab\u00bb\u2039\u203a]/
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['none', null],
  ['null', null],
])
const MAX_NAME = 64
const MAX_STRING = 2000
const MAX_NESTING = 4

/** Reads a name, or reports what was expected and gives undefined. */
export function readName(scan: Scanner, expected: string): Ident | undefined {
  const name = scan.match(NAME)
  if (name === undefined) return scan.expected(expected)
  const at = scan.span(name.length)
  if (name.length > MAX_NAME) {
    scan.report('P_LIMIT', `a name of ${name.length} characters; at most ${MAX_NAME}`, at)
  }
  scan.at += name.length
  return Object.freeze({ name, at })
}

/** Reads one value; undefined after an error that was reported. */
export function readValue(scan: Scanner, expression: boolean, depth = 0): ValueNode | undefined {
  const unit = scan.peek()
  if (unit === '[') return readList(scan, expression, depth + 1)
  if (unit === "'" || unit === '"') return readString(scan, scan.at, expression)
  if (SMART_QUOTES.test(unit)) return smartQuote(scan)
  if (/[0-9+.-]/.test(unit)) return readNumber(scan)
  const name = scan.match(NAME)
  if (name === undefined) {
    return scan.expected('a value: a name, a quoted text, a number, True, False, None or a list')
  }
  const quote = scan.peek(name.length)
  if (quote === "'" || quote === '"') {
    if (name === 'f' || name === 'F') return readString(scan, scan.at + 1, expression)
    if (/^(?:[rbu]|rb|br|fr|rf)$/i.test(name)) {
      const hint = 'Write the text without a letter before the quote.'
      scan.report('P_STRING_PREFIX', `the prefix "${name}" before a text`, scan.span(1), hint)
      return undefined
    }
  }
  return readWord(scan, name)
}

function readWord(scan: Scanner, name: string): ValueNode | undefined {
  const at = scan.span(name.length)
  if (CONSTANTS.has(name)) {
    scan.at += name.length
    return Object.freeze({ type: 'constant', value: CONSTANTS.get(name) ?? null, at })
  }
  const ident = readName(scan, 'a name')
  if (ident === undefined) return undefined
  scan.blanks()
  if (scan.peek() === '(') {
    scan.report('P_NESTED_CALL', `a call of ${name} inside another call`, at, hintNested)
    return undefined
  }
  return Object.freeze({ type: 'name', name: ident.name, at: ident.at })
}

/** Reads a quoted text at `open` (the prefix `f` changes nothing). */
export function readString(
  scan: Scanner,
  open: number,
  expression: boolean,
): StringNode | undefined {
  const begin = scan.at
  const found = scanString(scan.text, open, scan.end, { expression, apostrophes: true })
  for (const warning of found.warnings) {
    scan.report(
      warning.code,
      warning.code === 'W_ESCAPE'
        ? 'a backslash that escapes nothing; kept as a character'
        : "an unescaped ' inside a text; read as an apostrophe",
      scan.spanAt(warning.offset, warning.length),
    )
  }
  if (!found.ok) {
    const triple = found.code === 'P_TRIPLE_QUOTE'
    scan.at = open
    scan.report(
      found.code,
      triple ? 'a text in tripled quotes' : 'a text without its closing quote on this line',
      scan.span(triple ? 3 : 1),
      triple ? 'Put the text in single or double quotes.' : 'Close the text on its own line.',
    )
    return undefined
  }
  scan.at = found.end
  const at = scan.spanAt(begin, found.end - begin)
  if (found.text.length > MAX_STRING) {
    const size = found.text.length
    scan.report('P_LIMIT', `a text of ${size} characters; at most ${MAX_STRING}`, at)
  }
  const { text, map, start } = found
  return Object.freeze({ type: 'string', text, expression, at, map, start })
}

/** Reports a typographic quote where a text should begin. */
export function smartQuote(scan: Scanner): undefined {
  const hint = 'Use \' or " as quotes.'
  scan.report('P_SMART_QUOTE', `the typographic quote ${scan.peek()}`, scan.span(1), hint)
  return undefined
}

export function isSmartQuote(unit: string): boolean {
  return SMART_QUOTES.test(unit)
}

/** Reads a number such as `-1`, `2.5`, `1e3`; leading zeros are ignored. */
export function readNumber(scan: Scanner): Extract<ValueNode, { type: 'number' }> | undefined {
  const digits = scan.match(NUMBER)
  const run = scan.match(NUMBER_RUN) ?? scan.peek()
  const value = digits === undefined ? NaN : Number(digits)
  if (
    digits === undefined ||
    /[A-Za-z0-9_.]/.test(scan.peek(digits.length)) ||
    !Number.isFinite(value)
  ) {
    const hint = 'Write numbers like 3, -3 or 0.5.'
    scan.report('P_NUMBER', `"${run}", which is not a number`, scan.span(run.length || 1), hint)
    return undefined
  }
  const at = scan.span(digits.length)
  scan.at += digits.length
  return Object.freeze({ type: 'number', value: value === 0 ? 0 : value, at })
}

function readList(scan: Scanner, expression: boolean, depth: number): ListNode | undefined {
  const begin = scan.at
  if (depth > MAX_NESTING) {
    scan.report('P_LIMIT', `lists nested deeper than ${MAX_NESTING}`, scan.span(1))
    return undefined
  }
  scan.at++
  scan.blanksAndNewlines()
  const items: ValueNode[] = []
  while (scan.peek() !== ']') {
    const item = readValue(scan, expression, depth)
    if (item === undefined) return undefined
    items.push(item)
    if (!scan.separator(']', item)) return undefined
  }
  scan.at++
  const at = scan.spanAt(begin, scan.at - begin)
  return Object.freeze({ type: 'list', items: Object.freeze(items), at })
}
