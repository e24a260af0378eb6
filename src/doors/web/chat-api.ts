import type { ChatDocument, ChatPartDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { answer, base64Of } from './api.ts'

export type ChatHead = Pick<ChatDocument, 'id' | 'title' | 'turns' | 'updatedAt'>

/** What is heard of a turn. */
export type ChatEvent = ChatPartDocument | { readonly type: 'failed'; readonly error: ErrorData }

export async function readChats(
  address: string,
): Promise<{ readonly items: readonly ChatHead[]; readonly next?: string }> {
  const { chats, next } = await answer<{ chats: readonly ChatHead[]; next?: string }>(
    fetch(address),
  )
  return next === undefined ? { items: chats } : { items: chats, next }
}

export function openChat(): Promise<ChatDocument> {
  return answer<ChatDocument>(post('/v1/chats', undefined))
}

export function readChat(id: string): Promise<ChatDocument> {
  return answer<ChatDocument>(fetch(`/v1/chats/${id}`))
}

export async function removeChat(id: string): Promise<void> {
  await answer(fetch(`/v1/chats/${id}`, { method: 'DELETE' }))
}

export async function showPicture(id: string, file: File): Promise<ChatDocument> {
  const picture = { base64: await base64Of(file), name: file.name }
  return answer<ChatDocument>(post(`/v1/chats/${id}/pictures`, { picture }))
}

export async function sayInChat(id: string, text: string): Promise<void> {
  await answer(post(`/v1/chats/${id}/turns`, { text }))
}

export function stopChat(id: string): Promise<ChatDocument> {
  return answer<ChatDocument>(post(`/v1/chats/${id}/cancel`, undefined))
}

/** Notes what the last answer should have been. */
export function correctChat(id: string, value: string): Promise<ChatDocument> {
  return answer<ChatDocument>(post(`/v1/chats/${id}/corrections`, { value }))
}

const EVENTS = [
  ...(['say-delta', 'thoughts', 'note', 'answer', 'call-start', 'call-end', 'picture'] as const),
  ...(['finish', 'failed'] as const),
]

/** Listens to the turn that goes on; the browser comes back by itself after a break. @returns hangs up */
export function listenToChat(id: string, tell: (event: ChatEvent) => void): () => void {
  const source = new EventSource(`/v1/chats/${id}/events`)
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => {
      const data = JSON.parse((event as MessageEvent<string>).data) as object
      if (name === 'finish' || name === 'failed') source.close()
      tell({ type: name, ...data } as ChatEvent)
    })
  }
  return () => source.close()
}

function post(address: string, body: unknown): Promise<Response> {
  if (body === undefined) return fetch(address, { method: 'POST' })
  return fetch(address, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(body),
  })
}
