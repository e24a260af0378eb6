import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { getRequestListener } from '@hono/node-server'
import type { Pupil } from '../../app/index.ts'
import { Unavailable, UserFault } from '../../base/index.ts'
import { createDoor } from './door.ts'
import type { Door, DoorOptions } from './door.ts'
import { openPage } from './page-files.ts'

export interface ServeOptions {
  /** An address of this machine; one that others can reach only with `tokens`. */
  readonly host: string
  /** Only who has a token is answered. */
  readonly tokens?: boolean
  /** Names under which a proxy in front is called, such as `pupil.example`. */
  readonly names?: readonly string[]
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

/**
 * Serves page and API until the signal fires.
 *
 * @throws UserFault `E_HOST` for an address that others can reach without tokens, `E_NO_TOKENS` where nobody has one,
 *   Unavailable `E_PORT`
 */
export async function serve(pupil: Pupil, options: ServeOptions): Promise<Running> {
  const { host, note = () => {}, mcp, tokens = false, names = [] } = options
  if (!isLoopback(host) && !tokens) throw reachable(host)
  if (tokens && !(await pupil.tokens.any())) throw noTokens()
  const page = await openPage(pupil.config.cache, note)
  // The door is made once the port is known, because it answers to that name only.
  let handle: Door['handle'] = () => Promise.resolve(new Response(null, { status: 503 }))
  const server = createServer(
    getRequestListener((request, { incoming }) => handle(request, incoming.socket.remoteAddress)),
  )
  const port = await listen(server, options)
  const hosts = [...hostNames(isLoopback(host) ? LOCAL : reachableNames(host), port), ...names]
  const door = createDoor(pupil, { hosts, page, mcp, tokens })
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

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

function reachable(host: string): UserFault {
  return new UserFault(
    'E_HOST',
    `Others can reach ${host}, so only who has a token may be answered.`,
    {
      fields: { host },
      cure: 'Add --token, after "pupil token create NAME"; or leave --host out.',
    },
  )
}

function noTokens(): UserFault {
  return new UserFault('E_NO_TOKENS', 'Nobody has a token yet, so nobody could be answered.', {
    cure: 'Make one with "pupil token create NAME".',
  })
}

const LOCAL = ['127.0.0.1', 'localhost', '[::1]']

/** Names and addresses under which other machines reach this one. A name that somebody else chose is none. */
function reachableNames(host: string): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((one = []) =>
    one.map(({ address, family }) => (family === 'IPv6' ? `[${address.split('%')[0]}]` : address)),
  )
  const isAny = ['0.0.0.0', '::'].includes(host)
  const own = hostname().toLowerCase()
  const called = isAny ? [own, `${own}.local`] : [host.includes(':') ? `[${host}]` : host]
  return [...new Set([...LOCAL, ...addresses, ...called.map((name) => name.toLowerCase())])]
}

/** As the Host header says them. */
function hostNames(names: readonly string[], port: number): readonly string[] {
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
