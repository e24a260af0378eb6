import { join } from 'node:path'
import type { Abortable, Progress } from '../base/index.ts'
import { createImage } from '../image/index.ts'
import type { PictureToIndex } from '../tools/index.ts'
import type { Config } from './config.ts'

export type { Scene as WorldScene } from '../../world/index.ts'

/** Where the picture world keeps its sprites, and who hears of the building. */
interface WorldOptions extends Abortable {
  readonly progress?: Progress
}

/**
 * The generated picture world for doors: loaded when asked for, its sprites kept in the cache folder.
 *
 * @source picture-world §13
 */
export async function openWorld(config: Pick<Config, 'cache'>, options: WorldOptions = {}) {
  const world = await import('../../world/index.ts')
  const place = { cacheFolder: join(config.cache, 'world'), ...options }
  return {
    styles: [...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE],
    scene: (request: Parameters<typeof world.worldScene>[0]) => world.worldScene(request, place),
    tasks: (request: Parameters<typeof world.worldTasks>[0]) => world.worldTasks(request, place),
    write: world.exportTasks,
    /** Drawings of every concept for an index by looks: its name, and its meaning in WordNet. */
    named: async (each: number): Promise<readonly PictureToIndex[]> => {
      const library = await world.openLibrary(world.TRAIN_STYLES, place)
      const { lexicon } = library
      const source = world.createPictureSource(lexicon, library.sprites)
      const drawn = new Set(library.sprites.map(({ concept }) => concept))
      return [...drawn].sort().flatMap((id) => {
        const { label } = lexicon.concept(id)
        const entity = `wordnet:${lexicon.synset(id).id}`
        return source.search(label, { n: each }).map((found, i) => ({
          ...{ id: `${id}/${i}`, stamp: found.id, title: label, entity, licence: found.licence },
          read: async () => createImage(found.rgb, found.width, found.height),
        }))
      })
    },
    pictures: (words: string, search: Parameters<typeof world.worldPictures>[1]) =>
      world.worldPictures(words, search, place),
    stats: async () =>
      world.worldStats(
        await world.openLibrary([...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE], place),
      ),
  }
}
