import { readFile } from 'node:fs/promises'

/** Ids before those of bytes and merges. */
export const PAD = 0
export const START = 1
export const END = 2
const SPECIALS = 3
const BYTES = 256

/** Splits words into byte pairs; the blank before a word belongs to it. */
export interface Subwords {
  /** Number of ids. */
  readonly size: number
  /** Ids of a text, without start, end and padding. */
  merged(text: string): readonly number[]
  /** Start, at most `length` - 2 ids, end, and padding up to `length`. */
  encode(text: string, length?: number): readonly number[]
  /** The text of ids; start, end and padding are left out. */
  words(ids: readonly number[]): string
}

/** Longest text of the text tower. */
export const TEXT_LENGTH = 16

const WORD = / ?[a-z]+| ?[0-9]| ?[^\sa-z0-9]+/g

/** Reads the vocabulary that train/starter/text.py wrote. */
export async function readSubwords(path: string): Promise<Subwords> {
  const { merges } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly merges: readonly (readonly [number, number])[]
  }
  return createSubwords(merges)
}

/**
 * The encoder of a list of merges, equal to train/starter/text.py.
 *
 * @param merges  pairs of parts, most frequent first; a part is a byte, or 256 + the place of a merge
 */
export function createSubwords(merges: readonly (readonly [number, number])[]): Subwords {
  const ranks = new Map(merges.map(([a, b], rank) => [pairKey(a, b), rank]))
  const known = new Map<string, readonly number[]>()
  const idsOf = (word: string): readonly number[] => {
    const ids = known.get(word) ?? mergeWord(word, ranks).map((part) => SPECIALS + part)
    known.set(word, ids)
    return ids
  }
  const merged = (text: string): readonly number[] => wordsOf(text).flatMap(idsOf)
  return {
    size: SPECIALS + BYTES + merges.length,
    merged,
    encode: (text, length = TEXT_LENGTH) => {
      const ids = [START, ...merged(text).slice(0, length - 2), END]
      return [...ids, ...Array.from({ length: length - ids.length }, () => PAD)]
    },
    words: (ids) => {
      const bytes = ids.flatMap((id) => bytesOf(id - SPECIALS, merges))
      return Buffer.from(bytes).toString('utf8').trim()
    },
  }
}

function wordsOf(text: string): readonly string[] {
  const blanks = text.toLowerCase().split(/\s+/).filter(Boolean).join(' ')
  return ` ${blanks}`.match(WORD) ?? []
}

const pairKey = (a: number, b: number): number => a * 65_536 + b

/** Joins the most frequent pair of the word, everywhere in it, until no pair is known. */
function mergeWord(word: string, ranks: ReadonlyMap<number, number>): readonly number[] {
  let parts = [...Buffer.from(word, 'utf8')]
  for (;;) {
    let best: { readonly rank: number; readonly at: number } | undefined
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(pairKey(parts[i] as number, parts[i + 1] as number))
      if (rank !== undefined && (best === undefined || rank < best.rank)) best = { rank, at: i }
    }
    if (best === undefined) return parts
    parts = joined(parts, best.at, BYTES + best.rank)
  }
}

/** The pair at a place becomes one part, there and wherever else it stands. */
function joined(parts: readonly number[], at: number, made: number): number[] {
  const [first, second] = [parts[at], parts[at + 1]]
  const out: number[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as number // within the list
    if (part === first && parts[i + 1] === second) {
      out.push(made)
      i++
    } else out.push(part)
  }
  return out
}

function bytesOf(part: number, merges: readonly (readonly [number, number])[]): readonly number[] {
  if (part < 0) return []
  if (part < BYTES) return [part]
  const pair = merges[part - BYTES]
  return pair === undefined ? [] : [...bytesOf(pair[0], merges), ...bytesOf(pair[1], merges)]
}
