import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One answer of a source: whole, cut off, or never. */
export interface SourceAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Objects are sent as JSON. */
  readonly body?: unknown
  /** Declares the whole length, sends this many bytes, and closes the connection. */
  readonly cutAt?: number
  readonly hang?: boolean
}

export interface SourceRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

export interface FakeSourceServer {
  /** Such as `http://127.0.0.1:40001`. */
  readonly url: string
  readonly requests: readonly SourceRequest[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A server on 127.0.0.1 that answers as it is told: real HTTP. What was not told is status 501. */
export async function fakeSourceServer(
  answer: (request: SourceRequest, count: number) => SourceAnswer | undefined,
): Promise<FakeSourceServer> {
  const requests: SourceRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
      const { method = 'GET', headers } = incoming
      const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
      requests.push(request)
      const reply = answer(request, requests.length) ?? { status: 501, body: 'nothing is told' }
      if (reply.hang === true) return
      const isText = typeof reply.body === 'string' || reply.body === undefined
      const body = Buffer.isBuffer(reply.body)
        ? reply.body
        : Buffer.from(isText ? String(reply.body ?? '') : JSON.stringify(reply.body))
      const type = isText ? 'text/html; charset=utf-8' : 'application/json'
      outgoing.writeHead(reply.status ?? 200, {
        'content-type': type,
        'content-length': body.length,
        ...reply.headers,
      })
      if (reply.cutAt === undefined) outgoing.end(body)
      else outgoing.write(body.subarray(0, reply.cutAt), () => outgoing.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${port}`, requests, close, [Symbol.asyncDispose]: close }
}
