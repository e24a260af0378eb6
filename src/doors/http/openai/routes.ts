import { Hono } from 'hono'
import { runDocument, stepDocument } from '../../../app/index.ts'
import type { LiveRun, RunDocument, RunEvent } from '../../../app/index.ts'
import { errorData, errorLine } from '../../../base/index.ts'
import type { ErrorData } from '../../../base/index.ts'
import { CHAT_MODELS, chatTask, familyOf, HUNG_UP } from '../chat-task.ts'
import { checkBody } from '../check-body.ts'
import { dataStream } from '../data-stream.ts'
import type { DoorEnv, RouteContext } from '../door.ts'
import { statusOf } from '../problem.ts'
import { replyText, usageOf } from './reply.ts'
import type { Usage } from './reply.ts'
import { completionBody, refuseUnsupported, turnsOf } from './request.ts'
import type { CompletionBody } from './request.ts'

/** Chat completions in the form that OpenAI's clients speak; mount it at `/v1`. */
export function openAiRoutes(): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>()
  app.onError((error) => errorResponse(errorData(error)))
  app.get('/models', (c) =>
    c.json({ object: 'list', data: Object.keys(CHAT_MODELS).map(modelCard) }),
  )
  app.get('/models/:id', (c) => {
    familyOf(c.req.param('id'))
    return c.json(modelCard(c.req.param('id')))
  })
  app.post('/chat/completions', async (c) => {
    const context = c.get('context')
    const body = await checkBody(c.req.raw, completionBody)
    refuseUnsupported(body)
    const request = await chatTask(turnsOf(body), body.model, context)
    const { signal } = c.req.raw
    const run = await context.pupil.start(request, {
      ...(body.seed === undefined || body.seed === null ? {} : { seed: body.seed }),
    })
    context.live.add(run)
    const chat: Chat = { ...head(context, run, body), run, context }
    const origin = new URL(c.req.url).origin
    if (body.stream === true) {
      const usage = body.stream_options?.include_usage === true
      return dataStream((gone) => chunks(chat, { origin, usage, gone }), {
        ...{ signal, clock: context.clock },
        failed: (error) => errorBody(errorData(error)),
      })
    }
    signal.addEventListener('abort', () => run.cancel(HUNG_UP), { once: true })
    await run.result
    const { document, usage } = await ended(chat)
    if (document.error !== undefined) return errorResponse(document.error)
    const message = { role: 'assistant', content: replyText(document, origin), refusal: null }
    return c.json({
      ...{ id: chat.id, object: 'chat.completion', created: chat.created, model: chat.model },
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      ...{ usage, pupil: extras(document) },
    })
  })
  return app
}

interface Chat {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly run: LiveRun
  readonly context: RouteContext
}

function head({ clock }: RouteContext, run: LiveRun, { model }: CompletionBody) {
  return { id: `chatcmpl-${run.id}`, created: Math.floor(clock.now() / 1000), model }
}

function modelCard(id: string) {
  return {
    ...{ id, object: 'model', created: 0, owned_by: 'pupil' },
    ...{ name: id, description: CHAT_MODELS[id]?.about },
  }
}

async function ended({ run, context }: Chat): Promise<{ document: RunDocument; usage: Usage }> {
  const stored = await context.pupil.runs.get(run.id)
  const document = runDocument(stored, { place: (hash) => `/v1/blobs/${hash}` })
  return { document, usage: usageOf(stored) }
}

/** What the run was, for clients that know us: its address, and what was found. */
function extras({ run, family, image, tags, warnings, program }: RunDocument) {
  return { run, address: `/v1/runs/${run}`, family, program, image, tags, warnings }
}

interface Streaming {
  readonly origin: string
  /** Whether the client asked for a last chunk with usage. */
  readonly usage: boolean
  readonly gone: AbortSignal
}

async function* chunks(chat: Chat, { origin, usage, gone }: Streaming): AsyncIterable<unknown> {
  const { run, id, created, model } = chat
  gone.addEventListener('abort', () => run.cancel(HUNG_UP), { once: true })
  const chunk = (delta: object, finish: string | null = null) => ({
    ...{ id, object: 'chat.completion.chunk', created, model },
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(usage ? { usage: null } : {}),
  })
  yield chunk({ role: 'assistant', content: '' })
  for await (const event of run.events(0, { signal: gone })) {
    const thought = thoughtOf(event, run)
    if (thought !== undefined) yield chunk({ reasoning_content: `${thought}\n` })
  }
  if (gone.aborted) return
  await run.result
  const { document, usage: spent } = await ended(chat)
  if (document.error !== undefined) {
    yield errorBody(document.error)
    return
  }
  yield chunk({ content: replyText(document, origin) })
  yield { ...chunk({}, 'stop'), pupil: extras(document) }
  if (usage) yield { ...chunk({}), choices: [], usage: spent }
}

/** A step as a line of what clients show as thinking. */
function thoughtOf(event: RunEvent, run: LiveRun): string | undefined {
  if (event.type !== 'step') return undefined
  const { step } = event
  if (step.kind === 'plan') return step.plan
  if (step.kind === 'program') return step.program
  const call = stepDocument(step, run.task.inputs)
  if (call === undefined) return undefined
  const outcome = call.error === undefined ? JSON.stringify(call.result) : errorLine(call.error)
  return `${call.output} = ${call.tool}: ${outcome}`
}

/** An error in OpenAI's form; ours stands beside it. */
function errorBody(error: ErrorData) {
  const status = statusOf(error)
  const type =
    status === 404 ? 'not_found_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  const param = typeof error.fields.path === 'string' ? error.fields.path : null
  return { error: { message: errorLine(error), type, param, code: error.code } }
}

function errorResponse(error: ErrorData): Response {
  const retry: Record<string, string> =
    error.retryAfter === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(error.retryAfter / 1000)) }
  return Response.json(errorBody(error), {
    status: statusOf(error),
    headers: { 'cache-control': 'no-store', ...retry },
  })
}
