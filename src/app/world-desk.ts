import { join } from 'node:path'
import { expected } from '../base/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import { createImage, encodePng } from '../image/index.ts'
import type { PictureToIndex } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import type { Evaluation, EvaluateRequest } from './eval-desk.ts'

export type { Scene as WorldScene } from '../../world/index.ts'

/** Where the picture world keeps its sprites, and who hears of the building. */
interface WorldOptions extends Abortable {
  readonly progress?: Progress
}

/** Runs the frozen system on tasks of the picture world; loaded when asked for. */
export async function evaluateOnWorld(
  config: Config,
  env: Environment,
  request: EvaluateRequest = {},
): Promise<Evaluation> {
  const { evaluateWorld } = await import('./eval-desk.ts')
  return evaluateWorld(config, env, request)
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
    /** Scenes with their annotations as COCO has them; pictures are painted one by one. */
    annotated: async (
      count: number,
      { seed = 1, style }: { seed?: number; style?: string } = {},
    ) => {
      const all = [...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE]
      const chosen =
        style === undefined ? world.DEVELOPMENT_STYLE : all.find((one) => one === style)
      if (chosen === undefined) throw expected(all.join(', '), 'style', style)
      const library = await world.openLibrary([chosen], place)
      const made = Array.from({ length: count }, (_, i) =>
        library.scene({
          ...{ seed: seed * 100_000 + i, size: 256, styles: [chosen], objects: 2 + (i % 4) },
          ...{ wanted: [], tints: [], without: [], fresh: [] },
        }),
      )
      return {
        ...world.writeCoco(made, library.lexicon),
        scenes: function* () {
          for (const { image, recipe } of made) {
            const raw = library.paint(recipe)
            yield { file: image, png: encodePng(raw.rgb, raw.width, raw.height) }
          }
        },
      }
    },
    pictures: (words: string, search: Parameters<typeof world.worldPictures>[1]) =>
      world.worldPictures(words, search, place),
    stats: async () =>
      world.worldStats(
        await world.openLibrary([...world.TRAIN_STYLES, world.DEVELOPMENT_STYLE], place),
      ),
  }
}
