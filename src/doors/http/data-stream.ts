import type { Clock } from '../../base/index.ts'
import { ping } from './sse.ts'

export interface DataStreamOptions {
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly headers?: Readonly<Record<string, string>>
  /** What is said when the source throws after the head has gone out. */
  readonly failed: (error: unknown) => unknown
}

/**
 * Chunks as unnamed server-sent events that end in `[DONE]`, as chat clients read them.
 *
 * Hanging up fires the source's signal.
 */
export function dataStream(
  chunks: (signal: AbortSignal) => AsyncIterable<unknown>,
  { signal, clock, headers, failed }: DataStreamOptions,
): Response {
  const gone = new AbortController()
  const either = AbortSignal.any([signal, gone.signal])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string): void => {
        if (!either.aborted) controller.enqueue(encoder.encode(text))
      }
      const say = (chunk: unknown): void => send(`data: ${JSON.stringify(chunk)}\n\n`)
      void ping(send, clock, either)
      void pump(chunks(either), say, failed).then(() => {
        send('data: [DONE]\n\n')
        if (!either.aborted) controller.close()
        gone.abort()
      })
    },
    cancel: () => gone.abort(),
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}

async function pump(
  chunks: AsyncIterable<unknown>,
  say: (chunk: unknown) => void,
  failed: (error: unknown) => unknown,
): Promise<void> {
  try {
    for await (const chunk of chunks) say(chunk)
  } catch (error) {
    say(failed(error))
  }
}
