import { join } from 'node:path'
import type { Abortable, Progress } from '../base/index.ts'
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
export async function openWorld(config: Config, options: WorldOptions = {}) {
  const world = await import('../../world/index.ts')
  const place = { cacheFolder: join(config.cache, 'world'), ...options }
  return {
    styles: [...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE],
    scene: (request: Parameters<typeof world.worldScene>[0]) => world.worldScene(request, place),
    tasks: (request: Parameters<typeof world.worldTasks>[0]) => world.worldTasks(request, place),
    write: world.exportTasks,
    pictures: (words: string, search: Parameters<typeof world.worldPictures>[1]) =>
      world.worldPictures(words, search, place),
    stats: async () =>
      world.worldStats(
        await world.openLibrary([...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE], place),
      ),
  }
}
