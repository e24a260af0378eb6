import { z } from 'zod'
import { jobDocument } from '../../../app/index.ts'
import type { JobDocument, Pupil } from '../../../app/index.ts'
import { UserFault } from '../../../base/index.ts'
import type { Clock } from '../../../base/index.ts'
import { pageOf, paging } from '../api/paging.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'
import { listReply } from '../api/schemas.ts'
import { resumeFrom } from '../run-events.ts'
import { sseResponse } from '../sse.ts'
import type { SseEvent } from '../sse.ts'

const STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

const job = z.looseObject({
  id: z.string(),
  kind: z.string(),
  lesson: z.string(),
  state: z.enum(STATES),
  error: z.string().nullable(),
  stages: z.array(z.string()).describe('those that are done: collect, tune, prove, apply'),
  tuned: z.unknown().describe('scores on held-out pictures, and what was discarded'),
  made: z.string().nullable().describe('the lesson that came of it'),
  nothing: z.string().nullable().describe('why none did'),
})

const jobsQuery = z.strictObject({ ...paging, state: z.enum(STATES).optional() })

const list = apiRoute<z.infer<typeof jobsQuery>>({
  ...{ method: 'get', path: '/v1/jobs', tag: 'jobs', scope: 'read' },
  about: 'Work in the background, newest first.',
  query: jobsQuery,
  reply: { about: 'a page of jobs', schema: listReply('jobs', job) },
  handle: async ({ c, context, query: { state, ...page } }) => {
    const all = (await context.pupil.learning.jobs.list()).filter(
      (one) => state === undefined || one.state === state,
    )
    const { items, ...rest } = pageOf(all, page, {
      idOf: ({ id }) => id,
      address: state === undefined ? '/v1/jobs' : `/v1/jobs?state=${state}`,
    })
    return c.json({ jobs: items.map(jobDocument), ...rest })
  },
})

const get = apiRoute({
  ...{ method: 'get', path: '/v1/jobs/:id', tag: 'jobs', scope: 'read' },
  about: 'A job, and how far it is.',
  reply: { about: 'the job', schema: job },
  handle: async ({ c, context, param }) => c.json(await documentOf(context.pupil, param('id'))),
})

const cancel = apiRoute({
  ...{ method: 'post', path: '/v1/jobs/:id/cancel', tag: 'jobs', scope: 'learn' },
  about: 'Stops a job; what it had done is left where it is, and nothing of it acts.',
  reply: { about: 'the job as it is now', schema: job },
  handle: async ({ c, context: { pupil }, param }) => {
    await documentOf(pupil, param('id'))
    await pupil.learning.jobs.cancel(param('id'))
    return c.json(await documentOf(pupil, param('id')))
  },
})

const tune = apiRoute({
  ...{ method: 'post', path: '/v1/lessons/:id/tune', tag: 'jobs', scope: 'learn' },
  about: 'Asks for prompts to be tuned for a lesson; the same job for the same lesson.',
  reply: { status: 202, about: 'the job', schema: job },
  handle: async ({ c, context: { pupil }, param }) => {
    const { lesson } = await pupil.learning.lesson(param('id'))
    const made = await pupil.learning.jobs.tune(lesson.id)
    return c.json(jobDocument(made), 202, { location: `/v1/jobs/${made.id}` })
  },
})

const eventsQuery = z.strictObject({
  after: z.string().optional().describe('as Last-Event-ID, for who cannot send headers'),
})

const events = apiRoute<z.infer<typeof eventsQuery>>({
  ...{ method: 'get', path: '/v1/jobs/:id/events', tag: 'jobs', scope: 'read' },
  about:
    'How a job goes on, as server-sent events `progress` and `finish` that hold the job; comes back after Last-Event-ID.',
  query: eventsQuery,
  reply: { about: 'events until the job ends', media: 'text/event-stream' },
  handle: async ({ c, context: { pupil, clock }, query, param }) => {
    const after = resumeFrom(c.req.header('last-event-id') ?? query.after)
    await documentOf(pupil, param('id'))
    return sseResponse((signal) => jobEvents(pupil, param('id'), { after, clock, signal }), {
      ...{ signal: c.req.raw.signal, clock },
    })
  },
})

/** Milliseconds between two looks: whoever does the job may be another process. */
const LOOK_EVERY = 500

/** Each change of a job, the newest state only; what a listener missed on the way is in it. */
export async function* jobEvents(
  pupil: Pick<Pupil, 'learning'>,
  id: string,
  options: { readonly after: number; readonly clock: Clock; readonly signal: AbortSignal },
): AsyncIterable<SseEvent> {
  const { clock, signal } = options
  let seen = options.after
  while (!signal.aborted) {
    const data = await documentOf(pupil, id)
    const isOver = data.state !== 'waiting' && data.state !== 'running'
    if (isOver || data.updatedAt > seen) {
      yield { event: isOver ? 'finish' : 'progress', id: data.updatedAt, data }
    }
    if (isOver) return
    seen = data.updatedAt
    await clock.sleep(LOOK_EVERY, signal).catch(() => {})
  }
}

async function documentOf({ learning }: Pick<Pupil, 'learning'>, id: string): Promise<JobDocument> {
  const found = await learning.jobs.get(id)
  if (found !== undefined) return jobDocument(found)
  throw new UserFault('E_NO_JOB', `There is no job "${id}" here.`, { fields: { job: id } })
}

/** Work on lessons in the background. */
export const JOB_ROUTES: readonly ApiRoute[] = [list, get, cancel, tune, events]
