import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { UserFault } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import { readState } from './build.ts'
import type { Passage } from './build.ts'
import { SPARSE } from './merge.ts'
import { indexWords } from './tokens.ts'
import { varintReader } from './varint.ts'

export interface PassageHit {
  readonly passage: Passage
  /** BM25. */
  readonly score: number
}

/** An index of passages on disk. In memory: every 64th word, the places of passages (12 bytes each), nothing else. */
export interface PassageIndex {
  readonly size: number
  search(
    query: string,
    options?: Abortable & { readonly limit?: number },
  ): Promise<readonly PassageHit[]>
  close(): Promise<void>
}

interface Term {
  readonly word: string
  readonly at: number
  readonly length: number
  readonly count: number
}

/**
 * A word in more than this share of the passages says little: it is left out while rarer ones are there.
 */
const COMMON = 0.05

/** Opens an index. @throws UserFault `E_INDEX` when none was built there, or not to its end */
export async function openPassageIndex(folder: string): Promise<PassageIndex> {
  const state = await readState(folder)
  if (state?.done !== true) {
    throw new UserFault('E_INDEX', `There is no finished index of passages in ${folder}.`, {
      cure: 'Build it first; a build that was stopped goes on where it was.',
    })
  }
  const [texts, terms, postings, places, marks] = await Promise.all([
    open(join(folder, 'texts.bin')),
    open(join(folder, 'terms.bin')),
    open(join(folder, 'postings.bin')),
    readAll(join(folder, 'places.bin')),
    readMarks(join(folder, 'terms.idx')),
  ])
  const termsSize = (await terms.stat()).size
  const mean = state.words / Math.max(1, state.passages)
  const find = (word: string): Promise<Term | undefined> => findTerm(terms, termsSize, marks, word)
  const passage = async (id: number): Promise<Passage> => {
    const from = places.readDoubleLE(id * 12)
    const to = id + 1 < state.passages ? places.readDoubleLE((id + 1) * 12) : state.textBytes
    return JSON.parse((await readPart(texts, from, to - from)).toString('utf8')) as Passage
  }
  return {
    size: state.passages,
    close: async () => void (await Promise.all([texts.close(), terms.close(), postings.close()])),
    search: async (query, { limit = 8, signal } = {}) => {
      const words = [...new Set(indexWords(query))]
      const found = (await Promise.all(words.map(find))).filter((one) => one !== undefined)
      const rare = found.filter(({ count }) => count <= COMMON * state.passages || count < 1000)
      const asked = rare.length > 0 ? rare : found.toSorted((a, b) => a.count - b.count).slice(0, 1)
      const scores: Scores = { of: new Float64Array(state.passages), touched: [] }
      for (const term of asked) {
        signal?.throwIfAborted()
        const bytes = await readPart(postings, term.at, term.length)
        addScores(scores, bytes, term.count, { passages: state.passages, mean, places })
      }
      const best = topOf(scores, limit)
      return Promise.all(best.map(async ([id, score]) => ({ passage: await passage(id), score })))
    },
  }
}

/** Adds a word's BM25 part (k1 1.2, b 0.75) to each passage that holds it. */
function addScores(
  scores: Scores,
  bytes: Uint8Array,
  count: number,
  about: { readonly passages: number; readonly mean: number; readonly places: Buffer },
): void {
  const { passages, mean, places } = about
  const rarity = Math.log(1 + (passages - count + 0.5) / (count + 0.5))
  const reader = varintReader(bytes)
  let id = 0
  while (!reader.done()) {
    id += reader.next()
    const times = reader.next()
    const length = places.readUInt32LE(id * 12 + 8)
    const norm = 1.2 * (0.25 + (0.75 * length) / mean)
    const before = scores.of[id] ?? 0
    if (before === 0) scores.touched.push(id)
    scores.of[id] = before + (rarity * times * 2.2) / (times + norm)
  }
}

/** A score for each passage, and which of them have one: an array is much faster than a map here. */
interface Scores {
  readonly of: Float64Array
  readonly touched: number[]
}

function topOf({ of, touched }: Scores, limit: number): readonly [number, number][] {
  const best: [number, number][] = []
  // By id, so that equal scores come in the order of the documents.
  for (const id of Int32Array.from(touched).sort()) {
    const score = of[id] ?? 0
    const worst = best.at(-1)
    if (best.length >= limit && worst !== undefined && score <= worst[1]) continue
    const place = best.findIndex((one) => one[1] < score)
    best.splice(place === -1 ? best.length : place, 0, [id, score])
    if (best.length > limit) best.pop()
  }
  return best
}

interface Mark {
  readonly word: string
  readonly at: number
}

async function readMarks(path: string): Promise<readonly Mark[]> {
  const bytes = await readAll(path)
  const marks: Mark[] = []
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt8(at)
    const word = bytes.toString('utf8', at + 1, at + 1 + length)
    marks.push({ word, at: bytes.readDoubleLE(at + 1 + length) })
    at += 9 + length
  }
  return marks
}

/** Binary search among the marks, then the 64 words after one. */
async function findTerm(
  terms: FileHandle,
  size: number,
  marks: readonly Mark[],
  word: string,
): Promise<Term | undefined> {
  let [low, high] = [0, marks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle]?.word ?? '') <= word) low = middle + 1
    else high = middle
  }
  const mark = marks[low - 1]
  if (mark === undefined) return undefined
  const end = marks[low]?.at ?? size
  const bytes = await readPart(terms, mark.at, end - mark.at)
  for (let at = 0, n = 0; at < bytes.length && n < SPARSE; n++) {
    const length = bytes.readUInt8(at)
    const name = bytes.toString('utf8', at + 1, at + 1 + length)
    const after = at + 1 + length
    if (name === word) {
      return {
        ...{ word, at: bytes.readDoubleLE(after), length: bytes.readUInt32LE(after + 8) },
        count: bytes.readUInt32LE(after + 12),
      }
    }
    at = after + 16
  }
  return undefined
}

async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const { bytesRead } = await file.read(buffer, got, length - got, at + got)
    if (bytesRead === 0) break
    got += bytesRead
  }
  return buffer.subarray(0, got)
}

async function readAll(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}
