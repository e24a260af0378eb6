import type { ChatPartDocument } from '../../app/index.ts'
import { errorData, UserFault } from '../../base/index.ts'
import type { SseEvent } from './sse.ts'

/** A turn of a conversation that goes on in this process, or ended a moment ago. */
export interface LiveTurn {
  /** Every event after `after` (0 for all), those to come included; ends with the turn. */
  events(after: number, signal: AbortSignal): AsyncIterable<SseEvent>
  /** Settles when the turn is over, however it ended. */
  readonly ended: Promise<void>
  /** What ended it, if it did not come to its end. */
  readonly failed: () => unknown
}

/** The last turn of each conversation. */
export interface LiveTurns {
  /** @param parts  told until the signal fires. @throws UserFault `E_BUSY` while another turn goes on */
  start(chat: string, parts: (signal: AbortSignal) => AsyncIterable<ChatPartDocument>): LiveTurn
  get(chat: string): LiveTurn | undefined
  cancel(chat: string): Promise<void>
  close(): Promise<void>
}

/** Turns that ended are kept for listeners that come late. */
const KEPT = 50

interface Going extends LiveTurn {
  readonly stop: AbortController
  over: boolean
}

export function liveTurns(): LiveTurns {
  const turns = new Map<string, Going>()
  const cancel = async (chat: string, reason: string): Promise<void> => {
    const turn = turns.get(chat)
    turn?.stop.abort(new DOMException(reason, 'AbortError'))
    await turn?.ended
  }
  return {
    start: (chat, parts) => {
      if (turns.get(chat)?.over === false) {
        throw new UserFault('E_BUSY', 'This conversation is being gone on with.', {
          fields: { chat },
          cure: 'Wait for the answer, or stop it.',
        })
      }
      turns.delete(chat)
      const turn = begin(parts)
      turns.set(chat, turn)
      const old = [...turns].filter(([, { over }]) => over).slice(0, Math.max(0, turns.size - KEPT))
      for (const [id] of old) turns.delete(id)
      return turn
    },
    get: (chat) => turns.get(chat),
    cancel: (chat) => cancel(chat, 'You stopped it.'),
    close: async () => {
      await Promise.all([...turns.keys()].map((chat) => cancel(chat, 'The server is stopping.')))
    },
  }
}

function begin(parts: (signal: AbortSignal) => AsyncIterable<ChatPartDocument>): Going {
  const past: SseEvent[] = []
  let wake = Promise.withResolvers<void>()
  let failed: unknown
  const stop = new AbortController()
  const tell = (event: string, data: unknown): void => {
    past.push({ event, id: past.length + 1, data })
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const work = async (): Promise<void> => {
    try {
      for await (const part of parts(stop.signal)) tell(part.type, part)
    } catch (error) {
      failed = error
      tell('failed', { error: errorData(error) })
    } finally {
      turn.over = true
      wake.resolve()
    }
  }
  const events: LiveTurn['events'] = async function* (after, signal) {
    for (let at = after; ; at++) {
      while (at >= past.length) {
        if (turn.over || signal.aborted) return
        await Promise.race([wake.promise, fired(signal)])
      }
      yield past[at] as SseEvent // at < length
    }
  }
  const turn: Going = {
    ...{ stop, over: false, events, failed: () => failed },
    ended: Promise.resolve().then(work),
  }
  return turn
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
