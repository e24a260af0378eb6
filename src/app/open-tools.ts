import { UserFault } from '../base/index.ts'
import type { Abortable, Progress } from '../base/index.ts'
import { iou } from '../image/index.ts'
import type { Box, Image } from '../image/index.ts'
import type { ActingMemory, ExampleEncoder } from '../learning/index.ts'
import { NO_BACKENDS, photoBackends, starterBackends } from '../tools/index.ts'
import type {
  Backends,
  Finding,
  PhotoBackends,
  PhotoOptions,
  StarterBackends,
} from '../tools/index.ts'
import type { MemorySource } from './acting-memory.ts'
import { cacheFolders } from './cache.ts'
import type { Config } from './config.ts'

export interface OpenToolsOptions {
  readonly config: Config
  readonly progress: Progress
  readonly thread: PhotoOptions['thread']
  /** What was learnt; default nothing. */
  readonly memory?: MemorySource
}

/** The back ends of the configured profile, and what learning needs of them. */
export interface OpenTools {
  readonly backends: Backends
  /** Numbers for things and for faces, for examples. */
  readonly things: ExampleEncoder
  readonly faces: ExampleEncoder
  /** Everything that is seen, however faintly, best first. */
  objects(image: Image, options?: Abortable): Promise<readonly Finding[]>
  /** The same tools with other memory; the models are shared. */
  withMemory(memory: ActingMemory): Backends
  /** The same tools for another space; the models are shared, and stay open when it closes. */
  forSpace(memory: MemorySource): Promise<OpenTools>
  close(): Promise<void>
}

/** Opens the back ends of the configured profile; costs nothing until they are used. */
export async function openTools(options: OpenToolsOptions): Promise<OpenTools> {
  switch (options.config.profile) {
    case 'photo':
      return photoTools(options)
    case 'starter':
      return starterTools(options)
    case 'hub':
    case 'remote':
      return noTools(options.config.profile)
    default:
      return options.config.profile satisfies never
  }
}

function photoTools(options: OpenToolsOptions, models?: PhotoBackends['models']): OpenTools {
  const { config, progress, thread, memory } = options
  const cacheDir = cacheFolders(config).models
  const photo = photoBackends({
    ...{ cacheDir, progress, thread, ...memory },
    ...(models === undefined ? {} : { models }),
  })
  return {
    ...{ backends: photo.backends, things: photo.features, faces: faceEncoder(photo) },
    objects: (image, more) => photo.eyes.objects(image, more),
    withMemory: ({ taught, people }) =>
      photoBackends({
        ...{ cacheDir, models: photo.models, taught: async () => taught },
        people: async () => ((await photo.backends.identity?.enabled()) === true ? people : null),
      }).backends,
    forSpace: async (other) => photoTools({ ...options, memory: other }, photo.models),
    close: () => photo.close(),
  }
}

async function starterTools(
  options: OpenToolsOptions,
  models?: StarterBackends['models'],
): Promise<OpenTools> {
  const { thread, memory } = options
  const own = memory === undefined ? {} : { taught: memory.taught, learnt: memory.prompts }
  const starter = starterBackends({ thread, ...own, ...(models === undefined ? {} : { models }) })
  const learnables = await starter.learnables()
  return {
    backends: { ...starter.backends, learnables },
    things: starter.features,
    faces: noEncoder('faces', 'starter'),
    objects: (image, more) => starter.objects(image, more),
    withMemory: ({ taught, prompts = memory?.prompts }) =>
      starterBackends({
        ...{ models: starter.models, taught: async () => taught },
        ...(prompts === undefined ? {} : { learnt: prompts }),
      }).backends,
    forSpace: (other) => starterTools({ ...options, memory: other }, starter.models),
    close: () => starter.close(),
  }
}

function noTools(profile: string): OpenTools {
  return {
    ...{ backends: NO_BACKENDS, things: noEncoder('things', profile) },
    faces: noEncoder('faces', profile),
    objects: async () => [],
    withMemory: () => NO_BACKENDS,
    forSpace: async () => noTools(profile),
    close: async () => {},
  }
}

/** Says that the profile compares nothing of that sort. */
function noEncoder(what: string, profile: string): ExampleEncoder {
  return {
    name: 'none',
    embed: async () => {
      throw new UserFault('T_UNAVAILABLE', `The profile ${profile} cannot compare ${what}.`, {
        fields: { profile, what },
        cure: what === 'faces' ? 'Use --profile photo.' : 'Use --profile photo or starter.',
      })
    },
  }
}

/** Numbers for the face that a box shows. */
function faceEncoder({ backends }: PhotoBackends): ExampleEncoder {
  const { faces, identity } = backends
  return {
    name: 'photo/face-net',
    embed: async (image, box, options) => {
      const found = (await faces?.faces(image, options)) ?? []
      const [face] = found
        .filter(({ score }) => score > 0.5)
        .toSorted((a, b) => iou(roundedBox(b.box, image), box) - iou(roundedBox(a.box, image), box))
      if (face === undefined || identity === undefined) {
        throw new UserFault('E_PEOPLE', 'No face was found in the picture.', {
          cure: 'Give a picture in which the face is larger and looks at the camera.',
        })
      }
      return identity.embed(image, face, options)
    },
  }
}

/** A box in whole pixels of the picture. */
export function roundedBox(box: readonly number[], { width, height }: Image): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box
  return [
    Math.max(0, Math.floor(x1)),
    Math.max(0, Math.floor(y1)),
    Math.min(width, Math.ceil(x2)),
    Math.min(height, Math.ceil(y2)),
  ]
}
