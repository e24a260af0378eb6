import { diagnostic } from './diagnostic.ts'
import type { Diagnostic } from './diagnostic.ts'
import { hintIndex, hintQuote } from './hints.ts'
import { afterNewline, endOfLine, isNewline, matchAt, skipBlanks, source } from './source.ts'
import type { Source } from './source.ts'
import type { Span, ValueNode } from './syntax.ts'

/** A reading position in the text, with the diagnostics so far. Lives for one `parse`. */
export class Scanner {
  readonly text: string
  readonly end: number
  readonly diagnostics: Diagnostic[] = []
  /** Offset of the next unit to read. */
  at: number
  readonly #source: Source

  constructor(text: string, start: number, end: number) {
    this.text = text
    this.at = start
    this.end = end
    this.#source = source(text)
  }

  /** The unit `ahead` of the position, or '' at the end. */
  peek(ahead = 0): string {
    return this.at + ahead < this.end ? this.text.charAt(this.at + ahead) : ''
  }

  match(pattern: RegExp): string | undefined {
    return matchAt(pattern, this.text, this.at, this.end)
  }

  span(length = 1): Span {
    return this.#source.span(this.at, length)
  }

  spanAt(offset: number, length: number): Span {
    return this.#source.span(offset, length)
  }

  report(code: string, message: string, at: Span, hint?: string): void {
    this.diagnostics.push(diagnostic(code, message, at, { hint }))
  }

  /** Reports `P_EXPECTED` at the position. */
  expected(what: string, hint?: string, code = 'P_EXPECTED'): undefined {
    this.report(code, `expected ${what}, found ${this.found()}`, this.span(1), hint)
    return undefined
  }

  found(): string {
    if (this.at >= this.end) return 'the end of the text'
    if (isNewline(this.text.charCodeAt(this.at))) return 'the end of the line'
    const word = this.match(/[A-Za-z0-9_]{1,64}/y)
    return `"${word ?? String.fromCodePoint(this.text.codePointAt(this.at) ?? 0)}"`
  }

  blanks(): void {
    this.at = skipBlanks(this.text, this.at, this.end)
  }

  atLineEnd(): boolean {
    return this.at >= this.end || isNewline(this.text.charCodeAt(this.at))
  }

  /** Skips blanks, comments and newlines, where a newline may stand inside a call. */
  blanksAndNewlines(): void {
    for (;;) {
      this.blanks()
      const stop = this.peek() === '#' ? endOfLine(this.text, this.at, this.end) : this.at
      if (stop >= this.end || !isNewline(this.text.charCodeAt(stop))) return
      this.at = afterNewline(this.text, stop)
    }
  }

  skipLine(): void {
    this.at = endOfLine(this.text, this.at, this.end)
  }

  /**
   * After a value of a call or list: a comma (and what may follow it), or `close`, before which a
   * newline may stand. False after an error that was reported.
   */
  separator(close: ')' | ']', value: ValueNode): boolean {
    this.blanks()
    if (this.peek() === ',') {
      this.at++
      this.blanksAndNewlines()
      return true
    }
    const here = this.at
    this.blanksAndNewlines()
    if (this.peek() === close) return true
    this.at = here
    if (this.peek() === '[') {
      this.report('P_INDEX', 'an index after a value', this.span(1), hintIndex)
      return false
    }
    const quoted = value.type === 'string' && this.text.charAt(here - 1) !== '"'
    this.expected(`"," or "${close}"`, quoted ? hintQuote : undefined)
    return false
  }
}
