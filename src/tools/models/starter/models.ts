import { join } from 'node:path'
import { sha256 } from '../../../base/index.ts'
import type { Abortable } from '../../../base/index.ts'
import { openPrompted, openSession, readModel } from '../../../onnx/index.ts'
import type {
  Injection,
  Model,
  OpenSessionOptions,
  PromptedModel,
  Session,
} from '../../../onnx/index.ts'
import type { ModelStamp } from '../../../program/index.ts'
import { readCard, starterFolder } from './files.ts'
import type { StarterCard, StarterModel } from './files.ts'
import { readSubwords } from './subwords.ts'
import type { Subwords } from './subwords.ts'

export interface StarterModelsOptions {
  /** Default: the models that are shipped. */
  readonly folder?: string
  /** Where models run, default `here`; servers want `worker`. */
  readonly thread?: OpenSessionOptions['thread']
  /** Threads of one operation, default 1. */
  readonly threads?: number
}

/** A model that may be run with prompts: how it is read, and for what sizes it is edited. */
export interface PromptedPlan {
  readonly name: string
  readonly model: () => Promise<Model>
  readonly injection: Injection
  readonly sizes: Readonly<Record<string, readonly number[]>>
}

/** One loader for all starter models: opened when first asked for, shared, and closed together. */
export interface StarterModels extends AsyncDisposable {
  card(model: StarterModel): Promise<StarterCard>
  subwords(): Promise<Subwords>
  /** @param file  default `model.onnx` */
  session(model: StarterModel, file?: string): Promise<Session>
  /** The graph, for editing. */
  graph(model: StarterModel, file?: string): Promise<Model>
  /** A model behind an injection; without prompts the untouched graph runs. */
  prompted(plan: PromptedPlan): Promise<PromptedModel>
  /** Of the files of some models together: what a prompt was learnt for. */
  hash(...models: readonly StarterModel[]): Promise<string>
  /** Name and version; with its hash once the card was read. */
  stamp(model: StarterModel): ModelStamp
  close(): Promise<void>
}

/** The loader. Opens nothing by itself. */
export function openStarterModels(options: StarterModelsOptions = {}): StarterModels {
  const { thread = 'here', threads = 1 } = options
  const settings: OpenSessionOptions = { preset: 'inference', threads, thread }
  const once = rememberer()
  const cards = new Map<StarterModel, StarterCard>()
  const open: { close(): Promise<void> }[] = []
  const folder = (): string => options.folder ?? starterFolder()
  const kept = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const one = await opening
    open.push(one)
    return one
  }
  const card = (model: StarterModel): Promise<StarterCard> =>
    once(`card ${model}`, async () => {
      const read = await readCard(folder(), model)
      cards.set(model, read)
      return read
    })
  const path = async (model: StarterModel, file: string): Promise<string> => {
    await card(model)
    return join(folder(), model, file)
  }
  const graph: StarterModels['graph'] = (model, file = 'model.onnx') =>
    once(`graph ${model}/${file}`, async () => readModel(await path(model, file)))
  const close = async (): Promise<void> => {
    const closing = open.splice(0)
    once.forget()
    await Promise.all(closing.map((one) => one.close()))
  }
  return {
    card,
    subwords: () => once('subwords', () => readSubwords(join(folder(), 'subwords.json'))),
    session: (model, file = 'model.onnx') =>
      once(`session ${model}/${file}`, async () =>
        kept(openSession(await path(model, file), settings)),
      ),
    graph,
    prompted: ({ name, model, injection, sizes }) =>
      once(`prompted ${name}`, async () =>
        kept(openPrompted(await model(), injection, { batch: 1, sizes, session: settings })),
      ),
    hash: async (...models) => {
      const read = await Promise.all(models.map(card))
      return sha256(read.flatMap(({ files }) => Object.values(files)).join(' '))
    },
    stamp: (model) => {
      const read = cards.get(model)
      const known = read === undefined ? undefined : sha256(Object.values(read.files).join(' '))
      return {
        name: `starter/${model}`,
        ...(read === undefined ? {} : { version: read.version }),
        ...(known === undefined ? {} : { hash: known }),
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Rememberer {
  <T>(key: string, make: () => Promise<T>): Promise<T>
  forget(): void
}

/** Makes each thing once; a failure is forgotten. */
function rememberer(): Rememberer {
  const made = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) as Promise<T> | undefined
    if (known !== undefined) return known
    const making = make()
    made.set(key, making)
    making.catch(() => made.delete(key))
    return making
  }
  return Object.assign(once, { forget: () => made.clear() })
}

/** Lets callers end waiting; the work itself is shared and goes on. */
export function checkSignal({ signal }: Abortable = {}): void {
  signal?.throwIfAborted()
}
