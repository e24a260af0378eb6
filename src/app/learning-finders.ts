import type { Abortable, Clock, Progress } from '../base/index.ts'
import { decodePicture } from '../image/index.ts'
import type { Image } from '../image/index.ts'
import { folderFinder, searchFinder } from '../learning/index.ts'
import type { PictureFinder } from '../learning/index.ts'
import { commons, guardedFetch, normaliseName, openverse, searxngPictures } from '../tools/index.ts'
import type { PictureToIndex } from '../tools/index.ts'
import type { Config } from './config.ts'
import { lazy } from './lazy.ts'
import { openWorld } from './world-desk.ts'

export interface FindersSetup {
  readonly config: Pick<Config, 'sources' | 'cache'>
  readonly clock: Clock
  readonly progress: Progress
}

/** Drawings of each concept that the picture world offers as examples. */
const DRAWINGS = 10
/** Bytes of a picture from a search. */
const MOST_BYTES = 12 * 2 ** 20

/**
 * Where pictures of a concept are searched for, by what is configured: a folder on this disk, the picture world's
 * drawings, then searches that leave the machine (Openverse, Wikimedia Commons, SearXNG). Nothing is asked that is
 * not named in the configuration.
 */
export function pictureFinders({
  config,
  clock,
  progress,
}: FindersSetup): readonly PictureFinder[] {
  const {
    pictureFolder: folder,
    world,
    contact,
    searxng,
    openverse: open,
    commons: wiki,
  } = config.sources
  const agent = `Pupil/0.1 (${contact ?? 'no contact given'})`
  const fetch = guardedFetch({ userAgent: agent, maxBytes: MOST_BYTES })
  const read = async (url: string, { signal }: Abortable = {}): Promise<Image> => {
    const { body } = await fetch(url, signal === undefined ? {} : { signal })
    return (
      await decodePicture(body, { maxSide: 640, ...(signal === undefined ? {} : { signal }) })
    ).image
  }
  const contacted = contact === undefined ? {} : { contact }
  return [
    ...(folder === undefined ? [] : [folderFinder(folder)]),
    ...(world === true ? [worldFinder(config, progress)] : []),
    ...(open === true ? [searchFinder(openverse({ clock, ...contacted }), read)] : []),
    ...(wiki === true ? [searchFinder(commons({ clock, ...contacted }), read)] : []),
    ...(searxng === undefined
      ? []
      : [searchFinder(searxngPictures({ clock, url: searxng }), read)]),
  ]
}

/** Drawings of the training styles; never those that answers are tested on. */
function worldFinder(config: Pick<Config, 'cache'>, progress: Progress): PictureFinder {
  const drawings = lazy(async () => {
    const world = await openWorld(config, { progress })
    const all = await world.named(DRAWINGS)
    return Map.groupBy(all, ({ title }: PictureToIndex) => normaliseName(title))
  })
  return {
    name: 'picture world',
    names: async () => [...(await drawings()).keys()],
    find: async (words, { most, signal }) => {
      const own = (await drawings()).get(normaliseName(words)) ?? []
      const found = []
      for (const { id, licence = 'not said', read } of own.slice(0, most)) {
        const image = await read(signal === undefined ? {} : { signal })
        found.push({ image, title: words, source: `picture world ${id}`, licence })
      }
      return found
    },
  }
}
