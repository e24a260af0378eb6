import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Unavailable, UserFault } from './errors.ts'
import { sha256 } from './hash.ts'

/** A reference to bytes by their content. */
export interface BlobRef {
  /** SHA-256 of the bytes, hex. */
  readonly hash: string
  /** Media type such as `image/png`. */
  readonly type: string
  /** Length in bytes. */
  readonly size: number
}

/** Bytes addressed by their content: writing twice keeps one. */
export interface BlobStore {
  put(bytes: Uint8Array, type: string): Promise<BlobRef>
  /** @throws UserFault `E_BLOB_MISSING` when no such blob is stored. */
  get(hash: string): Promise<Uint8Array>
  has(hash: string): Promise<boolean>
  remove(hash: string): Promise<void>
}

export function memoryBlobs(): BlobStore {
  const blobs = new Map<string, Uint8Array>()
  return {
    put: async (bytes, type) => {
      const hash = sha256(bytes)
      if (!blobs.has(hash)) blobs.set(hash, bytes.slice())
      return { hash, type, size: bytes.length }
    },
    get: async (hash) => blobs.get(checkHash(hash)) ?? missing(hash),
    has: async (hash) => blobs.has(hash),
    remove: async (hash) => void blobs.delete(hash),
  }
}

/**
 * Blobs in a folder, `ab/abcdef…`; written beside and renamed, so that a half-written file is never seen.
 *
 * @throws Unavailable `E_DATA_FOLDER` when the folder cannot be written or the disk is full.
 */
export function folderBlobs(folder: string): BlobStore {
  const path = (hash: string): string => join(folder, checkHash(hash).slice(0, 2), hash)
  const has = (hash: string): Promise<boolean> =>
    stat(path(hash)).then(
      () => true,
      () => false,
    )
  return {
    put: async (bytes, type) => {
      const hash = sha256(bytes)
      if (!(await has(hash))) await writeAtomic(path(hash), bytes)
      return { hash, type, size: bytes.length }
    },
    get: async (hash) => {
      const file = path(hash)
      return readFile(file).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') return missing(hash)
        throw new Unavailable(
          'E_DATA_FOLDER',
          `Cannot read ${file} (${cause.code ?? cause.message}).`,
          {
            cure: 'Check the rights of the data folder, or give another with --data or PUPIL_HOME.',
            cause,
          },
        )
      })
    },
    has,
    remove: (hash) => rm(path(hash), { force: true }),
  }
}

/** Writes a file whole or not at all: beside it first, flushed, then renamed. */
export async function writeAtomic(path: string, bytes: Uint8Array | string): Promise<void> {
  const beside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.part`
  try {
    await mkdir(join(path, '..'), { recursive: true })
    const file = await open(beside, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (cause) {
    await rm(beside, { force: true }).catch(() => {})
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new Unavailable('E_DATA_FOLDER', `Cannot write ${path} (${reason}).`, {
      fields: { path, reason },
      cure:
        reason === 'ENOSPC'
          ? 'The disk is full: free some space and try again.'
          : 'Give a folder that can be written, with --data or PUPIL_HOME.',
      cause,
    })
  }
}

function checkHash(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) {
    throw new UserFault('E_BLOB_HASH', `Expected a SHA-256 in hex for a blob but got "${hash}".`)
  }
  return hash
}

function missing(hash: string): never {
  throw new UserFault('E_BLOB_MISSING', `No picture or file ${hash} is stored here.`, {
    fields: { hash },
    cure: 'It may have been removed by "pupil cache prune".',
  })
}
