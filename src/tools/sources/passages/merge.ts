import { open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Abortable } from '../../../base/index.ts'
import { VarintWriter, varintReader } from './varint.ts'

/** One word's postings in one segment. */
interface Record {
  readonly word: string
  readonly count: number
  readonly last: number
  readonly bytes: Uint8Array
}

/** Words of a sparse table: one of so many is kept in memory by the reader. */
export const SPARSE = 64

/**
 * Merges segments into `postings.bin` with `terms.bin` (all words with the place, length and count of their
 * postings) and `terms.idx` (every 64th word with its place in `terms.bin`).
 *
 * @param options.words  hears every now and then how many words are merged
 */
export async function mergeSegments(
  folder: string,
  segments: number,
  { signal, words = () => {} }: Abortable & { readonly words?: (merged: number) => void },
): Promise<void> {
  const readers = await Promise.all(
    Array.from({ length: segments }, (_, i) => segmentReader(join(folder, `segment-${i}`))),
  )
  const [postings, terms, sparse] = await Promise.all([
    appender(join(folder, 'postings.bin')),
    appender(join(folder, 'terms.bin')),
    appender(join(folder, 'terms.idx')),
  ])
  const heads = await Promise.all(readers.map((reader) => reader.next()))
  for (let n = 0; ; n++) {
    if (n % 1000 === 0) signal?.throwIfAborted()
    if (n % 20_000 === 0) words(n)
    let word: string | undefined
    for (const head of heads) {
      if (head !== undefined && (word === undefined || head.word < word)) word = head.word
    }
    if (word === undefined) break
    const parts: Record[] = []
    for (const [i, head] of heads.entries()) {
      if (head?.word !== word) continue
      parts.push(head)
      heads[i] = await readers[i]?.next()
    }
    const body = joined(parts)
    const name = Buffer.from(word)
    const term = Buffer.alloc(1 + name.length + 16)
    term.writeUInt8(name.length, 0)
    name.copy(term, 1)
    term.writeDoubleLE(postings.at(), 1 + name.length)
    term.writeUInt32LE(body.length, 9 + name.length)
    term.writeUInt32LE(
      parts.reduce((sum, { count }) => sum + count, 0),
      13 + name.length,
    )
    if (n % SPARSE === 0) {
      const mark = Buffer.alloc(1 + name.length + 8)
      mark.writeUInt8(name.length, 0)
      name.copy(mark, 1)
      mark.writeDoubleLE(terms.at(), 1 + name.length)
      await sparse.add(mark)
    }
    await postings.add(body)
    await terms.add(term)
  }
  await Promise.all([...readers, postings, terms, sparse].map((one) => one.close()))
}

/** Postings of one word from all segments; the first step of each counts from the last of the one before. */
function joined(parts: readonly Record[]): Uint8Array {
  const first = parts[0]
  if (first === undefined) return new Uint8Array()
  if (parts.length === 1) return first.bytes
  const chunks: Uint8Array[] = [first.bytes]
  let last = first.last
  for (const part of parts.slice(1)) {
    const reader = varintReader(part.bytes)
    const id = reader.next()
    const head = new VarintWriter()
    head.push(id - last)
    const rest = varintLength(id)
    chunks.push(head.bytes().slice(), part.bytes.subarray(rest))
    last = part.last
  }
  return Buffer.concat(chunks)
}

const varintLength = (value: number): number =>
  value < 128 ? 1 : value < 16384 ? 2 : value < 2097152 ? 3 : value < 268435456 ? 4 : 5

interface Reader {
  next(): Promise<Record | undefined>
  close(): Promise<void>
}

/** Reads a segment's records in order, a megabyte at a time. */
async function segmentReader(path: string): Promise<Reader> {
  const file = await open(path)
  let buffer = Buffer.alloc(0)
  let ended = false
  const want = async (bytes: number): Promise<boolean> => {
    while (buffer.length < bytes && !ended) {
      const more = Buffer.alloc(Math.max(256 * 1024, bytes))
      const { bytesRead } = await file.read(more, 0, more.length)
      if (bytesRead === 0) ended = true
      buffer = Buffer.concat([buffer, more.subarray(0, bytesRead)])
    }
    return buffer.length >= bytes
  }
  return {
    close: () => file.close(),
    next: async () => {
      if (!(await want(1))) return undefined
      const length = buffer.readUInt8(0)
      if (!(await want(13 + length))) return undefined
      const word = buffer.toString('utf8', 1, 1 + length)
      const count = buffer.readUInt32LE(1 + length)
      const last = buffer.readUInt32LE(5 + length)
      const size = buffer.readUInt32LE(9 + length)
      await want(13 + length + size)
      const bytes = Uint8Array.from(buffer.subarray(13 + length, 13 + length + size))
      buffer = buffer.subarray(13 + length + size)
      return { word, count, last, bytes }
    },
  }
}

interface Appender {
  at(): number
  add(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** Writes beside and renames at the end, in large pieces. */
async function appender(path: string): Promise<Appender> {
  const file: FileHandle = await open(`${path}.part`, 'w')
  let [at, size] = [0, 0]
  let waiting: Uint8Array[] = []
  const flush = async (): Promise<void> => {
    if (size > 0) await file.appendFile(Buffer.concat(waiting))
    waiting = []
    size = 0
  }
  return {
    at: () => at,
    add: async (bytes) => {
      waiting.push(bytes)
      at += bytes.length
      size += bytes.length
      if (size > 1_000_000) await flush()
    },
    close: async () => {
      await flush()
      await file.sync()
      await file.close()
      await rename(`${path}.part`, path)
    },
  }
}
