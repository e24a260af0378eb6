import { normaliseName, pictureFolder } from '../../tools/index.ts'
import type { PictureSource } from '../../tools/index.ts'
import type { Abortable } from '../../base/index.ts'
import type { Image } from '../../image/index.ts'
import type { FoundExample, PictureFinder } from './finder.ts'

/**
 * Pictures of a folder on disk, by the names that folders or `metadata.jsonl` give them.
 *
 * @param folder  read anew at each search: people put pictures in while it runs
 */
export function folderFinder(folder: string): PictureFinder {
  return {
    name: 'pictures on disk',
    names: async (options) => {
      const { pictures } = await pictureFolder(folder, options)
      return [...new Set(pictures.map(({ title }) => normaliseName(title)))]
    },
    find: async (words, { most, ...options }) => {
      const { pictures } = await pictureFolder(folder, options)
      const wanted = normaliseName(words)
      const named = pictures.filter(({ title }) => normaliseName(title) === wanted)
      const found: FoundExample[] = []
      for (const { id, url, licence, read } of named.slice(0, most)) {
        const image = await read(options)
        found.push({ image, title: words, source: url ?? id, licence: licence ?? 'not said' })
      }
      return found
    },
  }
}

/**
 * Pictures that a search finds by words: Openverse, Wikimedia Commons, SearXNG.
 *
 * @param read  fetches and decodes a picture by its address
 */
export function searchFinder(
  source: PictureSource,
  read: (url: string, options?: Abortable) => Promise<Image>,
): PictureFinder {
  return {
    name: source.id,
    find: async (words, { most, signal }) => {
      const options = signal === undefined ? {} : { signal }
      const all = await source.find(words, { limit: most, ...options })
      const found: FoundExample[] = []
      for (const { url, thumbnail, page, title, licence, creator } of all) {
        // A picture that is gone or is none is no reason to give up the others.
        const image = await read(thumbnail ?? url, options).catch(() => undefined)
        signal?.throwIfAborted()
        if (image === undefined) continue
        found.push({
          ...{ image, title, source: page ?? url, licence: licence ?? source.licence },
          ...(creator === undefined ? {} : { creator }),
        })
      }
      return found
    },
  }
}
