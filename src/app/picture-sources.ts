import { basename, join } from 'node:path'
import { isFault, sha256, Unavailable } from '../base/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import type { Learnt } from '../memory/index.ts'
import { openPictureIndex, pictureFolder, pictureIndexSource, vectorIndex } from '../tools/index.ts'
import type { PictureEncoder, PictureIndex, SourceProvider } from '../tools/index.ts'
import type { Config } from './config.ts'
import { openWorld } from './world-desk.ts'

/** From this cosine on, the photo encoder's pictures are of one kind (photo-starter §9). */
const LIKE_FROM = 0.62
/** Drawings of each concept in the index of the picture world. */
const DRAWINGS = 2

export interface PictureSourcesSetup {
  readonly config: Pick<Config, 'sources' | 'cache'>
  readonly encoder: () => Promise<PictureEncoder>
  readonly learnt: () => Promise<Learnt>
  readonly progress: Progress
}

export interface PictureSearches {
  readonly sources: readonly SourceProvider[]
  /** What of the folder could not be used, or why none of it; known once it was searched. */
  problems(): readonly string[]
}

/**
 * Image search on this machine: what people taught, the pictures of a folder, the drawings of the picture
 * world. Nothing is opened or encoded before the first search.
 */
export async function pictureSearches(setup: PictureSourcesSetup): Promise<PictureSearches> {
  const { config, encoder: open, learnt, progress } = setup
  const { pictureFolder: folder, world } = config.sources
  const encoder = whenAsked(open)
  const file = (name: string): string => join(config.cache, 'pictures', `${name}.json`)
  const index = { file, encoder, progress }
  let problems: readonly string[] = []
  const sources = [
    pictureIndexSource({
      ...{ id: 'taught', encoder, likeFrom: LIKE_FROM, taught: true },
      index: async () => taughtIndex(await learnt(), (await open()).name),
    }),
    ...(folder === undefined
      ? []
      : [
          pictureIndexSource({
            ...{ id: 'pictures', encoder, likeFrom: LIKE_FROM },
            index: kept(async (options) => {
              const opened = await folderIndex(folder, index, options).catch((error: unknown) => {
                if (isFault(error)) problems = [error.message]
                throw error
              })
              problems = opened.problems
              return opened
            }),
          }),
        ]),
    ...(world !== true
      ? []
      : [
          pictureIndexSource({
            ...{ id: 'picture-world', encoder, likeFrom: LIKE_FROM },
            index: kept((options) => worldIndex(config, index, options)),
          }),
        ]),
  ]
  return { sources, problems: () => problems }
}

/** An encoder that is opened at its first use; its name is only needed by what opens it. */
function whenAsked(open: () => Promise<PictureEncoder>): PictureEncoder {
  return {
    name: 'when asked',
    embed: async (image, box, options) => (await open()).embed(image, box, options),
  }
}

function kept(make: (options: Abortable) => Promise<PictureIndex>) {
  let made: Promise<PictureIndex> | undefined
  return (options: Abortable): Promise<PictureIndex> => {
    made ??= make(options)
    // A build that was stopped is begun again by whoever asks next.
    made.catch(() => (made = undefined))
    return made
  }
}

/** What people said that regions show; read at each search, so that a lesson acts at once. */
async function taughtIndex(learnt: Learnt, encoder: string): Promise<PictureIndex> {
  const exemplars = await learnt.exemplars()
  const usable = exemplars.filter(
    (one) => one.kind === 'thing' && one.positive && one.encoder === encoder,
  )
  return vectorIndex(
    usable.map(({ id, concept, feature }) => ({
      row: { id, stamp: id, title: concept, licence: 'your own lesson' },
      vector: feature,
    })),
  )
}

interface IndexParts {
  readonly file: (name: string) => string
  readonly encoder: PictureEncoder
  readonly progress: Progress
}

async function folderIndex(
  folder: string,
  { file, encoder, progress }: IndexParts,
  options: Abortable,
): Promise<PictureIndex> {
  const { pictures, problems } = await pictureFolder(folder, options).catch((cause: unknown) => {
    options.signal?.throwIfAborted()
    throw new Unavailable('E_TOOL', `the folder of pictures ${folder} cannot be read`, {
      ...{ fields: { provider: 'pictures', reason: 'config', folder }, cause },
      cure: 'Set "sources.pictureFolder" to a folder that exists.',
    })
  })
  const index = await openPictureIndex(pictures, {
    ...{ file: file(indexName(folder)), encoder, progress, signal: options.signal },
  })
  return { ...index, problems: [...problems, ...index.problems] }
}

/** A file name of its own for each folder, however long the path: readable, then a hash of all of it. */
export function indexName(folder: string): string {
  const plain = basename(folder).replace(/[^A-Za-z0-9-]+/g, '_')
  return `${plain.slice(0, 40)}-${sha256(folder).slice(0, 16)}`
}

/** Some drawings of every concept, by their names, each with its meaning in WordNet. */
async function worldIndex(
  config: Pick<Config, 'cache'>,
  { file, encoder, progress }: IndexParts,
  options: Abortable,
): Promise<PictureIndex> {
  const world = await openWorld(config, { ...options, progress })
  const pictures = await world.named(DRAWINGS)
  return openPictureIndex(pictures, {
    ...{ file: file('world'), encoder, progress, signal: options.signal },
  })
}
