import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, Clock } from '../base/index.ts'
import type { PictureStore } from '../stores/index.ts'
import type { Config } from './config.ts'

/** A place on disk. */
export interface CacheEntry {
  readonly name: string
  readonly path: string
  readonly files: number
  readonly bytes: number
  /** True when it can be made again. */
  readonly disposable: boolean
}

export interface CacheShelf {
  list(): Promise<readonly CacheEntry[]>
  /** Deletes what can be made again, and pictures that no run uses. */
  prune(): Promise<{ readonly files: number; readonly bytes: number }>
}

/** Folders under the cache; the key is what `cache ls` calls them. */
export function cacheFolders({ cache }: Pick<Config, 'cache'>) {
  return {
    models: join(cache, 'models'),
    thumbnails: join(cache, 'thumbnails'),
    replies: join(cache, 'replies'),
    sources: join(cache, 'sources'),
    page: join(cache, 'page'),
  } as const
}

/** Where the bytes of pictures lie. */
export function blobFolder({ data }: Pick<Config, 'data'>): string {
  return join(data, 'blobs')
}

/** A picture this young may belong to a run that is about to be written by another process. */
const YOUNG_MS = 60 * 60 * 1000

export function cacheShelf(
  config: Config,
  parts: {
    readonly blobs: BlobStore
    readonly pictures: () => Promise<PictureStore>
    readonly clock: Clock
  },
): CacheShelf {
  const folders = Object.entries(cacheFolders(config))
  return {
    list: async () => {
      const disposable = folders.map(([name, path]) => entryOf(name, path, true))
      const precious = [
        entryOf('pictures', blobFolder(config), false),
        ...(/^[a-z]+:\/\//.test(config.store) ? [] : [entryOf('runs', config.store, false)]),
      ]
      return Promise.all([...disposable, ...precious])
    },
    prune: async () => {
      let files = 0
      let bytes = 0
      for (const [name, path] of folders) {
        const entry = await entryOf(name, path, true)
        await rm(path, { recursive: true, force: true })
        files += entry.files
        bytes += entry.bytes
      }
      const pictures = await parts.pictures()
      for (const blob of await pictures.prune(parts.clock.now() - YOUNG_MS)) {
        // Put again in the meantime: it stays.
        if ((await pictures.byBlob(blob)) !== undefined) continue
        bytes += (await parts.blobs.get(blob).catch(() => new Uint8Array())).length
        await parts.blobs.remove(blob)
        files++
      }
      return { files, bytes }
    },
  }
}

async function entryOf(name: string, path: string, disposable: boolean): Promise<CacheEntry> {
  const sizes = await sizesUnder(path)
  return { name, path, files: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0), disposable }
}

/** Sizes of all files under a path; nothing there is no files. */
async function sizesUnder(path: string): Promise<readonly number[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isDirectory()) return [found.size]
  const names = await readdir(path, { recursive: true, withFileTypes: true })
  return Promise.all(
    names
      .filter((one) => one.isFile())
      .map(async (one) => (await stat(join(one.parentPath, one.name))).size),
  )
}
