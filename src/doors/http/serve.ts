import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Pupil } from '../../app/index.ts'
import { Unavailable, UserFault } from '../../base/index.ts'
import { createDoor } from './door.ts'
import type { DoorOptions } from './door.ts'
import { openPage } from './page-files.ts'

export interface ServeOptions {
  /** A loopback address. */
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  /** When false, a busy port is passed over for the next free one. */
  readonly exact: boolean
  /** Hears what takes time, such as building the page. */
  readonly note?: (text: string) => void
  /** What answers under `/mcp`. */
  readonly mcp?: DoorOptions['mcp']
  /** Stops the server. */
  readonly signal?: AbortSignal | undefined
}

export interface Running {
  readonly address: string
  readonly port: number
  /** Settles when the server has stopped. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Ports that are tried after a busy one. */
const TRIES = 20

/** Serves page and API on this machine until the signal fires. @throws UserFault `E_HOST`, Unavailable `E_PORT` */
export async function serve(pupil: Pupil, options: ServeOptions): Promise<Running> {
  const { host, note = () => {}, mcp } = options
  checkLoopback(host)
  const page = await openPage(pupil.config.cache, note)
  // The door is made once the port is known, because it answers to that name only.
  let handle = (_request: Request): Promise<Response> =>
    Promise.resolve(new Response(null, { status: 503 }))
  const server = createServer(getRequestListener((request) => handle(request)))
  const port = await listen(server, options)
  const door = createDoor(pupil, { hosts: hostNames(port), page, mcp })
  handle = door.handle
  const gone = Promise.withResolvers<void>()
  server.once('close', () => gone.resolve())
  const close = async (): Promise<void> => {
    server.close()
    await door.close()
    server.closeAllConnections()
    await gone.promise
  }
  options.signal?.addEventListener('abort', () => void close(), { once: true })
  const name = host.includes(':') ? `[${host}]` : host
  return { address: `http://${name}:${port}`, port, closed: gone.promise, close }
}

/** @throws UserFault `E_HOST` for an address that other machines can reach */
function checkLoopback(host: string): void {
  if (['127.0.0.1', '::1', 'localhost'].includes(host)) return
  throw new UserFault('E_HOST', `Pupil listens on this machine only, not on ${host}.`, {
    fields: { host },
    cure:
      'Whoever reached it could see and use everything here: nobody is asked who they are. Leave --host out, ' +
      'and let a server that signs people in (nginx, Caddy, an SSH tunnel) pass requests on.',
  })
}

/** Names under which the server may be called. */
function hostNames(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

async function listen(server: Server, { host, port, exact }: ServeOptions): Promise<number> {
  for (let n = 0; ; n++) {
    const wanted = port === 0 ? 0 : port + n
    const failure = await tryListen(server, host, wanted)
    if (failure === undefined) return (server.address() as { port: number }).port
    if (failure.code === 'EADDRINUSE' && !exact && n < TRIES) continue
    throw new Unavailable('E_PORT', `Cannot listen on ${host}:${wanted} (${failure.code}).`, {
      fields: { host, port: wanted, reason: failure.code },
      cure:
        failure.code === 'EADDRINUSE'
          ? 'Give another port with --port or PORT.'
          : 'Give another address with --host.',
      cause: failure,
    })
  }
}

function tryListen(
  server: Server,
  host: string,
  port: number,
): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', good)
      resolve(error)
    }
    const good = (): void => {
      server.off('error', failed)
      resolve(undefined)
    }
    server.once('error', failed)
    server.once('listening', good)
    server.listen(port, host)
  })
}
