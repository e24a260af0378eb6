import type { Hono } from 'hono'
import { runDocument, stepDocument } from '../../../app/index.ts'
import type { LiveRun, RunDocument, RunEvent } from '../../../app/index.ts'
import { checkNumber, errorData, UserFault } from '../../../base/index.ts'
import type { RouteContext } from '../door.ts'
import { readRunRequest } from '../read-request.ts'
import { sseResponse } from '../sse.ts'
import type { SseEvent } from '../sse.ts'

/** A rationale runs no script and loads nothing; this makes sure of it. */
const RATIONALE_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'self'"

const place = (hash: string): string => `/v1/blobs/${hash}`

/** Making, watching and reading runs. */
export function runRoutes(app: Hono, context: RouteContext): void {
  const { pupil, live } = context
  app.post('/v1/runs', async (c) => {
    const { request, options } = await readRunRequest(c.req.raw, pupil)
    const run = await pupil.start(request, options)
    live.add(run)
    const self = `/v1/runs/${run.id}`
    if (c.req.query('wait') !== 'true') {
      const { family, instruction } = run.task
      const made = {
        run: run.id,
        status: 'open',
        family,
        instruction,
        self,
        events: `${self}/events`,
      }
      return c.json(made, 202, { location: self })
    }
    await run.result
    return c.json(await document(context, run.id), 200, { location: self })
  })
  app.get('/v1/runs', async (c) => {
    const { limit, before, family } = c.req.query()
    const most =
      limit === undefined
        ? 20
        : checkNumber(Number(limit), 'limit', { min: 1, max: 200, integer: true })
    const runs = await pupil.runs.list({ limit: most, before, family })
    const last = runs.at(-1)
    const next =
      runs.length < most || last === undefined
        ? {}
        : { next: `/v1/runs?limit=${most}&before=${last.id}` }
    return c.json({ runs, ...next })
  })
  app.get('/v1/runs/:id', async (c) => c.json(await document(context, c.req.param('id'))))
  app.delete('/v1/runs/:id', async (c) => {
    const id = c.req.param('id')
    if (live.get(id) !== undefined) await cancel(live.get(id) as LiveRun)
    await pupil.runs.remove(id)
    return c.body(null, 204)
  })
  app.post('/v1/runs/:id/cancel', async (c) => {
    const run = live.get(c.req.param('id'))
    if (run === undefined) await pupil.runs.get(c.req.param('id'))
    else await cancel(run)
    return c.json(await document(context, c.req.param('id')))
  })
  app.get('/v1/runs/:id/rationale', async (c) => {
    const html = await pupil.runs.html(c.req.param('id'))
    return c.html(html, 200, { 'content-security-policy': RATIONALE_POLICY })
  })
  app.get('/v1/runs/:id/events', async (c) => {
    const id = c.req.param('id')
    const after = resumeFrom(c.req.header('last-event-id') ?? c.req.query('after'))
    const run = live.get(id)
    if (run === undefined) await pupil.runs.get(id)
    const source = (signal: AbortSignal): AsyncIterable<SseEvent> =>
      run === undefined
        ? pastEvents(context, id, after)
        : liveEvents(context, run, { after, signal })
    return sseResponse(source, { signal: c.req.raw.signal, clock: context.clock })
  })
}

async function document({ pupil }: RouteContext, id: string): Promise<RunDocument> {
  return runDocument(await pupil.runs.get(id), { place, masks: true })
}

async function cancel(run: LiveRun): Promise<void> {
  run.cancel('You stopped it.')
  await run.result.catch(() => {})
}

function resumeFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  const value = Number(text)
  if (Number.isInteger(value) && value >= 0) return value
  throw new UserFault('E_ARGUMENT', `Expected a whole number for Last-Event-ID but got "${text}".`)
}

async function* liveEvents(
  context: RouteContext,
  run: LiveRun,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): AsyncIterable<SseEvent> {
  for await (const event of run.events(after, { signal })) yield* await toSse(context, run, event)
}

async function toSse(
  context: RouteContext,
  run: LiveRun,
  event: RunEvent,
): Promise<readonly SseEvent[]> {
  const { id } = event
  switch (event.type) {
    case 'step':
      return [stepEvent(event.step, run.task.inputs, id)]
    case 'progress':
      return [{ event: 'progress', data: event.note }]
    case 'finish':
      return [{ event: 'finish', id, data: await document(context, run.id) }]
    case 'failed':
      return [{ event: 'failed', id, data: { error: errorData(event.error) } }]
    default:
      return event satisfies never
  }
}

/** A run of the past tells the same story, all at once. */
async function* pastEvents(
  context: RouteContext,
  id: string,
  after: number,
): AsyncIterable<SseEvent> {
  const run = await context.pupil.runs.get(id)
  for (const [index, step] of run.steps.entries()) {
    if (index + 1 > after) yield stepEvent(step, run.task.inputs, index + 1)
  }
  yield { event: 'finish', id: run.steps.length + 1, data: await document(context, id) }
}

type StepArgs = Parameters<typeof stepDocument>

function stepEvent(step: StepArgs[0], inputs: StepArgs[1], id: number): SseEvent {
  const call = stepDocument(step, inputs, { masks: true })
  if (call !== undefined) return { event: 'step', id, data: call }
  if (step.kind === 'program') {
    const { program, by, confidence, attempt } = step
    return { event: 'program', id, data: { program, by, confidence, attempts: attempt + 1 } }
  }
  if (step.kind === 'plan') return { event: 'plan', id, data: { plan: step.plan, by: step.by } }
  return { event: step.kind, id, data: {} }
}
