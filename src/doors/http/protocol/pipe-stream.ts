import { Agent, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { reasonOf } from './ask-worker.ts'
import { failureFrame } from './frame.ts'
import type { Worker, WorkerTable } from './worker-table.ts'

/** Milliseconds until a worker must begin to answer; FastChat's proxy waits as long. */
export const PROXY_MS = 100_000

/** Connections to workers are kept: a stream of frames is short beside the making of a connection. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })

export interface Piping {
  readonly worker: Worker
  readonly body: string
  readonly table: WorkerTable
  /** Milliseconds until the worker must begin. */
  readonly patienceMs?: number
}

/**
 * A worker's stream to a client, bytes as they come, from socket to socket: web streams in between cost
 * some 80 ms at 500 streams.
 *
 * What goes wrong is one frame of failure with its reason, as everywhere in the protocol. When the client goes,
 * the worker's request ends.
 */
export async function pipeStream(
  outgoing: ServerResponse,
  { worker, body, table, patienceMs = PROXY_MS }: Piping,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const url = new URL(`${worker.address}/worker_generate_stream`)
  const send = url.protocol === 'https:' ? secureRequest : request
  const asked = send(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    ...(url.protocol === 'https:' ? {} : { agent }),
  })
  const timer = setTimeout(() => asked.destroy(new Error('it did not answer')), patienceMs)
  let gone = false
  const end = (last?: Uint8Array): void => {
    clearTimeout(timer)
    if (!gone) {
      if (!outgoing.headersSent) outgoing.writeHead(200)
      outgoing.end(last)
    }
    resolve()
  }
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return
    gone = true
    asked.destroy()
    resolve()
  })
  asked.on('error', (error) => {
    if (gone || outgoing.headersSent) return end()
    const reason = reasonOf(error)
    table.failed(worker.address, reason)
    end(failureFrame(3, `${worker.address} cannot be reached: ${reason}.`))
  })
  asked.on('response', (incoming) => {
    clearTimeout(timer)
    if (incoming.statusCode !== 200) {
      incoming.resume()
      return end(failureFrame(3, `${worker.address} answered ${incoming.statusCode}.`))
    }
    relay(incoming, outgoing, {
      done: () => end(),
      broke: (reason) => {
        table.failed(worker.address, reason)
        // A frame that was cut is ended first, so that the reader sees two and not one.
        if (!gone) outgoing.write(new Uint8Array([0]))
        end(failureFrame(3, `${worker.address} broke off: ${reason}.`))
      },
    })
  })
  asked.end(body)
  return promise
}

/** Bytes from one socket to the other; a client that reads slowly slows its worker, and no other. */
function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ends: { readonly done: () => void; readonly broke: (reason: string) => void },
): void {
  // Each frame leaves when it comes.
  outgoing.socket?.setNoDelay(true)
  outgoing.writeHead(200)
  incoming.on('data', (chunk: Uint8Array) => {
    if (outgoing.write(chunk)) return
    incoming.pause()
    outgoing.once('drain', () => incoming.resume())
  })
  let ended = false
  incoming.on('end', () => {
    ended = true
    ends.done()
  })
  incoming.on('close', () => {
    if (!ended && !outgoing.writableEnded && !outgoing.destroyed) ends.broke('connection closed')
  })
  incoming.on('error', () => {}) // told by close
}
