import type { OpenSessionOptions } from '../../../onnx/index.ts'
import type { Backends } from '../../backends.ts'
import type { Learnable } from '../../learnable.ts'
import { NO_PROMPTS } from '../../learnt-prompts.ts'
import type { LearntPrompts } from '../../learnt-prompts.ts'
import { openWordnet } from '../../sources/wordnet.ts'
import { learnableAnswerer, starterAnswerer, starterCaptioner } from './answerer.ts'
import { starterDetector } from './detector.ts'
import { starterEncoder } from './encoder.ts'
import type { Encoder } from './encoder.ts'
import { starterEyes } from './eyes.ts'
import { starterFiller } from './filler.ts'
import { learnableFiller } from './learnable-filler.ts'
import { starterLister } from './lister.ts'
import { starterMatcher } from './matcher.ts'
import { openStarterModels } from './models.ts'
import type { StarterModels } from './models.ts'
import { knownNames } from './names.ts'
import type { StarterParts } from './parts.ts'
import { learnableSegmenter, starterSegmenter } from './segmenter.ts'
import { starterTexts } from './texts.ts'

export interface StarterOptions {
  /** Folder of the models; default those that are shipped. */
  readonly folder?: string
  /** Prompts that act now; default none. */
  readonly learnt?: LearntPrompts
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
  encoder(): Promise<Encoder>
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
  const names = knownNames()
  const texts = starterTexts(models, names)
  const encoder = once(() => starterEncoder(models, texts))
  const parts: StarterParts = {
    ...{ models, names, texts, encoder, eyes: starterEyes(models, texts, names) },
    ...{ wordnet: once(openWordnet), learnt: options.learnt ?? NO_PROMPTS },
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
    },
    models,
    encoder,
    learnables: once(async () => [
      (await encoder()).learnable,
      await parts.eyes.learnable(),
      await learnableSegmenter(parts),
      await learnableAnswerer(parts),
      await learnableFiller(parts),
    ]),
    close,
    [Symbol.asyncDispose]: close,
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
