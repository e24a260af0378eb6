import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { FetchPicture, Pupil, Scope } from '../../app/index.ts'
import type { Clock } from '../../base/index.ts'
import { systemClock, UserFault } from '../../base/index.ts'
import { authenticate, sessionRoutes } from './access/authenticate.ts'
import { allow, callersOf } from './access/callers.ts'
import type { Caller, Callers } from './access/callers.ts'
import { mountApi } from './api/mount.ts'
import type { ApiRoute } from './api/route.ts'
import { guard } from './guard.ts'
import type { LiveRuns } from './live-runs.ts'
import type { LiveTurns } from './live-turns.ts'
import { createMetrics } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { openAiRoutes } from './openai/routes.ts'
import type { PageFiles } from './page-files.ts'
import { problem } from './problem.ts'
import { apiRoutes } from './routes/index.ts'
import { pageRoutes } from './routes/page.ts'
import { uiStreamRoutes } from './ui-stream/routes.ts'

/** A way in that needs no socket. */
export interface Door {
  /** @param peer  where the request comes from, so that whoever guesses tokens can be made to wait */
  handle(request: Request, peer?: string): Promise<Response>
  /** Ends what is going on; every listener hears it. */
  close(): Promise<void>
}

export interface DoorOptions {
  /** Host headers that are answered, such as `127.0.0.1:4173`; null answers any (tests, a proxy in front). */
  readonly hosts: readonly string[] | null
  /** Only who has a token is answered, each in the space of its token; default: everybody, in one space. */
  readonly tokens?: boolean
  /** The page; without it only the API answers. */
  readonly page?: PageFiles
  readonly clock?: Clock
  /** Fetches pictures that chats name by an address elsewhere; without it they are refused. */
  readonly fetchPicture?: FetchPicture | undefined
  /** Answers under `/mcp` for the caller's assistant, behind the same guard; another door, so it is handed in. */
  readonly mcp?: ((request: Request, pupil: Pupil) => Promise<Response>) | undefined
}

/** What the routes share, of one caller. */
export interface RouteContext {
  /** In the caller's space, paid from its purse. */
  readonly pupil: Pupil
  readonly live: LiveRuns
  readonly turns: LiveTurns
  readonly clock: Clock
  readonly metrics: Metrics
  readonly fetchPicture?: FetchPicture | undefined
}

/** What the door keeps about a request. */
export interface DoorEnv {
  Bindings: { readonly peer?: string }
  Variables: {
    caller: Caller
    context: RouteContext
    /** Such as `/v1/runs/:id`. */
    route: string
  }
}

/** Files in a multipart body are counted together: two pictures and some text. */
function bodyBytes(pupil: Pupil): number {
  return Math.ceil(pupil.config.limits.bytes * 2.75) + 64 * 1024
}

/** The HTTP door to an open Pupil. */
export function createDoor(pupil: Pupil, options: DoorOptions): Door {
  const { clock = systemClock, fetchPicture, tokens = false, page } = options
  const metrics = createMetrics()
  const callers = callersOf(pupil, { clock, metrics, fetchPicture })
  const routes = apiRoutes()
  const app = new Hono<DoorEnv>()
  app.onError((error) => problem(error))
  app.notFound((c) =>
    problem(new UserFault('E_NOT_FOUND', `There is nothing at ${new URL(c.req.url).pathname}.`)),
  )
  app.use(count(metrics, clock))
  app.use(guard(options.hosts))
  const maxSize = bodyBytes(pupil)
  app.use(bodyLimit({ maxSize, onError: () => problem(tooLarge(maxSize)) }))
  app.use(tokens ? authenticate(callers, openTo(routes, page)) : asOwner(callers))
  if (tokens) sessionRoutes(app, callers)
  mountApi(app, routes)
  mountProtocols(app, options)
  if (page !== undefined) pageRoutes(app, page)
  return {
    handle: async (request, peer) => app.fetch(request, peer === undefined ? {} : { peer }),
    close: () => callers.close(),
  }
}

/** Protocols of others, which have no place in the table of routes. */
function mountProtocols(app: Hono<DoorEnv>, { mcp }: DoorOptions): void {
  app.use('/v1/models/*', needs('read'))
  app.use('/v1/chat/*', needs('read', 'run'))
  app.route('/v1', openAiRoutes())
  app.use('/api/chat/*', needs('read', 'run'))
  app.route('/api/chat', uiStreamRoutes())
  if (mcp === undefined) return
  app.use('/mcp', needs('read', 'run', 'learn'))
  app.all('/mcp', (c) => mcp(c.req.raw, c.get('context').pupil))
}

function needs(...scopes: readonly Scope[]): MiddlewareHandler<DoorEnv> {
  return async (c, next) => {
    allow(c.get('caller'), ...scopes)
    await next()
  }
}

function asOwner({ owner }: Callers): MiddlewareHandler<DoorEnv> {
  return async (c, next) => {
    c.set('caller', owner)
    c.set('context', owner.context)
    await next()
  }
}

/** What everybody may see: what no scope is needed for, the way in, and the files of the page but not the page. */
function openTo(
  routes: readonly ApiRoute[],
  page: PageFiles | undefined,
): (path: string) => boolean {
  const free = new Set(routes.flatMap(({ scope, path }) => (scope === null ? [path] : [])))
  return (path) =>
    free.has(path) ||
    ['/login', '/session', '/session/end'].includes(path) ||
    (page !== undefined && /^\/assets\/[\w.-]+$/.test(path))
}

function count(metrics: Metrics, clock: Clock): MiddlewareHandler<DoorEnv> {
  return async (c, next) => {
    const start = clock.tick()
    await next()
    const seconds = (clock.tick() - start) / 1000
    metrics.answered(c.req.method, c.get('route') ?? 'other', c.res.status, seconds)
  }
}

function tooLarge(limit: number): UserFault {
  return new UserFault(
    'E_BODY_TOO_LARGE',
    `The request is larger than ${Math.floor(limit / 2 ** 20)} MiB.`,
    {
      fields: { limit },
      cure: 'Send a smaller picture, or raise limits.bytes.',
    },
  )
}
