import type { Model } from '../graph.ts'
import { prepare } from '../lower/prepare.ts'
import type { OpenSessionOptions } from '../open-session.ts'
import { openSession } from '../open-session.ts'
import type { RunOptions, RunTensors, Session } from '../session.ts'
import type { Injection } from './inject.ts'
import { inject } from './inject.ts'
import { promptKey } from './prompt-key.ts'

/** A model that runs with prompts, or as it is where there are none. */
export interface PromptedModel extends AsyncDisposable {
  /** What prompts must have been learnt for. */
  readonly key: string
  /**
   * Runs the model. Without prompts, or with prompts that are all zero, the untouched graph runs, bit
   * for bit: zero vectors among keys would take attention.
   */
  run(feeds: RunTensors, prompts?: RunTensors, options?: RunOptions): Promise<RunTensors>
  close(): Promise<void>
}

export interface OpenPromptedOptions {
  /** Pictures in a prompted run. */
  readonly batch: number
  /** For each input that has free sizes, all of its sizes in a prompted run. */
  readonly sizes?: Readonly<Record<string, readonly number[]>>
  readonly session?: OpenSessionOptions
  readonly signal?: AbortSignal
}

/** Opens a model for an injection; the prompted graph is made when prompts first come. */
export async function openPrompted(
  model: Model,
  injection: Injection,
  options: OpenPromptedOptions,
): Promise<PromptedModel> {
  const settings = {
    ...options.session,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  }
  const plain = await openSession(model, settings)
  let prompted: Promise<Session> | undefined
  const openEdited = async (): Promise<Session> => {
    const shapeOptions = settings.thread === undefined ? {} : { thread: settings.thread }
    const prepared = await prepare(model, options.sizes ?? {}, shapeOptions)
    const edited = await inject(prepared, injection, options.batch, shapeOptions)
    return openSession(edited.model, settings)
  }
  const close = async (): Promise<void> => {
    await plain.close()
    await (await prompted)?.close()
  }
  return Object.freeze({
    key: promptKey(model, injection),
    run: async (feeds: RunTensors, prompts?: RunTensors, run: RunOptions = {}) => {
      if (prompts === undefined || isNothing(prompts)) return plain.run(feeds, run)
      prompted ??= openEdited()
      const session = await prompted
      const known = new Set(session.inputs.map(({ name }) => name))
      // Inputs of which the model reads nothing but the size are gone from the edited graph.
      const used = Object.entries(feeds).filter(([name]) => known.has(name))
      return session.run({ ...Object.fromEntries(used), ...prompts }, run)
    },
    close,
    [Symbol.asyncDispose]: close,
  })
}

/** True when there is no prompt, or every number of every prompt is zero. */
export function isNothing(prompts: RunTensors): boolean {
  return Object.values(prompts).every(({ data }) => [...data].every((v) => Number(v) === 0))
}
