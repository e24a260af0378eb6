import { createServer as createSocketServer } from 'node:net'
import type { Server as SocketServer, Socket } from 'node:net'
import type { Server } from 'node:http'
import { answerHot, isHot, MOST_HOT } from './hot-routes.ts'
import type { Controller } from './controller.ts'

/** Bytes of a head at most; what is longer is left to Node's own parser. */
const MOST_HEAD = 8 * 1024
/** A connection without a whole request for this long is closed. */
const IDLE_MS = 75_000

/**
 * A server that answers what a controller is asked thousands of times a second on the bare socket, and hands every
 * connection with anything else to an HTTP server, bytes read so far included.
 *
 * It spares each of them Node's HTTP objects: a parser, a message, a response and their streams. Only plain requests
 * are read here: POST, HTTP/1.1, one length, no encoding, no expectation, headers of one line each. What is in any way
 * unusual is Node's to judge. `npm run bench:controller` shows what it is worth.
 */
export function hotSocketServer(controller: Controller, others: Server): SocketServer {
  const server = createSocketServer({ noDelay: true }, (socket) => {
    new HotConnection(socket, controller, others)
  })
  return server
}

/** One connection, until it ends or is handed over. */
class HotConnection {
  readonly #socket: Socket
  readonly #controller: Controller
  readonly #others: Server
  /** Bytes that are no whole request yet. */
  #held: Buffer | undefined
  /** An answer that is waited for: what comes after it must not overtake it. */
  #busy = false

  constructor(socket: Socket, controller: Controller, others: Server) {
    this.#socket = socket
    this.#controller = controller
    this.#others = others
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.on('data', this.#onData)
    // A reset is the client's affair; the connection is gone either way.
    socket.on('error', this.#onError)
  }

  readonly #onError = (): void => void this.#socket.destroy()

  readonly #onData = (chunk: Buffer): void => {
    this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    if (!this.#busy) this.#work()
  }

  #work(): void {
    while (this.#held !== undefined && !this.#busy) {
      const read = readRequest(this.#held)
      if (read === 'more') return
      if (read === 'other') return this.#handOver(this.#held)
      this.#held = read.end === this.#held.length ? undefined : this.#held.subarray(read.end)
      const answer = answerHot(this.#controller, read.path, read.body)
      if (answer instanceof Promise) {
        this.#busy = true
        void answer.then((told) => {
          this.#busy = false
          this.#write(told)
          this.#work()
        })
      } else {
        this.#write(answer)
      }
    }
  }

  #write({ status, text }: { readonly status: number; readonly text: string }): void {
    if (this.#socket.destroyed) return
    const line =
      status === 200 ? '200 OK' : status === 400 ? '400 Bad Request' : '500 Internal Server Error'
    this.#socket.write(
      `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\ndate: ${httpDate()}\r\n\r\n${text}`,
    )
  }

  /** From here on the connection is an ordinary one of the HTTP server. */
  #handOver(bytes: Buffer): void {
    const socket = this.#socket
    this.#held = undefined
    socket.off('data', this.#onData)
    socket.off('error', this.#onError)
    socket.removeAllListeners('timeout')
    socket.setTimeout(0)
    socket.pause()
    socket.unshift(bytes)
    this.#others.emit('connection', socket)
    socket.resume()
  }
}

interface HotRequest {
  readonly path: string
  readonly body: string
  /** Where it ends in the bytes. */
  readonly end: number
}

/** What breaks the plain form: a line ended otherwise, a folded header, or a header that changes the reading. */
const UNUSUAL =
  /[^\r]\n|\r[^\n]|\0|\r\n[ \t]|\r\n(?:transfer-encoding|expect|upgrade|connection:\s*(?!keep-alive\s*\r\n)|content-length[^:])/i
const LENGTH = /\r\ncontent-length:[ \t]*(\d{1,6})[ \t]*(?=\r\n)/gi
const LINE = /^POST (\/[a-z_]+) HTTP\/1\.1\r\n/

/** The first request of some bytes, when it is whole and plain. */
export function readRequest(bytes: Buffer): HotRequest | 'more' | 'other' {
  const at = bytes.indexOf('\r\n\r\n')
  if (at < 0) {
    const start = bytes.toString('latin1', 0, 6)
    return bytes.length > MOST_HEAD || !'POST /'.startsWith(start) ? 'other' : 'more'
  }
  const head = bytes.toString('latin1', 0, at + 2)
  const path = LINE.exec(head)?.[1]
  if (path === undefined || !isHot(path) || UNUSUAL.test(head)) return 'other'
  const lengths = [...head.matchAll(LENGTH)]
  const mentioned = head.match(/\r\ncontent-length/gi)?.length ?? 0
  const length = Number(lengths[0]?.[1] ?? NaN)
  if (lengths.length !== 1 || mentioned !== 1 || !(length <= MOST_HOT)) return 'other'
  const end = at + 4 + length
  if (bytes.length < end) return 'more'
  return { path, body: bytes.toString('utf8', at + 4, end), end }
}

let second = 0
let dateText = ''

/** The date of answers, made once a second. */
function httpDate(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    dateText = new Date(now * 1000).toUTCString()
  }
  return dateText
}
