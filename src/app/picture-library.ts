import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Abortable, BlobStore } from '../base/index.ts'
import { isFault, UserFault, writeAtomic } from '../base/index.ts'
import type { Image, WrittenType } from '../image/index.ts'
import type { PackedImage, PictureStore } from '../stores/index.ts'
import type { Limits } from './config.ts'

/** A picture to work on: a path, or the bytes of a file. */
export type PictureInput =
  string | Uint8Array | { readonly bytes: Uint8Array; readonly name: string }

/** Bytes ready to be sent or written. */
export interface PictureFile {
  readonly bytes: Uint8Array
  readonly type: string
}

/** Pictures of one space: read from files, kept by reference, given back as files of any size. */
export interface PictureLibrary {
  /** Reads and reduces an input. @throws UserFault `E_PICTURE_*` when it cannot be read, or moves */
  read(
    input: PictureInput,
    options: ReadOptions,
  ): Promise<{ image: Image; notices: readonly string[] }>
  /** Keeps a picture; once, however often it is asked. */
  keep(image: Image): Promise<void>
  /** The kept picture in its frame. */
  load(image: PackedImage): Promise<Image>
  /** The kept picture as a file, waited for while it is being kept; with `maxSide` a cached thumbnail. */
  file(hash: string, options?: { readonly maxSide?: number } & Abortable): Promise<PictureFile>
  /** The kept picture as a file of another kind. */
  encode(hash: string, type: WrittenType, options?: Abortable): Promise<Uint8Array>
  /** Path of the kept file, for the CLI. */
  path(hash: string): Promise<string | undefined>
}

export interface ReadOptions extends Abortable {
  readonly maxSide: number | null
}

export interface LibraryOptions {
  readonly blobs: BlobStore
  readonly pictures: PictureStore
  readonly blobFolder: string
  readonly thumbnails: string
  readonly limits: Limits
}

export function pictureLibrary(options: LibraryOptions): PictureLibrary {
  const { blobs, pictures } = options
  // Only what is being kept now: another process may prune what was kept before.
  const keeping = new Map<string, Promise<void>>()
  // One after the other: what a run began with is on disk before what it made.
  let before: Promise<unknown> = Promise.resolve()
  const keep = (image: Image): Promise<void> => {
    const known = keeping.get(image.hash)
    if (known !== undefined) return known
    const work = before.then(() => store(image, options)).finally(() => keeping.delete(image.hash))
    before = work.catch(() => {})
    keeping.set(image.hash, work)
    return work
  }
  const bytesOf = async (hash: string): Promise<PictureFile> => {
    await keeping.get(hash)
    const record = await pictures.get(hash)
    // Files as people gave them stay in the house: where and when they were taken may stand in them.
    if (record === undefined || record.hash === record.blob) throw noPicture(hash)
    return { bytes: await blobs.get(record.blob), type: record.type }
  }
  return {
    read: (input, read) => readPicture(input, read, options.limits),
    keep,
    load: async (image) => {
      const { createImage, decodePicture, rememberSource } = await import('../image/index.ts')
      const { bytes } = await bytesOf(image.hash)
      const { image: decoded } = await decodePicture(bytes)
      const { frame, parent, file, tags } = image
      const more = { frame, parent, file, tags }
      const loaded = createImage(decoded.data, image.width, image.height, more)
      const kept = file === undefined ? undefined : await pictures.get(file)
      if (kept !== undefined) {
        const { width, height, type, blob } = kept
        const original = { width, height }
        rememberSource(loaded, { original, type, read: () => blobs.get(blob) })
      }
      return loaded
    },
    file: async (hash, { maxSide, signal } = {}) => {
      if (maxSide === undefined) return bytesOf(hash)
      return thumbnail(hash, maxSide, { ...options, bytesOf, signal })
    },
    encode: async (hash, type, { signal } = {}) => {
      const { decodePicture, encodePicture } = await import('../image/index.ts')
      const { image } = await decodePicture((await bytesOf(hash)).bytes, { signal })
      return encodePicture(image, type, { signal })
    },
    path: async (hash) => {
      const record = await pictures.get(hash)
      return record === undefined || record.hash === record.blob
        ? undefined
        : join(options.blobFolder, record.blob.slice(0, 2), record.blob)
    },
  }
}

async function readPicture(
  input: PictureInput,
  { maxSide, signal }: ReadOptions,
  limits: Limits,
): Promise<{ image: Image; notices: readonly string[] }> {
  const { decodePicture } = await import('../image/index.ts')
  const { bytes, name } = await inputBytes(input, limits)
  const { image, notices, pages, type } = await decodePicture(bytes, {
    ...(maxSide === null ? {} : { maxSide }),
    ...{ maxBytes: limits.bytes, maxPixels: limits.pixels, name, signal },
  })
  // Pages of a document are one thing; which picture of an animation is meant, nobody has said.
  if (pages > 1 && type !== 'tiff') throw animated(name, pages)
  return { image, notices: notices.map((notice) => notice.message) }
}

function animated(name: string, pages: number): UserFault {
  return new UserFault('E_PICTURE_ANIMATED', `${name} is an animation of ${pages} pictures.`, {
    fields: { name, pages },
    cure: 'Save the picture that you mean as a file of its own.',
  })
}

async function inputBytes(
  input: PictureInput,
  limits: Limits,
): Promise<{ bytes: Uint8Array; name: string }> {
  if (input instanceof Uint8Array) return { bytes: input, name: 'The picture' }
  if (typeof input !== 'string') return input
  try {
    // Said before anything is read, so that a huge file costs nothing.
    const { size } = await stat(input)
    if (size > limits.bytes) throw tooLarge(input, size, limits)
    return { bytes: await readFile(input), name: input }
  } catch (cause) {
    if (isFault(cause)) throw cause
    throw unreadable(input, cause as NodeJS.ErrnoException)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

function unreadable(path: string, cause: NodeJS.ErrnoException): UserFault {
  const reason = REASONS[cause.code ?? ''] ?? cause.code ?? cause.message
  return new UserFault('E_PICTURE_FILE', `The picture ${path} cannot be read: ${reason}.`, {
    fields: { path, reason },
    cure: 'Give the path of a picture file, or "-" for standard input.',
    cause,
  })
}

function tooLarge(path: string, bytes: number, limits: Limits): UserFault {
  const mib = (n: number): string => `${(n / 2 ** 20).toFixed(1)} MiB`
  return new UserFault(
    'E_PICTURE_TOO_LARGE',
    `${path} is a file of ${mib(bytes)}; at most ${mib(limits.bytes)} are read.`,
    {
      fields: { path, bytes, limit: limits.bytes },
      cure: 'Save it smaller, or raise limits.bytes.',
    },
  )
}

/** Keeps the exact pixels: a replay must see what the run saw; and the file, for what looks twice. */
async function store(image: Image, options: LibraryOptions): Promise<void> {
  const { blobs, pictures } = options
  await storeFile(image, options)
  const known = await pictures.get(image.hash)
  // Put again, it is young again: pruning leaves it alone until its run is on record.
  if (known !== undefined) return pictures.put(known)
  const { encodePicture } = await import('../image/index.ts')
  const { hash: blob, type, size } = await blobs.put(await encodePicture(image, 'png'), 'image/png')
  const { hash, width, height } = image
  await pictures.put({ hash, blob, type, size, width, height })
}

/** Keeps the file that a picture was reduced from, once, under its own hash. */
async function storeFile(image: Image, { blobs, pictures }: LibraryOptions): Promise<void> {
  const { file } = image
  if (file === undefined) return
  const known = await pictures.get(file)
  if (known !== undefined) return pictures.put(known)
  const { sourceOf } = await import('../image/index.ts')
  const source = sourceOf(image)
  if (source === undefined) return
  const { hash: blob, type, size } = await blobs.put(await source.read(), source.type)
  await pictures.put({ hash: file, blob, type, size, ...source.original })
}

async function thumbnail(
  hash: string,
  maxSide: number,
  options: LibraryOptions & {
    readonly bytesOf: (hash: string) => Promise<PictureFile>
    readonly signal?: AbortSignal | undefined
  },
): Promise<PictureFile> {
  const type: WrittenType = 'webp'
  // Thumbnails are shared by all spaces: only who has the picture gets one.
  if ((await options.pictures.get(hash)) === undefined) await options.bytesOf(hash)
  const cached = join(options.thumbnails, `${hash}-${maxSide}.${type}`)
  const found = await readFile(cached).catch(() => undefined)
  if (found !== undefined) return { bytes: found, type: `image/${type}` }
  const { decodePicture, encodePicture } = await import('../image/index.ts')
  const { bytes } = await options.bytesOf(hash)
  const { image } = await decodePicture(bytes, { maxSide, signal: options.signal })
  const small = await encodePicture(image, type, { quality: 82 })
  await writeAtomic(cached, small)
  return { bytes: small, type: `image/${type}` }
}

function noPicture(hash: string): UserFault {
  return new UserFault('E_NO_PICTURE', `There is no picture "${hash}" here.`, {
    fields: { hash },
    cure: 'It may have been removed by "pupil cache prune".',
  })
}
