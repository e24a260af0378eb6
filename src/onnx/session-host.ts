import { Worker } from 'node:worker_threads'
import type { ErrorData } from '../base/index.ts'
import { Bug, ModelFault, orAbort, Unavailable, UserFault } from '../base/index.ts'
import type { Model, ValueInfo } from './graph.ts'
import { portable } from './portable.ts'
import type { ProgramPart, ProgramRequest } from './prompts/program.ts'
import type { PartOptions, ProgramInfo, StepProgram } from './prompts/step-program.ts'
import type { SessionOptions } from './session-options.ts'
import type { RunTensor, RunTensors, Session } from './session.ts'
import { checkFeeds } from './session.ts'
import type { LeanModel } from './write-model.ts'

/** What the worker is asked. */
export type HostCall =
  | { readonly kind: 'open'; readonly model: LeanModel; readonly options: SessionOptions }
  | {
      readonly kind: 'run'
      readonly session: number
      readonly feeds: RunTensors
      readonly fetch?: readonly string[]
    }
  | { readonly kind: 'close'; readonly session: number }
  | { readonly kind: 'compile'; readonly model: Model; readonly request: ProgramRequest }
  | {
      readonly kind: 'open-part'
      readonly program: number
      readonly part: ProgramPart
      readonly held: RunTensors
      readonly options: SessionOptions
    }
  | { readonly kind: 'forget'; readonly program: number }

export interface HostRequest {
  readonly id: number
  readonly call: HostCall
}

export type HostReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorData }

/** What `open` answers. */
export interface Opened {
  readonly session: number
  readonly inputs: readonly ValueInfo[]
  readonly outputs: readonly ValueInfo[]
}

/** What `compile` answers. */
export interface Compiled {
  readonly program: number
  readonly info: ProgramInfo
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * A worker thread that holds sessions, so that running them does not block the event loop.
 *
 * Calls are worked off one after another. An abort answers at once; what already runs is finished by the
 * worker and dropped. The worker keeps the process alive only while something is asked of it.
 */
export class SessionHost implements AsyncDisposable {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #next = 0
  #gone: unknown

  constructor() {
    // Beside this file, with the same ending: TypeScript in the source, JavaScript in the build.
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#worker = new Worker(new URL(`./session-worker.${ending}`, import.meta.url))
    this.#worker.unref()
    this.#worker.on('message', (reply: HostReply) => this.#settle(reply))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(ended()))
  }

  /** Opens a session in the worker; the model's bytes are given to it. */
  async open(
    model: LeanModel,
    options: SessionOptions & { readonly signal?: AbortSignal } = {},
  ): Promise<Session> {
    const { signal, ...plain } = options
    const call = { kind: 'open', model, options: plain } as const
    return this.#opened(this.#ask(call, [model.bytes.buffer as ArrayBuffer]), signal)
  }

  /** Makes the step graph of a tuning in the worker; its sessions run there too. */
  async compile(
    model: Model,
    request: ProgramRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<StepProgram> {
    const asked = this.#ask({ kind: 'compile', model: portable(model), request })
    const forget = ({ program }: Compiled): Promise<unknown> =>
      this.#ask({ kind: 'forget', program })
    const made = await orGiveBack(asked as Promise<Compiled>, forget, signal)
    return {
      ...made.info,
      open: (part, held, options) => this.#openPart(made.program, part, held, options),
      close: async () => {
        if (this.#gone === undefined) await forget(made)
      },
    }
  }

  #openPart(
    program: number,
    part: ProgramPart,
    held: RunTensors,
    { signal, ...options }: PartOptions,
  ): Promise<Session> {
    const { feeds, transfer } = packFeeds(held, false)
    const call = { kind: 'open-part', program, part, held: feeds, options } as const
    return this.#opened(this.#ask(call, transfer), signal)
  }

  async #opened(asked: Promise<unknown>, signal: AbortSignal | undefined): Promise<Session> {
    const close = ({ session }: Opened): Promise<unknown> => this.#ask({ kind: 'close', session })
    return this.#sessionOf(await orGiveBack(asked as Promise<Opened>, close, signal))
  }

  #sessionOf({ session, inputs, outputs }: Opened): Session {
    let open = true
    const close = async (): Promise<void> => {
      if (!open) return
      open = false
      if (this.#gone === undefined) await this.#ask({ kind: 'close', session })
    }
    return Object.freeze<Session>({
      inputs,
      outputs,
      run: async (feeds, { fetch, transfer = false, signal } = {}) => {
        signal?.throwIfAborted()
        checkFeeds(feeds, inputs)
        const packed = packFeeds(feeds, transfer)
        const call = { kind: 'run', session, feeds: packed.feeds, ...(fetch && { fetch }) } as const
        const asked = this.#ask(call, packed.transfer)
        return (await orAbort(asked, signal)) as RunTensors
      },
      close,
      [Symbol.asyncDispose]: close,
    })
  }

  /**
   * Ends the worker and every session in it. Who waits is told at once; the thread ends when its native
   * call has come back, since ending a thread inside one brings the process down.
   */
  async close(): Promise<void> {
    if (this.#gone === undefined) {
      const others = [...this.#waiting]
      const idle = this.#ask({ kind: 'close', session: -1 })
      this.#gone = ended()
      for (const [id, { reject }] of others) {
        this.#waiting.delete(id)
        reject(this.#gone)
      }
      await idle.catch(() => undefined)
    }
    await this.#worker.terminate()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #ask(call: HostCall, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone)
    const id = this.#next++
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, call } satisfies HostRequest, transfer)
      this.#waiting.set(id, { resolve, reject })
      this.#worker.ref()
    })
  }

  #settle(reply: HostReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('error' in reply) waiting?.reject(faultOf(reply.error))
    else waiting?.resolve(reply.result)
  }

  #fail(reason: unknown): void {
    this.#gone ??= reason
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}

/** What comes of work; what comes too late is given back. */
async function orGiveBack<T>(
  work: Promise<T>,
  giveBack: (late: T) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await orAbort(work, signal)
  } catch (error) {
    work.then(giveBack).catch(() => undefined)
    throw error
  }
}

/**
 * Feeds as they are sent: a view of something larger is copied out, since sending it would copy all of
 * the larger thing; whole arrays are copied by sending, or given away when that is wanted.
 */
function packFeeds(
  feeds: RunTensors,
  transfer: boolean,
): { readonly feeds: RunTensors; readonly transfer: ArrayBuffer[] } {
  const given = new Set<ArrayBuffer>()
  const packed = Object.entries(feeds).map(([name, tensor]): [string, RunTensor] => {
    const { data } = tensor
    if (!ArrayBuffer.isView(data)) return [name, tensor]
    const whole = data.byteLength === data.buffer.byteLength
    const sent = whole ? data : data.slice()
    if (!whole || transfer) given.add(sent.buffer as ArrayBuffer)
    return [name, { ...tensor, data: sent }]
  })
  return { feeds: Object.fromEntries(packed), transfer: [...given] }
}

/** The buffers of tensors, each once. */
export function buffersOf(tensors: RunTensors): ArrayBuffer[] {
  const buffers = Object.values(tensors).flatMap(({ data }) =>
    Array.isArray(data) ? [] : [(data as Uint8Array).buffer as ArrayBuffer],
  )
  return [...new Set(buffers)]
}

/** An error that crossed the threads as data, in its class again. */
function faultOf(data: ErrorData): Error {
  const classes = { ModelFault, UserFault, Unavailable, Bug }
  return new classes[data.kind](data.code, data.message, {
    fields: data.fields,
    ...(data.cure === undefined ? {} : { cure: data.cure }),
    ...(data.cause === undefined ? {} : { cause: new Error(data.cause) }),
  })
}

function ended(): UserFault {
  return new UserFault('E_ONNX_CLOSED', 'The worker with the session was closed.', {
    cure: 'Open it again.',
  })
}
