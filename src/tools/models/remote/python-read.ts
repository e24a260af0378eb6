import { ModelFault } from '../../../base/index.ts'
import type { PythonValue } from './python-value.ts'

/** Nesting at most; a text deeper than this is refused, not followed. */
const DEEPEST = 200

export interface ReadOptions {
  /** `json`: Python's JSON reader. `literal`: a Python literal (single quotes, True, trailing commas) too. */
  readonly as?: 'json' | 'literal'
}

/**
 * The value of a JSON text as Python reads it: spelling of numbers kept, `NaN` and `Infinity` allowed,
 * of equal keys the last wins.
 *
 * @throws ModelFault `E_WIRE_JSON` with the place
 */
export function readPython(text: string, { as = 'json' }: ReadOptions = {}): PythonValue {
  const reader = new Reader(text, as === 'literal')
  const value = reader.value(0)
  reader.blanks()
  if (reader.at < text.length) throw reader.fault('the end')
  return value
}

/** The value that begins at a place, and where it ends. @throws ModelFault `E_WIRE_JSON` */
export function readPythonAt(
  text: string,
  at: number,
  { as = 'json' }: ReadOptions = {},
): { readonly value: PythonValue; readonly end: number } {
  const reader = new Reader(text, as === 'literal')
  reader.at = at
  return { value: reader.value(0), end: reader.at }
}

const JSON_WORDS = new Map<string, PythonValue>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

const PYTHON_WORDS = new Map<string, PythonValue>([
  ['None', null],
  ['True', true],
  ['False', false],
])

/** Stretches of a text without quotes, escapes and control characters. */
const PLAIN_IN_DOUBLE = /[^"\\\u0000-\u001f]+/y
const PLAIN_IN_SINGLE = /[^'\\\u0000-\u001f]+/y

class Reader {
  at = 0
  readonly #text: string
  readonly #literal: boolean

  constructor(text: string, literal: boolean) {
    this.#text = text
    this.#literal = literal
  }

  fault(what: string): ModelFault {
    const got = this.#text.slice(this.at, this.at + 20)
    const found = got === '' ? 'nothing more' : JSON.stringify(got)
    return new ModelFault('E_WIRE_JSON', `Expected ${what} at ${this.at} but got ${found}.`, {
      fields: { at: this.at, expected: what },
      cure: 'Write the actions as a JSON list of {"API_name": …, "API_params": {…}}.',
    })
  }

  blanks(): void {
    while (/[ \t\n\r]/.test(this.#text[this.at] ?? '')) this.at++
  }

  value(depth: number): PythonValue {
    if (depth > DEEPEST) throw this.fault(`at most ${DEEPEST} levels`)
    this.blanks()
    const char = this.#text[this.at]
    if (char === '{') return this.#dict(depth)
    if (char === '[' || (this.#literal && char === '(')) return this.#list(depth)
    if (char === '"' || (this.#literal && char === "'")) return this.#string()
    const word = this.#word()
    return word === undefined ? this.#number() : word
  }

  #word(): PythonValue | undefined {
    const word = /-?[A-Za-z]+/y
    word.lastIndex = this.at
    const found = word.exec(this.#text)?.[0]
    if (found === undefined) return undefined
    const known = JSON_WORDS.has(found) ? JSON_WORDS : this.#literal ? PYTHON_WORDS : undefined
    if (known?.has(found) !== true) throw this.fault('a value')
    this.at += found.length
    return known.get(found)
  }

  #number(): bigint | number {
    const number = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][+-]?\d+)?/y
    number.lastIndex = this.at
    const found = number.exec(this.#text)
    if (found === null) throw this.fault('a value')
    this.at += found[0].length
    return found[2] === undefined && found[3] === undefined ? BigInt(found[0]) : Number(found[0])
  }

  #list(depth: number): readonly PythonValue[] {
    const close = this.#text[this.at] === '(' ? ')' : ']'
    this.at++
    const list: PythonValue[] = []
    while (!this.#closes(close, list.length > 0)) list.push(this.value(depth + 1))
    return list
  }

  #dict(depth: number): PythonValue {
    this.at++
    const entries = new Map<string, PythonValue>()
    for (let first = true; !this.#closes('}', !first); first = false) {
      this.blanks()
      const quote = this.#text[this.at]
      if (quote !== '"' && !(this.#literal && quote === "'")) throw this.fault('a key in quotes')
      const key = this.#string()
      this.blanks()
      if (this.#text[this.at] !== ':') throw this.fault('":"')
      this.at++
      entries.set(key, this.value(depth + 1))
    }
    return entries
  }

  /** Whether the list or dict ends here; otherwise the comma before the next item is read. */
  #closes(close: string, after: boolean): boolean {
    this.blanks()
    if (this.#text[this.at] === close) {
      this.at++
      return true
    }
    if (!after) return false
    if (this.#text[this.at] !== ',') throw this.fault(`"," or "${close}"`)
    this.at++
    this.blanks()
    if (!this.#literal || this.#text[this.at] !== close) return false
    this.at++
    return true
  }

  #string(): string {
    const quote = this.#text[this.at]
    const run = quote === '"' ? PLAIN_IN_DOUBLE : PLAIN_IN_SINGLE
    let out = ''
    for (this.at++; ; this.at++) {
      run.lastIndex = this.at
      const plain = run.exec(this.#text)?.[0] ?? ''
      out += plain
      this.at += plain.length
      const char = this.#text[this.at]
      if (char === undefined) throw this.fault('the end of a text')
      if (char === quote) break
      if (char === '\\') out += this.#escape()
      else if (this.#literal && char === '\t') out += char
      else throw this.fault('no control character')
    }
    this.at++
    return out
  }

  #escape(): string {
    const char = this.#text[++this.at] ?? ''
    const simple = '"\\/bfnrt'.indexOf(char)
    if (char !== '' && simple >= 0) return '"\\/\b\f\n\r\t'[simple] ?? ''
    if (this.#literal && char === "'") return "'"
    const length = char === 'u' ? 4 : this.#literal && char === 'x' ? 2 : 0
    const hex = this.#text.slice(this.at + 1, this.at + 1 + length)
    if (length === 0 || !new RegExp(`^[0-9a-fA-F]{${length}}$`).test(hex)) {
      throw this.fault('an escape')
    }
    this.at += length
    return String.fromCharCode(parseInt(hex, 16))
  }
}
