import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to edit a picture, as it came over the wire. */
export interface FakeEdit {
  readonly path: string
  readonly authorization: string | undefined
  /** Text fields of the form. */
  readonly fields: Readonly<Record<string, string>>
  /** Files of the form. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The body, when it is JSON and no form. */
  readonly json?: unknown
}

/** What the server answers: a status, and an object that is sent as JSON or a text that is sent as it is. */
export interface FakeEditAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: object | string
}

export interface FakePictureServer {
  readonly address: string
  readonly edits: readonly FakeEdit[]
  [Symbol.asyncDispose](): Promise<void>
}

/** A server on 127.0.0.1 that is asked to edit pictures: real HTTP, real multipart forms. */
export async function fakePictureServer(
  answer: (edit: FakeEdit) => FakeEditAnswer | Promise<FakeEditAnswer>,
): Promise<FakePictureServer> {
  const edits: FakeEdit[] = []
  const server = createServer((incoming, outgoing) => {
    const reply = async (): Promise<void> => {
      const edit = await readEdit(incoming)
      edits.push(edit)
      const { status = 200, headers = {}, body } = await answer(edit)
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    // Whoever asked sees a broken connection, and its test fails by that.
    reply().catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    edits,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function readEdit(incoming: IncomingMessage): Promise<FakeEdit> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const type = incoming.headers['content-type'] ?? ''
  const head = { path: incoming.url ?? '', authorization: incoming.headers.authorization }
  if (type.startsWith('application/json')) {
    return { ...head, fields: {}, files: {}, json: JSON.parse(body.toString('utf8')) as unknown }
  }
  const form = await new Response(body, { headers: { 'content-type': type } }).formData()
  const fields: Record<string, string> = {}
  const files: Record<string, Uint8Array> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value
    else files[name] = new Uint8Array(await value.arrayBuffer())
  }
  return { ...head, fields, files }
}
