import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { errorData, errorLine, isFault } from '../../../base/index.ts'
import type { Controller } from './controller.ts'
import { bodyOf, numberField, textField } from './read-body.ts'

type Body = Readonly<Record<string, unknown>>
type Answer = (controller: Controller, body: () => Body) => object | Promise<object>

/** What workers and chat servers ask all the time; bodies are small. */
const HOT: Readonly<Record<string, Answer>> = {
  '/receive_heart_beat': ({ table }, read) => {
    const body = read()
    const address = textField(body, 'worker_name').replace(/\/+$/, '')
    return { exist: table.beat(address, numberField(body, 'queue_length')) }
  },
  '/get_worker_address': async (controller, body) => ({
    address: await controller.address(textField(body(), 'model')),
  }),
  '/list_models': ({ table }) => ({ models: table.names() }),
}
const MOST = 64 * 1024

/**
 * The requests that come thousands of times, answered from the socket: no web request and no router in
 * between. Everything else, and a body that is not small, goes to the routes as ever; the answers are the same.
 */
export function hotRoutes(controller: Controller, others: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const answer = incoming.method === 'POST' ? HOT[incoming.url ?? ''] : undefined
    const length = Number(incoming.headers['content-length'] ?? NaN)
    if (answer === undefined || !(length <= MOST)) return others(incoming, outgoing)
    read(incoming, (text) => {
      // Thrown at once or later, a failure is told as the routes tell it.
      Promise.resolve(text)
        .then((body) => answer(controller, () => bodyOf(body)))
        .then(
          (reply) => send(outgoing, 200, reply),
          (error: unknown) => {
            const status = isFault(error) ? 400 : 500
            send(outgoing, status, { detail: errorLine(errorData(error)) })
          },
        )
    })
  }
}

function read(incoming: IncomingMessage, done: (text: string) => void): void {
  let text = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (chunk: string) => (text += chunk))
  incoming.on('end', () => done(text))
}

function send(outgoing: ServerResponse, status: number, reply: object): void {
  const text = JSON.stringify(reply)
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  outgoing.end(text)
}
