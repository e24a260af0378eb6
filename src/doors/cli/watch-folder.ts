import { appendFile, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { TagDocument } from '../../app/index.ts'
import { errorData, isAbort } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'

/** What was found in a picture of the folder, or why nothing was; a line of the journal. */
export interface WatchedLine {
  /** From the folder, with `/`. */
  readonly file: string
  readonly bytes: number
  /** When the file was last changed, in milliseconds. */
  readonly modified: number
  readonly instruction: string
  readonly run?: string
  readonly width?: number
  readonly height?: number
  readonly tags?: readonly TagDocument[]
  readonly error?: Pick<ErrorData, 'code' | 'message'>
}

export type Tagged = Required<Pick<WatchedLine, 'run' | 'width' | 'height' | 'tags'>>

export interface WatchOptions {
  readonly instruction: string
  /** File that remembers what was done: a line of JSON for each picture. */
  readonly journal: string
  /** Tags one picture. */
  readonly tag: (path: string) => Promise<Tagged>
  /** Writes what goes beside a picture; before it is remembered, so that it is made again after a stop. */
  readonly beside?: (path: string, line: WatchedLine & Tagged) => Promise<void>
  /** Something in the folder may have changed; when it ends, watching ends. */
  readonly changes: AsyncIterable<unknown>
  /** Hears of each picture once it is remembered. */
  readonly told?: (line: WatchedLine) => void
  readonly signal?: AbortSignal | undefined
}

const PICTURE = /\.(?:jpe?g|png|webp|gif|tiff?|avif)$/i

/**
 * Tags the pictures of a folder, then those that come, each once for an instruction and again when its file changes.
 * A file that cannot be read as a picture is remembered as such until it changes: it may still be being copied.
 *
 * @returns how many pictures were looked at
 */
export async function watchFolder(folder: string, options: WatchOptions): Promise<number> {
  const { journal, instruction, changes, signal } = options
  const done = await readJournal(journal, instruction)
  // Watching begins before the first look, or what comes in between would be missed.
  const coming = changes[Symbol.asyncIterator]()
  const wait = (): Promise<IteratorResult<unknown>> => {
    const next = coming.next()
    next.catch(() => {}) // heard of where it is awaited, unless looking fails first
    return next
  }
  let change = wait()
  let looked = await tagNew(folder, done, options)
  while ((await change).done !== true) {
    signal?.throwIfAborted()
    change = wait()
    looked += await tagNew(folder, done, options)
  }
  return looked
}

async function tagNew(
  folder: string,
  done: Map<string, string>,
  options: WatchOptions,
): Promise<number> {
  const { instruction, journal, told, signal } = options
  let looked = 0
  for (const file of await picturesIn(folder)) {
    signal?.throwIfAborted()
    const path = join(folder, file)
    const now = await stat(path).catch(() => undefined)
    if (now === undefined) continue // gone since it was listed
    const seen = { file, bytes: now.size, modified: Math.round(now.mtimeMs), instruction }
    if (done.get(file) === stampOf(seen)) continue
    const line: WatchedLine = { ...seen, ...(await look(path, seen, options)) }
    await appendFile(journal, `${JSON.stringify(line)}\n`)
    done.set(file, stampOf(line))
    looked += 1
    told?.(line)
  }
  return looked
}

async function look(
  path: string,
  seen: WatchedLine,
  { tag, beside, signal }: WatchOptions,
): Promise<Partial<WatchedLine>> {
  try {
    const tagged = await tag(path)
    await beside?.(path, { ...seen, ...tagged })
    return tagged
  } catch (error) {
    if (isAbort(error) || signal?.aborted === true) throw error
    const { code, message } = errorData(error)
    return { error: { code, message } }
  }
}

/** Pictures below a folder, in the order of their names; nothing hidden, and no links: they may lead elsewhere. */
async function picturesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && PICTURE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.split('/').some((part) => part.startsWith('.')))
    .sort()
}

const stampOf = ({ bytes, modified }: WatchedLine): string => `${bytes} ${modified}`

/** What was done before; a last line that was cut short by a stop counts as not there. */
async function readJournal(path: string, instruction: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '' // nothing was done yet
    throw error
  })
  const done = new Map<string, string>()
  if (text !== '' && !text.endsWith('\n')) await appendFile(path, '\n')
  for (const one of text.split('\n')) {
    const line = parsed(one)
    if (line?.instruction === instruction) done.set(line.file, stampOf(line))
  }
  return done
}

function parsed(text: string): WatchedLine | undefined {
  try {
    return JSON.parse(text) as WatchedLine
  } catch {
    return undefined
  }
}
