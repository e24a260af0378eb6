import { Hono } from 'hono'
import { errorData, errorLine, expected } from '../../../base/index.ts'
import { framed } from './controller.ts'
import { failureFrame, writeFrame } from './frame.ts'
import { permits } from './permits.ts'
import type { Permits } from './permits.ts'
import { bodyOf, bodyText, textField } from './read-body.ts'
import type { ChatHost, ToolHost } from './worker-hosts.ts'

export interface WorkerRoutesOptions {
  /** Calls at once; default 5. */
  readonly concurrency?: number
  /** Milliseconds after which the text so far is sent again; default 3 s (llava-plus §5.3). */
  readonly repeatMs?: number
}

const status = (names: readonly string[], { length }: Permits) => ({
  ...{ model_names: names, speed: 1, queue_length: length() },
})

/** One skill as a tool worker (llava-plus §5.4): always 200 with `error_code` and a reason, or 400. */
export function toolRoutes(
  host: ToolHost,
  name: string,
  { concurrency = 5 }: WorkerRoutesOptions = {},
): Hono {
  const app = new Hono()
  const gate = permits(concurrency)
  app.post('/worker_get_status', (c) => c.json(status([name], gate)))
  app.post('/model_details', (c) => c.json(host.details(name)))
  app.post('/worker_generate', async (c) => {
    const body = await bodyText(c)
    const { signal } = c.req.raw
    const reply = await gate.run(() => host.call(name, body, signal), signal)
    return c.body(reply, 200, { 'content-type': 'application/json' })
  })
  return app
}

/** A chat as a model worker (llava-plus §5.3). */
export function chatRoutes(host: ChatHost, options: WorkerRoutesOptions = {}): Hono {
  const { concurrency = 5, repeatMs = 3_000 } = options
  const app = new Hono()
  const gate = permits(concurrency)
  app.post('/worker_get_status', (c) => c.json(status([host.name], gate)))
  app.post('/model_details', (c) => c.json({ name: host.name, context_length: 2048 }))
  app.post('/worker_generate_stream', async (c) => {
    const text = await bodyText(c)
    const body = bodyOf(text)
    const prompt = textField(body, 'prompt')
    checkImages(prompt, body['images'])
    return framed(answerStream({ host, gate, text, prompt, repeatMs, signal: c.req.raw.signal }))
  })
  return app
}

function checkImages(prompt: string, images: unknown): void {
  const tags = prompt.split('<image>').length - 1
  const given = Array.isArray(images) ? images.length : 0
  // Without pictures a prompt may still hold the tag of an older turn; the reference ignores it then.
  if (given > 0 && tags !== given) {
    throw expected(`${tags} pictures, one for each <image>`, 'images', images)
  }
}

interface Answering {
  readonly host: ChatHost
  readonly gate: Permits
  readonly text: string
  readonly prompt: string
  readonly repeatMs: number
  readonly signal: AbortSignal
}

/** A frame at once, the text again when it is quiet, and the end or the reason of a failure. */
function answerStream({ host, gate, text, prompt, repeatMs, signal }: Answering) {
  const gone = new AbortController()
  const both = AbortSignal.any([signal, gone.signal])
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      let said = ''
      const send = (): void => controller.enqueue(writeFrame({ text: prompt + said, code: 0 }))
      send()
      const timer = setInterval(send, repeatMs)
      const work = async (): Promise<void> => {
        for await (const all of host.answer(text, both)) {
          both.throwIfAborted()
          said = all
          send()
        }
      }
      const end = (last?: Uint8Array): void => {
        clearInterval(timer)
        if (gone.signal.aborted) return
        if (last !== undefined) controller.enqueue(last)
        controller.close()
      }
      void gate.run(work, both).then(
        () => end(),
        (error: unknown) => end(failureFrame(1, errorLine(errorData(error)))),
      )
    },
    cancel: () => gone.abort(),
  })
}
