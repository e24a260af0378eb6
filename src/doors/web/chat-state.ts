import type { ChatEvent } from './chat-api.ts'

/** A turn while it goes on. */
export interface ChatTurn {
  readonly asked: string
  /** What was said so far. */
  readonly said: string
  readonly thoughts: string
  readonly calls: readonly {
    readonly skill: string
    readonly state: 'running' | 'done' | 'failed'
    readonly why?: string
  }[]
  /** Hashes of pictures that were made. */
  readonly pictures: readonly string[]
  readonly notes: readonly string[]
}

export function newTurn(asked: string): ChatTurn {
  return { asked, said: '', thoughts: '', calls: [], pictures: [], notes: [] }
}

/** The turn after something was heard of it; pure. */
export function heard(turn: ChatTurn, event: ChatEvent): ChatTurn {
  switch (event.type) {
    case 'say-delta':
      return { ...turn, said: turn.said + event.text }
    case 'answer':
      return { ...turn, said: event.text }
    case 'thoughts':
      return { ...turn, thoughts: event.text }
    case 'note':
      return { ...turn, notes: [...turn.notes, event.text] }
    case 'call-start':
      return { ...turn, calls: [...turn.calls, { skill: event.skill, state: 'running' }] }
    case 'call-end': {
      const at = turn.calls.findIndex(
        ({ skill, state }) => skill === event.skill && state === 'running',
      )
      const { error, skill } = event
      const ended =
        error === undefined
          ? ({ skill, state: 'done' } as const)
          : ({ skill, state: 'failed', why: error.message } as const)
      return { ...turn, calls: at === -1 ? [...turn.calls, ended] : turn.calls.with(at, ended) }
    }
    case 'picture':
      return { ...turn, pictures: [...turn.pictures, event.image] }
    case 'step':
    case 'finish':
    case 'failed':
      return turn
    default:
      return event satisfies never
  }
}
