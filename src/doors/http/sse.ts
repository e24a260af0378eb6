import { errorData } from '../../base/index.ts'
import type { Clock } from '../../base/index.ts'

/** One server-sent event. */
export interface SseEvent {
  readonly event: string
  /** Names the place to resume from. */
  readonly id?: number
  readonly data: unknown
}

const PING_MS = 15_000

export function sseText({ event, id, data }: SseEvent): string {
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** Events as a response; pings keep proxies from hanging up, and hanging up ends the source. */
export function sseResponse(
  events: (signal: AbortSignal) => AsyncIterable<SseEvent>,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): Response {
  const gone = new AbortController()
  const either = AbortSignal.any([signal, gone.signal])
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string): void => {
        if (!either.aborted) controller.enqueue(encoder.encode(text))
      }
      void ping(send, clock, either)
      void pump(events(either), send, () => {
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
    },
  })
}

async function pump(
  events: AsyncIterable<SseEvent>,
  send: (text: string) => void,
  done: () => void,
): Promise<void> {
  try {
    send('retry: 1000\n\n')
    for await (const event of events) send(sseText(event))
  } catch (error) {
    // The head has gone out: what broke is said where it is listened for.
    send(sseText({ event: 'failed', data: { error: errorData(error) } }))
  } finally {
    done()
  }
}

export async function ping(
  send: (text: string) => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(PING_MS, signal)
      send(': still here\n\n')
    }
  } catch {
    // The listener has gone: that is what the signal says.
  }
}
