import { open, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { noProgress, writeAtomic } from '../../../base/index.ts'
import type { Abortable, Progress } from '../../../base/index.ts'
import { mergeSegments } from './merge.ts'
import { indexWords } from './tokens.ts'
import { VarintWriter } from './varint.ts'

/** A piece of a document, with what a citation of it needs. */
export interface Passage {
  readonly text: string
  readonly title?: string
  /** Path or address of the document. */
  readonly source: string
  /** Where in the document it starts, in UTF-16 units. */
  readonly offset?: number
  readonly date?: string
}

export interface BuildOptions extends Abortable {
  readonly progress?: Progress
  /** Passages of one segment; default 20,000: what is in memory at a time. */
  readonly segment?: number
  /** Names what is indexed: an index of something else is built anew instead of gone on with. */
  readonly of?: string
}

/** What stands in `state.json` while an index is built. */
interface BuildState {
  readonly v: 1
  readonly of: string
  /** Passages that are safely in segments. */
  readonly passages: number
  readonly words: number
  readonly segments: number
  readonly textBytes: number
  readonly done: boolean
}

/**
 * Builds an index of passages on disk: streamed in segments, merged at the end.
 *
 * Resumable: when it is stopped, the same call goes on after the last whole segment (passages before it are
 * read again and skipped). Memory is that of one segment, whatever the number of passages.
 *
 * Files: `texts.bin` (passages as JSON), `places.bin` (where each starts; its length in words), `terms.bin` and
 * `terms.idx` (words in order with their postings' places), `postings.bin`.
 */
export async function buildPassageIndex(
  folder: string,
  passages: AsyncIterable<Passage> | Iterable<Passage>,
  options: BuildOptions = {},
): Promise<{ readonly passages: number; readonly resumedAt: number }> {
  const { signal, progress = noProgress, segment: size = 20_000, of = '' } = options
  await mkdir(folder, { recursive: true })
  let state = await openState(folder, of)
  const resumedAt = state.passages
  if (state.done) return { passages: state.passages, resumedAt }
  progress({ task: 'index passages', status: 'start', loaded: resumedAt, unit: 'passages' })
  const texts = await openAt(join(folder, 'texts.bin'), state.textBytes)
  const places = await openAt(join(folder, 'places.bin'), state.passages * 12)
  try {
    let seen = 0
    let batch: Passage[] = []
    const flush = async (): Promise<void> => {
      if (batch.length === 0) return
      state = await writeSegment(folder, state, batch, texts, places)
      batch = []
      progress({
        task: 'index passages',
        status: 'progress',
        loaded: state.passages,
        unit: 'passages',
      })
    }
    for await (const passage of passages) {
      signal?.throwIfAborted()
      if (seen++ < resumedAt) continue
      batch.push(passage)
      if (batch.length >= size) await flush()
    }
    await flush()
  } finally {
    await Promise.all([texts.close(), places.close()])
  }
  await mergeSegments(folder, state.segments, {
    signal,
    words: (loaded) =>
      progress({ task: 'merge the index', status: 'progress', loaded, unit: 'words' }),
  })
  state = { ...state, done: true }
  await writeState(folder, state)
  for (const name of await readdir(folder)) {
    if (name.startsWith('segment-')) await rm(join(folder, name))
  }
  progress({ task: 'index passages', status: 'done', loaded: state.passages, unit: 'passages' })
  return { passages: state.passages, resumedAt }
}

export async function readState(folder: string): Promise<BuildState | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'state.json'), 'utf8')) as BuildState
  } catch {
    // None yet, or cut off while it was written: then nothing counts as built.
    return undefined
  }
}

const writeState = (folder: string, state: BuildState): Promise<void> =>
  writeAtomic(join(folder, 'state.json'), JSON.stringify(state))

async function openState(folder: string, of: string): Promise<BuildState> {
  const known = await readState(folder)
  if (known?.of === of) return known
  for (const name of await readdir(folder)) {
    if (/^(?:segment-|texts|places|terms|postings|state)/.test(name)) await rm(join(folder, name))
  }
  return { v: 1, of, passages: 0, words: 0, segments: 0, textBytes: 0, done: false }
}

/** A file opened for writing on from a place; what a broken build left behind it is cut off. */
async function openAt(path: string, at: number): Promise<FileHandle> {
  const file = await open(path, 'a+')
  await file.truncate(at)
  return file
}

interface Posting {
  readonly writer: VarintWriter
  last: number
  count: number
}

async function writeSegment(
  folder: string,
  state: BuildState,
  batch: readonly Passage[],
  texts: FileHandle,
  places: FileHandle,
): Promise<BuildState> {
  const postings = new Map<string, Posting>()
  const bodies: Buffer[] = []
  const starts = Buffer.alloc(batch.length * 12)
  let [offset, words] = [state.textBytes, state.words]
  batch.forEach((passage, i) => {
    const id = state.passages + i
    const body = Buffer.from(`${JSON.stringify(passage)}\n`)
    const length = addWords(postings, passage, id)
    starts.writeDoubleLE(offset, i * 12)
    starts.writeUInt32LE(length, i * 12 + 8)
    offset += body.length
    words += length
    bodies.push(body)
  })
  await texts.appendFile(Buffer.concat(bodies))
  await places.appendFile(starts)
  await writePostings(join(folder, `segment-${state.segments}`), postings)
  await Promise.all([texts.sync(), places.sync()])
  const next = {
    ...{ ...state, passages: state.passages + batch.length, words, textBytes: offset },
    segments: state.segments + 1,
  }
  await writeState(folder, next)
  return next
}

/** Notes the words of a passage; those of its title count like those of its text. */
function addWords(postings: Map<string, Posting>, { text, title }: Passage, id: number): number {
  const times = new Map<string, number>()
  const words = indexWords(title === undefined ? text : `${title} ${text}`)
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1)
  for (const [word, count] of times) {
    let posting = postings.get(word)
    if (posting === undefined) {
      posting = { writer: new VarintWriter(), last: -1, count: 0 }
      postings.set(word, posting)
    }
    // The step from the passage before, and how often: small numbers, small bytes.
    posting.writer.push(posting.count === 0 ? id : id - posting.last)
    posting.writer.push(count)
    posting.last = id
    posting.count++
  }
  return words.length
}

/** A segment: records `word length, word, count, last id, bytes, postings` in the order of words. */
async function writePostings(path: string, postings: ReadonlyMap<string, Posting>): Promise<void> {
  const file = await open(`${path}.part`, 'w')
  try {
    let chunk: Uint8Array[] = []
    let size = 0
    for (const word of [...postings.keys()].sort()) {
      const posting = postings.get(word)
      if (posting === undefined) continue
      const { writer, count, last } = posting
      const name = Buffer.from(word)
      const head = Buffer.alloc(1 + name.length + 12)
      head.writeUInt8(name.length, 0)
      name.copy(head, 1)
      head.writeUInt32LE(count, 1 + name.length)
      head.writeUInt32LE(last, 5 + name.length)
      head.writeUInt32LE(writer.length, 9 + name.length)
      chunk.push(head, writer.bytes())
      size += head.length + writer.length
      if (size > 1_000_000) {
        await file.appendFile(Buffer.concat(chunk))
        chunk = []
        size = 0
      }
    }
    await file.appendFile(Buffer.concat(chunk))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.part`, path)
}
