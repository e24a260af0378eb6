import type { Clock, Random } from '../../../base/index.ts'
import { seededRandom, systemClock } from '../../../base/index.ts'
import { askStatus, readStatus, reasonOf } from './ask-worker.ts'
import type { Fetch } from './ask-worker.ts'
import { failureFrame } from './frame.ts'
import { PROXY_MS } from './pipe-stream.ts'
import { WorkerTable } from './worker-table.ts'
import type { DispatchMethod, Worker, WorkerStatus } from './worker-table.ts'

export interface ControllerOptions {
  readonly clock?: Clock
  readonly random?: Random
  readonly fetch?: Fetch
  readonly method?: DispatchMethod
  readonly expireMs?: number
}

/** A controller: which workers there are, and who gets the next request. */
export interface Controller {
  readonly table: WorkerTable
  /** Without a status the worker is asked; false when it does not answer. */
  register(worker: {
    readonly address: string
    readonly beats: boolean
    readonly status?: WorkerStatus | undefined
    readonly multimodal?: boolean
  }): Promise<boolean>
  /** Asks all workers side by side; none is dropped for being slow. */
  refresh(): Promise<void>
  /** The address for a name; a doubtful worker is probed first. `''` when there is none. */
  address(name: string): Promise<string>
  /** The same at once; undefined when a worker must be probed first. */
  addressNow(name: string): string | undefined
  /** The worker of a name, when frames may go from socket to socket; undefined with a fetch of one's own. */
  piped(model: string): Promise<Worker | undefined>
  /** The stream of the worker for a model, or one frame that says why not. */
  generate(body: string, model: string, signal: AbortSignal): Promise<Response>
  /** Looks after expiry and failed workers until the signal fires. */
  sweep(signal: AbortSignal): Promise<void>
  /** Requests served since the start, by kind. */
  readonly counts: Readonly<Record<string, number>>
}

const SWEEP_MS = 10_000

/** @source llava-plus §5.1 */
export function createController(options: ControllerOptions = {}): Controller {
  const { clock = systemClock, fetch: send = fetch, random = seededRandom(Date.now()) } = options
  const table = new WorkerTable({ ...options, clock, random })
  const counts: Record<string, number> = {}
  const count = (kind: string): void => void (counts[kind] = (counts[kind] ?? 0) + 1)
  const probe = async ({ address }: Worker): Promise<boolean> => {
    try {
      table.answered(address, await askStatus(send, address))
      return true
    } catch (error) {
      const reason = reasonOf(error)
      const refused = /ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH/.test(reason)
      if (refused) table.failed(address, reason)
      else table.silent(address, reason)
      return false
    }
  }
  const chosen = async (name: string): Promise<Worker | undefined> => {
    const worker = table.choose(name)
    if (worker !== undefined) return worker
    const doubtful = table.doubtful(name)
    if (doubtful.length === 0) return undefined
    await Promise.all(doubtful.map(probe))
    return table.choose(name)
  }
  return {
    table,
    counts,
    register: async ({ address, beats, status, multimodal }) => {
      count('register')
      try {
        const known = status ?? (await askStatus(send, address))
        table.register(address, known, beats, multimodal)
        return true
      } catch {
        // The protocol has no word for a registration that failed: it is simply not listed.
        count('register_failed')
        return false
      }
    },
    refresh: async () => {
      count('refresh')
      await Promise.all(table.list().map(probe))
    },
    address: async (name) => {
      count('address')
      return (await chosen(name))?.address ?? ''
    },
    addressNow: (name) => {
      const worker = table.choose(name)
      if (worker === undefined && table.doubtful(name).length > 0) return undefined
      count('address')
      return worker?.address ?? ''
    },
    piped: async (model) => {
      if (options.fetch !== undefined) return undefined
      const worker = await chosen(model)
      if (worker !== undefined) count('generate')
      return worker
    },
    generate: async (body, model, signal) => {
      count('generate')
      const worker = await chosen(model)
      if (worker === undefined) {
        const known = table.names().join(', ') || 'none'
        return framed(failureFrame(2, `No worker has "${model}"; there are: ${known}.`))
      }
      return proxied({ worker, send, body, signal, table })
    },
    sweep: (signal) => sweeping(table, { probe, clock, signal }),
  }
}

/** Looks after expiry and failed workers until the signal fires. */
async function sweeping(
  table: WorkerTable,
  {
    probe,
    clock,
    signal,
  }: {
    readonly probe: (worker: Worker) => Promise<boolean>
    readonly clock: Clock
    readonly signal: AbortSignal
  },
): Promise<void> {
  while (!signal.aborted) {
    table.expire()
    const failed = table.list().filter(({ state }) => state === 'failed')
    await Promise.all(failed.map(probe))
    try {
      await clock.sleep(SWEEP_MS, signal)
    } catch {
      return // stopped
    }
  }
}

/** A stream answer: 200, chunked, no Content-Type, as the reference's. */
export function framed(
  body: Uint8Array<ArrayBuffer> | Uint8Array | ReadableStream<Uint8Array>,
): Response {
  const stream =
    body instanceof Uint8Array
      ? new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(body)
            controller.close()
          },
        })
      : body
  return new Response(stream, { status: 200 })
}

interface Proxying {
  readonly worker: Worker
  readonly send: Fetch
  readonly body: string
  readonly signal: AbortSignal
  readonly table: WorkerTable
}

async function proxied({ worker, send, body, signal, table }: Proxying): Promise<Response> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PROXY_MS)
  try {
    const response = await send(`${worker.address}/worker_generate_stream`, {
      ...{ method: 'POST', body, redirect: 'manual' },
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.any([signal, late.signal]),
    })
    if (response.ok && response.body !== null) return framed(closed(response.body, worker, table))
    await response.body?.cancel()
    return framed(failureFrame(3, `${worker.address} answered ${response.status}.`))
  } catch (error) {
    const reason = reasonOf(error)
    if (!signal.aborted) table.failed(worker.address, reason)
    return framed(failureFrame(3, `${worker.address} cannot be reached: ${reason}.`))
  } finally {
    clearTimeout(timer)
  }
}

/** The worker's bytes; when they break off in the middle, a frame of failure ends the stream. */
function closed(
  body: ReadableStream<Uint8Array>,
  worker: Worker,
  table: WorkerTable,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        table.failed(worker.address, reasonOf(error))
        // A frame that was cut is ended first, so that the reader sees two and not one.
        controller.enqueue(new Uint8Array([0]))
        controller.enqueue(failureFrame(3, `${worker.address} broke off: ${reasonOf(error)}.`))
        controller.close()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Name, speed and queue of all together: a controller can be the worker of another. */
export async function totalStatus(controller: Controller): Promise<WorkerStatus> {
  await controller.refresh()
  const alive = controller.table.list().filter(({ state }) => state === 'ok')
  return {
    model_names: [...new Set(alive.flatMap(({ names }) => names))],
    speed: alive.reduce((sum, { speed }) => sum + speed, 0),
    queue_length: alive.reduce((sum, { queue }) => sum + queue, 0),
  }
}

export { readStatus }
