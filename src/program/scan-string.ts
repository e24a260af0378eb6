import { isBlank, isNewline, matchAt, skipBlanks } from './source.ts'

/** A string read from the text: its decoded value, or where and why it cannot be read. */
export type ScannedString =
  | {
      readonly ok: true
      readonly text: string
      /** Source offset of each unit of `text`; null when they follow one another from `start`. */
      readonly map: readonly number[] | null
      readonly start: number
      /** Offset after the closing quote. */
      readonly end: number
      readonly warnings: readonly StringWarning[]
    }
  | {
      readonly ok: false
      readonly code: 'P_UNTERMINATED_STRING' | 'P_TRIPLE_QUOTE'
      readonly warnings: readonly StringWarning[]
    }

export interface StringWarning {
  readonly code: 'W_ESCAPE' | 'W_APOSTROPHE'
  readonly offset: number
  readonly length: number
}

export interface ScanOptions {
  /** Only the escaped delimiter is decoded; other backslash pairs are the expression's own. */
  readonly expression?: boolean
  /** Reads `'` between letters as an apostrophe. */
  readonly apostrophes?: boolean
}

const SIMPLE: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  n: '\n',
  r: '\r',
  t: '\t',
}
const UNICODE = /u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]{1,6}\})/y
const NAME_EQUALS = /[A-Za-z_][A-Za-z0-9_]*[ \t\u00a0]*=/y
const LETTER = /\p{L}/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** Reads the string whose opening quote stands at `open`; it must end on its line. */
export function scanString(
  text: string,
  open: number,
  end: number,
  options: ScanOptions = {},
): ScannedString {
  const quote = text.charAt(open)
  const warnings: StringWarning[] = []
  if (text.startsWith(quote.repeat(3), open)) return { ok: false, code: 'P_TRIPLE_QUOTE', warnings }
  const out = new Decoded(open + 1)
  let i = open + 1
  while (i < end && !isNewline(text.charCodeAt(i))) {
    const unit = text.charAt(i)
    if (unit === '\\') {
      i = readEscape(text, i, end, quote, out, warnings, options.expression === true)
    } else if (unit === quote) {
      if (!(options.apostrophes === true && quote === "'" && isApostrophe(text, i, end))) {
        return { ok: true, ...out.finish(), end: i + 1, warnings }
      }
      warnings.push({ code: 'W_APOSTROPHE', offset: i, length: 1 })
      out.add(unit, i++)
    } else {
      out.add(unit, i++)
    }
  }
  return { ok: false, code: 'P_UNTERMINATED_STRING', warnings }
}

/** Reads the backslash at `i` and what belongs to it; gives the offset after it. */
function readEscape(
  text: string,
  i: number,
  end: number,
  quote: string,
  out: Decoded,
  warnings: StringWarning[],
  expression: boolean,
): number {
  const next = i + 1 < end ? text.charAt(i + 1) : ''
  if (next === '' || isNewline(next.charCodeAt(0))) {
    out.add('\\', i)
    return i + 1
  }
  if (expression) {
    if (next !== quote) out.add('\\', i)
    out.add(next, next === quote ? i : i + 1)
    return i + 2
  }
  const decoded = decodeEscape(text, i, end)
  if (decoded === undefined) {
    warnings.push({ code: 'W_ESCAPE', offset: i, length: 2 })
    out.add('\\', i)
    return i + 1
  }
  out.add(decoded.text, i)
  return i + decoded.length
}

/** What the escape at `i` stands for and how long it is, or undefined for a mere backslash. */
export function decodeEscape(
  text: string,
  i: number,
  end: number,
): { readonly text: string; readonly length: number } | undefined {
  const letter = text.charAt(i + 1)
  const simple = i + 1 < end && Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined
  if (simple !== undefined) return { text: simple, length: 2 }
  const unicode = matchAt(UNICODE, text, i + 1, end)
  if (unicode === undefined) return undefined
  const point = parseInt(unicode.replace(/[u{}]/g, ''), 16)
  if (point > 0x10ffff) return undefined
  return { text: String.fromCodePoint(point), length: 1 + unicode.length }
}

/** Decoded text with the source offset of each unit. */
class Decoded {
  readonly #start: number
  readonly #units: string[] = []
  readonly #offsets: number[] = []
  #shifted = false

  constructor(start: number) {
    this.#start = start
  }

  add(text: string, offset: number): void {
    this.#units.push(text)
    for (let k = 0; k < text.length; k++) {
      if (offset !== this.#start + this.#offsets.length) this.#shifted = true
      this.#offsets.push(offset)
    }
  }

  finish(): { text: string; map: readonly number[] | null; start: number } {
    return {
      text: this.#units.join('').toWellFormed().normalize('NFC'),
      map: this.#shifted ? Object.freeze(this.#offsets) : null,
      start: this.#start,
    }
  }
}

/**
 * True when the `'` at `i` inside a `'…'` string belongs to a word: `the cat's`, `the boys' kite`,
 * but not before `NAME =`.
 */
function isApostrophe(text: string, i: number, end: number): boolean {
  if (!LETTER_OR_DIGIT.test(characterBefore(text, i))) return false
  if (LETTER.test(characterAt(text, i + 1, end))) return true
  const word = skipBlanks(text, i + 1, end)
  if (word === i + 1 || !isBlank(text.charCodeAt(i + 1))) return false
  if (!LETTER_OR_DIGIT.test(characterAt(text, word, end))) return false
  return matchAt(NAME_EQUALS, text, word, end) === undefined
}

function characterAt(text: string, i: number, end: number): string {
  const point = i < end ? text.codePointAt(i) : undefined
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, i: number): string {
  const low = text.charCodeAt(i - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && i >= 2
  return characterAt(text, pair ? i - 2 : i - 1, i)
}
