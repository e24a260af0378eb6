import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createController } from './controller.ts'
import type { Controller, ControllerOptions } from './controller.ts'
import { controllerRoutes, health, MOST_BYTES, protocolErrors } from './controller-routes.ts'
import type { ControllerRoutesOptions } from './controller-routes.ts'
import { hotSocketServer } from './hot-socket.ts'
import type { ChatHost, ToolHost } from './worker-hosts.ts'
import { chatRoutes, toolRoutes } from './worker-routes.ts'
import type { WorkerRoutesOptions } from './worker-routes.ts'

export interface ProtocolOptions
  extends ControllerOptions, ControllerRoutesOptions, WorkerRoutesOptions {
  /** Served as tool workers under `/workers/<name>`. */
  readonly tools?: ToolHost
  /** Served as a model worker under `/workers/<name>`. */
  readonly chat?: ChatHost
}

/** The protocol, mounted. */
export interface Protocol {
  readonly controller: Controller
  /** Registers our own workers, once the address at which they can be called is known. */
  announce(address: string): Promise<readonly string[]>
}

/**
 * Puts the whole serving protocol onto an app: controller at the root, our skills as tool workers and our
 * chat as a model worker under `/workers/<name>`, whose addresses the controller hands out.
 *
 * @param app  of the HTTP door; its own routes come first
 */
export function mountProtocol(app: Hono, options: ProtocolOptions = {}): Protocol {
  const controller = createController(options)
  const { tools, chat } = options
  app.route('/', controllerRoutes(controller, options))
  for (const name of tools?.names ?? []) {
    if (tools !== undefined) app.route(`/workers/${name}`, toolRoutes(tools, name, options))
  }
  if (chat !== undefined) app.route(`/workers/${chat.name}`, chatRoutes(chat, options))
  return {
    controller,
    announce: async (address) => {
      const names = [...(tools?.names ?? []), ...(chat === undefined ? [] : [chat.name])]
      for (const name of names) {
        const status = { model_names: [name], speed: 1, queue_length: 0 }
        const multimodal = name === chat?.name
        const worker = `${address}/workers/${encodeURIComponent(name)}`
        await controller.register({ address: worker, beats: false, status, multimodal })
      }
      return names
    },
  }
}

/** An app that speaks the protocol and nothing else, as `pupil serve --role controller` does. */
export function createProtocolApp(
  options: ProtocolOptions = {},
): Protocol & { readonly app: Hono } {
  const app = new Hono()
  protocolErrors(app, 'a controller of vision skills')
  app.use(bodyLimit({ maxSize: MOST_BYTES }))
  const protocol = mountProtocol(app, options)
  app.get('/health', (c) => c.json(health(protocol.controller)))
  return { app, ...protocol }
}

/** A running server of the protocol. */
export interface ProtocolServer {
  readonly address: string
  close(): Promise<void>
}

/** Listens; port 0 takes any free one. Announces our own workers and sweeps until it is closed. */
export async function serveProtocol(
  { app, announce, controller }: ReturnType<typeof createProtocolApp>,
  { host = '127.0.0.1', port = 21_001 }: { readonly host?: string; readonly port?: number } = {},
): Promise<ProtocolServer> {
  const others = createServer(getRequestListener(app.fetch))
  const server = hotSocketServer(controller, others)
  // It never listens itself; this begins its watch over slow heads and requests.
  others.emit('listening')
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(port, host, () => resolve())
  await promise
  const bound = (server.address() as { port: number }).port
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
  await announce(address)
  const stop = new AbortController()
  void controller.sweep(stop.signal)
  return {
    address,
    close: async () => {
      stop.abort()
      for (const socket of open) socket.destroy()
      others.close()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}
