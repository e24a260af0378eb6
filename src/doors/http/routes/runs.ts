import { z } from 'zod'
import type { LiveRun } from '../../../app/index.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiCall, ApiRoute } from '../api/route.ts'
import { nextAddress } from '../api/paging.ts'
import { flag, listReply, runReply, startedReply } from '../api/schemas.ts'
import { readRunBody, readRunForm, runBody } from '../read-request.ts'
import type { RunBody } from '../read-request.ts'
import { documentOf, liveEvents, pastEvents, resumeFrom } from '../run-events.ts'
import { sseResponse } from '../sse.ts'
import type { SseEvent } from '../sse.ts'
import { startedResponse } from '../started.ts'

/** A rationale runs no script and loads nothing; this makes sure of it. */
const RATIONALE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"

const waiting = z.strictObject({ wait: flag.describe('answer with the finished run') })

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  before: z.string().optional().describe('id of the last run of the page before'),
  family: z.string().optional(),
})

const about = { tag: 'runs', scope: 'read' as const }

const make = apiRoute<z.infer<typeof waiting>, RunBody | undefined>({
  ...{ method: 'post', path: '/v1/runs', tag: 'runs', scope: 'run' },
  about: 'Starts a run: asks, compares, edits, tags, or runs a program.',
  query: waiting,
  body: runBody,
  alsoReads: ['multipart/form-data'],
  reply: { status: 202, about: 'the run that goes on; its end with wait', schema: startedReply },
  handle: async ({ c, context, query, body }) => {
    const { pupil, live } = context
    const { request, options } =
      body === undefined ? await readRunForm(c.req.raw) : await readRunBody(body, pupil)
    const run = await pupil.start(request, options)
    live.add(run)
    return startedResponse(run, query.wait, context)
  },
})

const list = apiRoute<z.infer<typeof listQuery>>({
  ...{ ...about, method: 'get', path: '/v1/runs' },
  about: 'Runs, newest first.',
  query: listQuery,
  reply: { about: 'a page of runs', schema: listReply('runs', z.looseObject({ id: z.string() })) },
  handle: async ({ c, context, query }) => {
    const { limit, family } = query
    const runs = await context.pupil.runs.list(query)
    const last = runs.at(-1)
    if (runs.length < limit || last === undefined) return c.json({ runs })
    return c.json({ runs, next: nextAddress('/v1/runs', { limit, before: last.id, family }) })
  },
})

const get = apiRoute({
  ...{ ...about, method: 'get', path: '/v1/runs/:id' },
  about: 'A run with all its steps; by id, the beginning of it, or `last`.',
  reply: { about: 'the run', schema: runReply },
  handle: async ({ c, context, param }) => c.json(await documentOf(context, param('id'))),
})

const remove = apiRoute({
  ...{ method: 'delete', path: '/v1/runs/:id', tag: 'runs', scope: 'run' },
  about: 'Removes a run, stopping it first.',
  reply: { status: 204, about: 'it is gone' },
  handle: async ({ c, context, param }) => {
    const run = context.live.get(param('id'))
    if (run !== undefined) await cancelRun(run)
    await context.pupil.runs.remove(param('id'))
    return c.body(null, 204)
  },
})

const cancel = apiRoute({
  ...{ method: 'post', path: '/v1/runs/:id/cancel', tag: 'runs', scope: 'run' },
  about: 'Stops a run; what it had done is kept.',
  reply: { about: 'the run as it ended', schema: runReply },
  handle: async ({ c, context, param }) => {
    const run = context.live.get(param('id'))
    if (run !== undefined) await cancelRun(run)
    return c.json(await documentOf(context, param('id')))
  },
})

const replayBody = z.strictObject({
  from: z.number().int().nonnegative().optional().describe('index of the first step to run anew'),
})

const replay = apiRoute<unknown, z.infer<typeof replayBody>>({
  ...{ method: 'post', path: '/v1/runs/:id/replay', tag: 'runs', scope: 'run' },
  about: 'The run again from its record, without any model; with `from`, anew from that step on.',
  body: replayBody,
  reply: { status: 201, about: 'the new run', schema: runReply },
  handle: async ({ c, context, body, param }) => {
    const run = await context.pupil.replay(param('id'), {
      ...(body.from === undefined ? {} : { from: body.from }),
      signal: c.req.raw.signal,
    })
    return c.json(await documentOf(context, run.id), 201, { location: `/v1/runs/${run.id}` })
  },
})

const rationale = apiRoute({
  ...{ ...about, method: 'get', path: '/v1/runs/:id/rationale' },
  about: 'The run on one self-contained page of HTML.',
  reply: { about: 'the page', media: 'text/html' },
  handle: async ({ c, context, param }) =>
    c.html(await context.pupil.runs.html(param('id')), 200, {
      'content-security-policy': RATIONALE_POLICY,
    }),
})

const eventsQuery = z.strictObject({
  after: z.string().optional().describe('as Last-Event-ID, for who cannot send headers'),
})
type EventsQuery = z.infer<typeof eventsQuery>

const events = apiRoute<EventsQuery>({
  ...{ ...about, method: 'get', path: '/v1/runs/:id/events' },
  about:
    'The steps of a run as server-sent events `plan`, `program`, `step`, `progress`, `finish` and `failed`; comes back after Last-Event-ID.',
  query: eventsQuery,
  reply: { about: 'events until the run ends', media: 'text/event-stream' },
  handle: async ({ c, context, query, param }: ApiCall<EventsQuery>) => {
    const id = param('id')
    const after = resumeFrom(c.req.header('last-event-id') ?? query.after)
    const run = context.live.get(id)
    if (run === undefined) await context.pupil.runs.get(id)
    const source = (signal: AbortSignal): AsyncIterable<SseEvent> =>
      run === undefined
        ? pastEvents(context, id, after)
        : liveEvents(context, run, { after, signal })
    return sseResponse(source, { signal: c.req.raw.signal, clock: context.clock })
  },
})

/** Making, watching and reading runs. */
export const RUN_ROUTES: readonly ApiRoute[] = [
  ...[make, list, get, remove, cancel, replay, rationale, events],
]

async function cancelRun(run: LiveRun): Promise<void> {
  run.cancel('You stopped it.')
  await run.result.catch(() => {})
}
