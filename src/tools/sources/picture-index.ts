import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Abortable, Progress } from '../../base/index.ts'
import type { Box, Image } from '../../image/index.ts'
import { LOCAL_SOURCE, sourceFault } from './provider.ts'
import type { FoundEntry, SourceProvider } from './provider.ts'
import { regionOf } from './image-search.ts'

/** Turns a picture into a vector of unit length; vectors of different encoders are never compared. */
export interface PictureEncoder {
  readonly name: string
  embed(image: Image, box: Box, options?: Abortable): Promise<Float32Array>
}

/** What is known of an indexed picture. */
export interface PictureRow {
  /** Unique and stable, such as its path in the folder. */
  readonly id: string
  /** Changes with the picture: its vector is then made anew. */
  readonly stamp: string
  readonly title: string
  /** Its name in a source: `wordnet:2121620`, `Q146`. */
  readonly entity?: string
  readonly caption?: string
  readonly url?: string
  readonly licence?: string
}

/** A picture to be indexed; read only when its vector is not known yet. */
export interface PictureToIndex extends PictureRow {
  read(options?: Abortable): Promise<Image>
}

interface Kept extends PictureRow {
  readonly feature: string
}

export interface PictureIndex {
  readonly size: number
  /** Pictures that could not be read, and why. */
  readonly problems: readonly string[]
  /** The nearest pictures, best first, each with its cosine. */
  search(
    feature: Float32Array,
    limit: number,
  ): readonly { readonly row: PictureRow; readonly score: number }[]
}

/** How often the index is written while it is built, so that a build that is stopped goes on from there. */
const WRITE_EVERY = 200

/**
 * Pictures by what they look like: vectors on disk, made only for what is new or changed; a build that was
 * stopped is taken up where it was.
 *
 * @param options.file  a JSON file of its own; written anew as a whole, then put in place
 */
export async function openPictureIndex(
  pictures: readonly PictureToIndex[],
  options: Abortable & {
    readonly file: string
    readonly encoder: PictureEncoder
    readonly progress?: Progress | undefined
  },
): Promise<PictureIndex> {
  const { file, encoder, progress, signal } = options
  const known = await readKept(file, encoder.name)
  const rows: Kept[] = []
  const problems: string[] = []
  let made = 0
  for (const [i, { read, ...row }] of pictures.entries()) {
    signal?.throwIfAborted()
    const before = known.get(row.id)
    const feature =
      before?.stamp === row.stamp
        ? before.feature
        : await featureOf(read, encoder, { signal }).catch((error: unknown) => {
            signal?.throwIfAborted()
            problems.push(`${row.id}: ${error instanceof Error ? error.message : String(error)}`)
            return undefined
          })
    if (feature === undefined) continue
    rows.push({ ...row, feature })
    if (before?.stamp !== row.stamp && ++made % WRITE_EVERY === 0) {
      await writeKept(file, encoder.name, [...rows, ...restOf(known, rows)])
    }
    progress?.({ task: 'pictures', status: 'progress', loaded: i + 1, total: pictures.length })
  }
  if (made > 0 || known.size !== rows.length) await writeKept(file, encoder.name, rows)
  const vectors = rows.map(({ feature, ...row }) => ({ row, vector: floatsOf(feature) }))
  return { ...vectorIndex(vectors), problems }
}

/** An index in memory over vectors that are there already. */
export function vectorIndex(
  rows: readonly { readonly row: PictureRow; readonly vector: Float32Array }[],
): PictureIndex {
  return {
    ...{ size: rows.length, problems: [] },
    search: (feature, limit) =>
      rows
        .map(({ row, vector }) => ({ row, score: dot(feature, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit),
  }
}

function restOf(known: ReadonlyMap<string, Kept>, rows: readonly Kept[]): readonly Kept[] {
  const done = new Set(rows.map(({ id }) => id))
  return [...known.values()].filter(({ id }) => !done.has(id))
}

async function featureOf(
  read: PictureToIndex['read'],
  encoder: PictureEncoder,
  options: Abortable,
): Promise<string> {
  const image = await read(options)
  const vector = await encoder.embed(image, [0, 0, image.width, image.height], options)
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
}

async function readKept(file: string, encoder: string): Promise<ReadonlyMap<string, Kept>> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  try {
    const kept = JSON.parse(text) as { v?: number; encoder?: string; rows?: readonly Kept[] }
    if (kept.v !== 1 || kept.encoder !== encoder) return new Map()
    return new Map((kept.rows ?? []).map((row) => [row.id, row]))
  } catch {
    // A broken index is made anew: the pictures are what is precious.
    return new Map()
  }
}

async function writeKept(file: string, encoder: string, rows: readonly Kept[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const young = `${file}.${process.pid}.new`
  await writeFile(young, JSON.stringify({ v: 1, encoder, rows }))
  await rename(young, file)
}

function floatsOf(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Similar pictures of an index as image search; nothing leaves the machine. */
export function pictureIndexSource(options: {
  readonly id: string
  readonly encoder: PictureEncoder
  readonly index: (options: Abortable) => Promise<PictureIndex>
  /** Cosine from which pictures are alike to this encoder. */
  readonly likeFrom: number
  readonly probe?: () => Promise<string | null>
  /** People said what these show: they are believed before others. */
  readonly taught?: boolean
}): SourceProvider {
  const { id, encoder, index, likeFrom, probe, taught = false } = options
  return {
    ...{ ...LOCAL_SOURCE, id, tool: 'image_search', licence: '', timeoutMs: 600_000 },
    ...(probe === undefined ? {} : { probe }),
    call: async (args, { signal }) => {
      const image = regionOf(args)
      const found = await index({ signal })
      if (found.size === 0 && taught) return { entries: [] }
      if (found.size === 0) {
        throw sourceFault(id, 'config', 'the picture index is empty', {
          cure: 'Put pictures in folders named for what they show, or list them in metadata.jsonl.',
        })
      }
      const feature = await encoder.embed(image, [0, 0, image.width, image.height], { signal })
      const near = found.search(feature, 5).filter(({ score }) => score >= likeFrom)
      return { entries: near.map(({ row, score }) => entryOf(row, score, taught)) }
    },
  }
}

function entryOf(
  { title, entity, caption, url, licence }: PictureRow,
  score: number,
  taught: boolean,
): FoundEntry {
  return {
    ...{ kind: taught ? 'taught' : 'similar', title, score: Math.round(score * 1000) / 1000 },
    ...(caption === undefined ? {} : { text: caption }),
    ...(entity === undefined ? {} : { qid: entity }),
    ...(url === undefined ? {} : { url }),
    ...(licence === undefined ? {} : { licence }),
  }
}
