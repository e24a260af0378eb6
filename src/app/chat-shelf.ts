import type { ChatPart, Conversation } from '../agents/index.ts'
import type { Abortable, Clock } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { ChatHead, ChatStore } from '../stores/index.ts'
import type { ChatDesk, ChatSkill, SayOptions } from './chat-desk.ts'
import type { ChatPartDocument } from './chat-document.ts'
import type { PictureInput } from './picture-library.ts'

/** A conversation as people read it. */
export interface ChatDocument extends ChatHead {
  /** Who answers. */
  readonly model: string
  readonly pictures: readonly {
    readonly name: string
    readonly image: string
    readonly width: number
    readonly height: number
    /** The skill that made it; absent for one that was given. */
    readonly madeBy?: string
  }[]
  readonly said: readonly {
    readonly role: 'user' | 'assistant'
    readonly text: string
    /** The run of the turn. */
    readonly run?: string
    /** Skills that it called. */
    readonly calls?: readonly string[]
    /** What a person said it should have been. */
    readonly corrected?: string
  }[]
}

/** Conversations of this space, kept after every change. */
export interface ChatShelf {
  open(): Promise<ChatDocument>
  readonly list: ChatStore['list']
  /** @throws UserFault `E_NO_CHAT` */
  get(id: string): Promise<ChatDocument>
  remove(id: string): Promise<void>
  show(id: string, picture: PictureInput, options?: Abortable): Promise<ChatDocument>
  /** One turn; kept before its last part is given. @throws UserFault `E_BUSY` while another goes on */
  say(id: string, text: string, options?: SayOptions): AsyncGenerator<ChatPart, void, undefined>
  /** The same, each part as plain JSON. */
  tell(id: string, text: string, options?: SayOptions): AsyncGenerator<ChatPartDocument, void>
  correct(id: string, value: string): Promise<ChatDocument>
  skills(id: string, options?: Abortable): Promise<readonly ChatSkill[]>
  close(): Promise<void>
}

/** Conversations that stay open; others are read again. */
const OPEN = 8

interface Opened {
  readonly desk: ChatDesk
  head: ChatHead
}

interface ShelfParts {
  readonly store: () => Promise<ChatStore>
  /** Opens a conversation, a saved one or a new one. */
  readonly desk: (saved?: unknown) => Promise<ChatDesk>
  readonly clock: Clock
}

/** Conversations at hand: found again, held open, written down, used by one at a time. */
function openChats(parts: ShelfParts) {
  const { store, clock } = parts
  const opened = new Map<string, Opened>()
  const busy = new Set<string>()
  const hold = async (id: string, one: Opened): Promise<Opened> => {
    opened.delete(id)
    opened.set(id, one)
    const idle = [...opened].find(([key]) => key !== id && !busy.has(key))
    if (opened.size > OPEN && idle !== undefined) {
      opened.delete(idle[0])
      await idle[1].desk.close()
    }
    return one
  }
  const find = async (id: string): Promise<Opened> => {
    const kept = (await (await store()).get(id)) ?? noChat(id)
    const known = opened.get(id)
    // Another process may have gone on with it.
    if (known !== undefined && known.head.updatedAt === kept.updatedAt) return hold(id, known)
    await known?.desk.close()
    const { body, ...head } = kept
    return hold(id, { desk: await parts.desk(JSON.parse(body)), head })
  }
  const keep = async (one: Opened): Promise<ChatDocument> => {
    const conversation = one.desk.conversation()
    const said = conversation.turns.filter(({ role }) => role === 'user')
    const updatedAt = Math.max(clock.now(), one.head.updatedAt + 1)
    const [first] = said
    const title = first?.role === 'user' ? first.text.slice(0, 80) : one.head.title
    one.head = { ...one.head, title, turns: said.length, updatedAt }
    await (await store()).put({ ...one.head, body: JSON.stringify(await one.desk.save()) })
    return chatDocument(one)
  }
  const alone = async <T>(id: string, work: (one: Opened) => Promise<T>): Promise<T> => {
    take(busy, id)
    try {
      return await work(await find(id))
    } finally {
      busy.delete(id)
    }
  }
  return { opened, busy, hold, find, keep, alone }
}

export function chatShelf(parts: ShelfParts): ChatShelf {
  const { store, clock } = parts
  const { opened, busy, hold, find, keep, alone } = openChats(parts)
  const say: ChatShelf['say'] = async function* (id, text, options) {
    take(busy, id)
    try {
      const one = await find(id)
      for await (const part of one.desk.say(text, options)) {
        // The desk has the new conversation by now; it is written down before anybody hears that it is done.
        if (part.type === 'finish') await keep(one)
        yield part
      }
    } finally {
      busy.delete(id)
    }
  }
  return {
    open: async () => {
      const desk = await parts.desk()
      const { id } = desk.conversation()
      const now = clock.now()
      const head: ChatHead = { id, title: '', turns: 0, createdAt: now, updatedAt: now }
      return keep(await hold(id, { desk, head }))
    },
    list: async (query) => (await store()).list(query),
    get: async (id) => chatDocument(await find(id)),
    remove: async (id) => {
      if (!(await (await store()).remove(id))) noChat(id)
      await opened.get(id)?.desk.close()
      opened.delete(id)
    },
    show: (id, picture, options) =>
      alone(id, async (one) => {
        await one.desk.show(picture, options)
        return keep(one)
      }),
    say,
    tell: async function* (id, text, options) {
      const { chatPartDocument } = await import('./chat-document.ts')
      for await (const part of say(id, text, options)) yield chatPartDocument(part)
    },
    correct: (id, value) =>
      alone(id, async (one) => {
        one.desk.correct(value)
        return keep(one)
      }),
    skills: async (id, options) => (await find(id)).desk.skills(options),
    close: async () => {
      const all = [...opened.values()]
      opened.clear()
      await Promise.all(all.map(({ desk }) => desk.close()))
    },
  }
}

function chatDocument({ desk, head }: Opened): ChatDocument {
  const { pictures, turns } = desk.conversation()
  return {
    ...head,
    model: desk.model,
    pictures: pictures.map(({ name, image, madeBy }) => ({
      ...{ name, image: image.hash, width: image.width, height: image.height },
      ...(madeBy === undefined ? {} : { madeBy }),
    })),
    said: turns.flatMap(saidIn),
  }
}

function saidIn(turn: Conversation['turns'][number]): ChatDocument['said'] {
  if (turn.role === 'user') return [{ role: 'user', text: turn.text }]
  if (turn.role !== 'assistant') return []
  const { value, actions, run, corrected } = turn
  return [
    {
      ...{ role: 'assistant' as const, text: value, run, calls: actions.map(({ name }) => name) },
      ...(corrected === undefined ? {} : { corrected: corrected.value }),
    },
  ]
}

function take(busy: Set<string>, id: string): void {
  if (busy.has(id)) {
    throw new UserFault('E_BUSY', 'This conversation is being gone on with.', {
      fields: { chat: id },
      cure: 'Wait for the answer, or stop it.',
    })
  }
  busy.add(id)
}

function noChat(id: string): never {
  throw new UserFault('E_NO_CHAT', `There is no conversation "${id}" here.`, {
    fields: { chat: id },
  })
}
