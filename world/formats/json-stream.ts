import { createReadStream } from 'node:fs'
import { UserFault } from '../../src/base/index.ts'

/** Text or bytes in pieces, such as a file being read. */
export type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** One value of a JSON text with the keys that lead to it. */
export interface JsonPiece {
  readonly path: readonly (string | number)[]
  readonly value: unknown
}

/** A file in pieces. */
export function fileChunks(path: string): Chunks {
  return createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })
}

/**
 * The values of a JSON text that lie `depth` keys deep, one after another, without holding the whole:
 * with depth 1 the items of an array or the entries of an object, with depth 2 those of its members.
 * Values that are no container at a lesser depth come as they are.
 *
 * @throws UserFault `E_FORMAT` for text that is no JSON, with the place
 */
export async function* jsonPieces(chunks: Chunks, depth: number): AsyncGenerator<JsonPiece> {
  const splitter = new Splitter(depth)
  for await (const chunk of decoded(chunks)) yield* splitter.feed(chunk)
  splitter.end()
}

async function* decoded(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  }
}

/** A container that is open, and where in it we are. */
interface Level {
  readonly kind: '{' | '['
  key: string | number
  /** In an object: a key is next, not a value. */
  wantsKey: boolean
}

class Splitter {
  readonly #depth: number
  readonly #levels: Level[] = []
  /** Text of the value or key that is being read, and how deep in it we are. */
  #text = ''
  #inner = 0
  #inString = false
  #escaped = false
  #reading: 'none' | 'key' | 'value' = 'none'
  #at = 0

  constructor(depth: number) {
    this.#depth = depth
  }

  *feed(chunk: string): Generator<JsonPiece> {
    for (const char of chunk) {
      this.#at++
      this.#consumed = false
      if (this.#reading !== 'none') {
        const piece = this.#read(char)
        if (piece !== undefined) yield piece
      }
      if (!this.#consumed) this.#step(char)
    }
  }

  end(): void {
    if (this.#levels.length > 0 || this.#reading !== 'none')
      throw this.#fault('the text ends early')
  }

  /** True when the character that ended a value belonged to it. */
  #consumed = false

  #read(char: string): JsonPiece | undefined {
    this.#consumed = true
    if (this.#inString) {
      this.#text += char
      if (this.#escaped) this.#escaped = false
      else if (char === '\\') this.#escaped = true
      else if (char === '"') {
        this.#inString = false
        if (this.#inner === 0) return this.#finish()
      }
      return undefined
    }
    if (this.#inner === 0 && /[,\]}\s]/.test(char)) {
      this.#consumed = false
      return this.#finish()
    }
    this.#text += char
    if (char === '"') this.#inString = true
    else if (char === '{' || char === '[') this.#inner++
    else if ((char === '}' || char === ']') && --this.#inner === 0) return this.#finish()
    return undefined
  }

  #finish(): JsonPiece | undefined {
    const level = this.#levels.at(-1)
    const reading = this.#reading
    this.#reading = 'none'
    const value = this.#parse(this.#text)
    this.#text = ''
    if (reading === 'key' && level !== undefined) {
      level.key = String(value)
      level.wantsKey = false
      return undefined
    }
    return { path: this.#levels.map(({ key }) => key), value }
  }

  #step(char: string): void {
    const level = this.#levels.at(-1)
    if (/\s/.test(char) || char === ':' || char === '\ufeff') return
    if (char === ',') return this.#next(level)
    if (char === '}' || char === ']') {
      this.#levels.pop()
      return
    }
    if (level?.wantsKey === true) return this.#begin('key', char)
    const opens = char === '{' || char === '['
    if (opens && this.#levels.length < this.#depth) {
      this.#levels.push({ kind: char, key: char === '[' ? 0 : '', wantsKey: char === '{' })
    } else if (level === undefined) throw this.#fault('expected an object or array')
    else this.#begin('value', char)
  }

  #next(level: Level | undefined): void {
    if (level === undefined) throw this.#fault('unexpected comma')
    if (level.kind === '[') level.key = Number(level.key) + 1
    else level.wantsKey = true
  }

  #begin(reading: 'key' | 'value', char: string): void {
    this.#reading = reading
    this.#text = char
    this.#inString = char === '"'
    this.#inner = char === '{' || char === '[' ? 1 : 0
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw this.#fault(`"${text.slice(0, 40)}" is no JSON`, cause)
    }
  }

  #fault(what: string, cause?: unknown): UserFault {
    return new UserFault('E_FORMAT', `JSON, character ${this.#at}: ${what}.`, {
      fields: { at: this.#at },
      cure: 'Check that the file is complete and of the format that was named.',
      cause,
    })
  }
}

/** The lines of a text in pieces, without empty ones. */
export async function* lines(chunks: Chunks): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of decoded(chunks)) {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) if (part.trim() !== '') yield part
  }
  if (rest.trim() !== '') yield rest
}
