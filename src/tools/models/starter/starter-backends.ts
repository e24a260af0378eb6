import { isFault } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import type { Image } from '../../../image/index.ts'
import type { OpenSessionOptions } from '../../../onnx/index.ts'
import type { Backends, Finding } from '../../backends.ts'
import type { Learnable } from '../../learnable.ts'
import { NO_PROMPTS } from '../../learnt-prompts.ts'
import type { LearntPrompts } from '../../learnt-prompts.ts'
import type { TaughtSource } from '../../taught.ts'
import { exemplarLook } from '../photo/exemplars.ts'
import type { Features, Likeness } from '../photo/features.ts'
import { openWordnet } from '../../sources/wordnet.ts'
import { learnableAnswerer, starterAnswerer, starterCaptioner } from './answerer.ts'
import { starterDetector } from './detector.ts'
import { dot, starterEncoder } from './encoder.ts'
import type { Encoder } from './encoder.ts'
import { starterEyes } from './eyes.ts'
import { starterFiller } from './filler.ts'
import { learnableFiller } from './learnable-filler.ts'
import { starterLister } from './lister.ts'
import { starterMatcher } from './matcher.ts'
import { openStarterModels } from './models.ts'
import type { StarterModels } from './models.ts'
import { starterNamer } from './namer.ts'
import { knownNames } from './names.ts'
import type { StarterParts } from './parts.ts'
import { learnableSegmenter, starterSegmenter } from './segmenter.ts'
import { starterTexts } from './texts.ts'
import { anythingOf } from './things.ts'

export interface StarterOptions {
  /** Folder of the models; default those that are shipped. */
  readonly folder?: string
  /** Prompts that act now; default none. */
  readonly learnt?: LearntPrompts
  /** What people taught by example; default nothing. */
  readonly taught?: TaughtSource
  /** Whether VQA finds and measures what can be; default true. False shows the answerer alone. */
  readonly measure?: boolean
  /** Where models run, default `here`; servers want `worker`. */
  readonly thread?: OpenSessionOptions['thread']
  /** Threads of one operation, default 1. */
  readonly threads?: number
  /** Models opened elsewhere; they are then closed there. */
  readonly models?: StarterModels
}

/** The back ends for drawings, and what else the starter models give. */
export interface StarterBackends extends AsyncDisposable {
  readonly backends: Backends
  readonly models: StarterModels
  /** For learning concepts from a few examples. */
  readonly features: Features
  /** Boxes of anything in a picture, however faint, best first. */
  objects(image: Image, options?: Abortable): Promise<readonly Finding[]>
  /** The models for which prompts can be learnt. */
  learnables(): Promise<readonly Learnable[]>
  close(): Promise<void>
}

/**
 * Everything that works on drawings offline, on the small models that we trained: the papers' tools at a
 * laptop's size. Costs nothing until it is used.
 *
 * @source picture-world §9
 */
export function starterBackends(options: StarterOptions = {}): StarterBackends {
  const models = options.models ?? openStarterModels(options)
  const { names, texts, encoder, features, namer, eyes, wordnet } = sharedOver(models)
  const objects: StarterBackends['objects'] = async (image, options) =>
    anythingOf(await eyes.known(image, options), names)
      .filter(({ score }) => score > FAINT)
      .toSorted((a, b) => b.score - a.score)
  const taught =
    options.taught && exemplarLook({ eyes: { objects }, features, taught: options.taught })
  const parts: StarterParts = {
    ...{ models, names, texts, encoder, eyes, namer },
    ...{ wordnet, learnt: options.learnt ?? NO_PROMPTS },
    measure: options.measure ?? true,
    ...(taught === undefined ? {} : { taught }),
  }
  const close = async (): Promise<void> => {
    if (options.models === undefined) await models.close()
  }
  return {
    backends: {
      detectors: [starterDetector(parts)],
      segmenters: [starterSegmenter(parts)],
      matchers: [starterMatcher(parts)],
      answerers: [starterAnswerer(parts)],
      captioners: [starterCaptioner(parts)],
      fillers: [starterFiller(parts)],
      listers: [starterLister(parts)],
      ...(taught === undefined ? {} : { taught }),
    },
    models,
    features,
    objects,
    learnables: once(async () => {
      const all: Learnable[] = []
      for (const one of LEARNABLES) all.push(...(await installed(() => one(parts))))
      return all
    }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What follows from the models alone. */
interface Shared extends Pick<
  StarterParts,
  'names' | 'texts' | 'encoder' | 'namer' | 'eyes' | 'wordnet'
> {
  readonly features: Features
}

const SHARED = new WeakMap<StarterModels, Shared>()

/**
 * The names read, the texts and pictures seen so far: back ends with other memory over the same models share them, so
 * that a dry run of a lesson reads and sees nothing twice.
 */
function sharedOver(models: StarterModels): Shared {
  const known = SHARED.get(models)
  if (known !== undefined) return known
  const names = knownNames()
  const texts = starterTexts(models, names)
  const encoder = once(() => starterEncoder(models, texts))
  const namer = starterNamer(encoder, texts, names)
  const made: Shared = {
    ...{ names, texts, encoder, namer, features: encoderFeatures(encoder) },
    ...{ eyes: starterEyes({ models, texts, names, namer }), wordnet: once(openWordnet) },
  }
  SHARED.set(models, made)
  return made
}

const LEARNABLES: readonly ((parts: StarterParts) => Promise<Learnable>)[] = [
  async ({ encoder }) => (await encoder()).learnable,
  ({ eyes }) => eyes.learnable(),
  learnableSegmenter,
  learnableAnswerer,
  learnableFiller,
]

/** None for a model that is not there: its tool says so when it is called. */
async function installed(open: () => Promise<Learnable>): Promise<readonly Learnable[]> {
  try {
    return [await open()]
  } catch (error) {
    if (isFault(error) && error.code === 'E_STARTER_MODEL') return []
    throw error
  }
}

/** What is seen at all. */
const FAINT = 0.05

/**
 * Crops from this cosine on show the same concept. Measured by `node bench/learning-likeness.ts` on a drawing style that
 * the encoder never saw: crops of other new concepts are nearer than that to one example, or to the nearest of several,
 * one time in a hundred.
 */
const LIKENESS: Likeness = {
  like: dot,
  from: (examples) => Math.min(0.54, 0.45 + 0.04 * Math.log2(Math.max(1, examples))),
}

/** The encoder as example memory wants it. */
function encoderFeatures(encoder: () => Promise<Encoder>): Features {
  return {
    name: 'starter/encoder-192',
    ...{ size: 192, likeness: LIKENESS },
    embed: async (image, box, options) => (await encoder()).learnable.feature(image, box, options),
  }
}

/** Opens at the first call; forgets a failure. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined
  return async () => {
    opening ??= open()
    try {
      return await opening
    } catch (error) {
      opening = undefined
      throw error
    }
  }
}
