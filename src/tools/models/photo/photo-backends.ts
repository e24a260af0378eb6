import type { Progress } from '../../../base/index.ts'
import type { OpenSessionOptions } from '../../../onnx/index.ts'
import type { Backends, PeopleSource } from '../../backends.ts'
import type { TaughtSource } from '../../taught.ts'
import { openWordnet } from '../../sources/wordnet.ts'
import type { Wordnet } from '../../sources/wordnet.ts'
import { wordnetLister } from '../../sources/wordnet-lister.ts'
import { photoAnswerer } from './answer/answerer.ts'
import { photoCaptioner } from './captioner.ts'
import { photoDetector } from './detector.ts'
import { exemplarLook } from './exemplars.ts'
import { openEyes } from './eyes.ts'
import type { Eyes } from './eyes.ts'
import { facesOf } from './faces-of.ts'
import { photoFaces } from './faces.ts'
import { photoFeatures } from './features.ts'
import type { Features } from './features.ts'
import { photoFiller } from './filler.ts'
import { photoIdentity } from './identity.ts'
import { photoMatcher } from './matcher.ts'
import { openPhotoModels } from './models.ts'
import type { PhotoModels } from './models.ts'
import { photoReader } from './reader.ts'
import { photoSegmenter } from './segmenter.ts'
import type { Sight } from './things.ts'
import { cocoVocabulary } from './vocabulary.ts'

export interface PhotoOptions {
  /** Folder for converted models; may be emptied at any time. */
  readonly cacheDir: string
  readonly progress?: Progress
  /** People known by face; null (the default) while identity is off. */
  readonly people?: PeopleSource
  /** What people taught by example; default nothing. */
  readonly taught?: TaughtSource
  /** Where models run, default `here`; servers want `worker`. */
  readonly thread?: OpenSessionOptions['thread']
  /** Threads of one operation, default 1. */
  readonly threads?: number
  /** Models opened elsewhere; they are then closed there. */
  readonly models?: PhotoModels
}

/** The back ends for photographs, and what else the photo models give. */
export interface PhotoBackends extends AsyncDisposable {
  readonly backends: Backends
  readonly models: PhotoModels
  /** For learning concepts from a few examples. */
  readonly features: Features
  /** What the models see, however faintly. */
  readonly eyes: Eyes
  /** The word lists behind LIST and the reading of words; opened when first needed. */
  wordnet(): Promise<Wordnet>
  close(): Promise<void>
}

/**
 * Everything that works on photographs offline. Costs nothing until it is used: models are opened at
 * the first look, word lists at the first word that no table has.
 */
export function photoBackends(options: PhotoOptions): PhotoBackends {
  const models = options.models ?? openPhotoModels(options)
  const eyes = openEyes(models)
  const wordnet = once(openWordnet)
  const identity = photoIdentity(models, options.people ?? (async () => null))
  const features = photoFeatures(models)
  const taught = options.taught && exemplarLook({ eyes, features, taught: options.taught })
  const sight: Sight = {
    ...{ eyes, vocabulary: cocoVocabulary(wordnet) },
    ...(taught === undefined ? {} : { taught }),
    ...(options.people === undefined ? {} : { people: facesOf(eyes, identity) }),
  }
  const segmenter = photoSegmenter(sight, models)
  const close = async (): Promise<void> => {
    if (options.models === undefined) await models.close()
  }
  return {
    backends: {
      detectors: [photoDetector(sight, models)],
      faces: photoFaces(eyes, models),
      identity,
      segmenters: [segmenter],
      matchers: [photoMatcher(sight, models, identity)],
      answerers: [photoAnswerer({ sight, models, segmenter, identity })],
      captioners: [photoCaptioner(sight, models)],
      reader: photoReader(eyes, models),
      fillers: [photoFiller(eyes)],
      listers: [wordnetLister(wordnet)],
      ...(taught === undefined ? {} : { taught }),
    },
    models,
    features,
    eyes,
    wordnet,
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
