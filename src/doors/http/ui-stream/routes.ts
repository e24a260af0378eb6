import { Hono } from 'hono'
import { chatTask, HUNG_UP } from '../chat-task.ts'
import { checkBody } from '../check-body.ts'
import { dataStream } from '../data-stream.ts'
import type { DoorEnv } from '../door.ts'
import { problem } from '../problem.ts'
import { failedChunk, messageChunks } from './chunks.ts'
import { chatBody, turnsOf } from './request.ts'

/** The chat of the AI SDK: what `useChat` posts is answered by a UI message stream; mount it at `/api/chat`. */
export function uiStreamRoutes(): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>()
  app.onError((error) => problem(error))
  app.post('/', async (c) => {
    const context = c.get('context')
    const { pupil, live, clock } = context
    const body = await checkBody(c.req.raw, chatBody)
    const request = await chatTask(turnsOf(body), body.model, context)
    const run = await pupil.start(request, body.seed === undefined ? {} : { seed: body.seed })
    live.add(run)
    const source = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => run.cancel(HUNG_UP), { once: true })
      return messageChunks(run, context, signal)
    }
    return dataStream(source, {
      ...{ signal: c.req.raw.signal, clock, failed: failedChunk },
      headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
    })
  })
  // Hanging up stops a run, so there is never a stream to come back to; this says so to `resumeStream`.
  app.get('/:id/stream', (c) => c.body(null, 204))
  return app
}
