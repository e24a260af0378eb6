import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { FetchPicture, Pupil } from '../../app/index.ts'
import type { Clock } from '../../base/index.ts'
import { systemClock, UserFault } from '../../base/index.ts'
import { mountApi } from './api/mount.ts'
import { guard } from './guard.ts'
import { liveRuns } from './live-runs.ts'
import type { LiveRuns } from './live-runs.ts'
import { liveTurns } from './live-turns.ts'
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
  handle(request: Request): Promise<Response>
  /** Ends what is going on; every listener hears it. */
  close(): Promise<void>
}

export interface DoorOptions {
  /** Host headers that are answered, such as `127.0.0.1:4173`; null answers any (tests, a proxy in front). */
  readonly hosts: readonly string[] | null
  /** The page; without it only the API answers. */
  readonly page?: PageFiles
  readonly clock?: Clock
  /** Fetches pictures that chats name by an address elsewhere; without it they are refused. */
  readonly fetchPicture?: FetchPicture | undefined
  /** Answers under `/mcp`, behind the same guard; another door, so it is handed in. */
  readonly mcp?: ((request: Request) => Promise<Response>) | undefined
}

/** What the routes share. */
export interface RouteContext {
  readonly pupil: Pupil
  readonly live: LiveRuns
  readonly turns: LiveTurns
  readonly clock: Clock
  readonly metrics: Metrics
  readonly fetchPicture?: FetchPicture | undefined
}

/** What the door keeps about a request. */
export interface DoorEnv {
  Variables: {
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
  const live = liveRuns()
  const turns = liveTurns()
  const { clock = systemClock, fetchPicture } = options
  const metrics = createMetrics()
  const context: RouteContext = { pupil, live, turns, clock, metrics, fetchPicture }
  const app = new Hono<DoorEnv>()
  app.onError((error) => problem(error))
  app.notFound((c) =>
    problem(new UserFault('E_NOT_FOUND', `There is nothing at ${new URL(c.req.url).pathname}.`)),
  )
  app.use(count(metrics, clock))
  app.use(guard(options.hosts))
  const maxSize = bodyBytes(pupil)
  app.use(bodyLimit({ maxSize, onError: () => problem(tooLarge(maxSize)) }))
  app.use(async (c, next) => {
    c.set('context', context)
    await next()
  })
  mountApi(app, apiRoutes())
  app.route('/v1', openAiRoutes())
  app.route('/api/chat', uiStreamRoutes())
  const { mcp } = options
  if (mcp !== undefined) app.all('/mcp', (c) => mcp(c.req.raw))
  if (options.page !== undefined) pageRoutes(app, options.page)
  return {
    handle: async (request) => app.fetch(request),
    close: async () => void (await Promise.all([live.close(), turns.close()])),
  }
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
