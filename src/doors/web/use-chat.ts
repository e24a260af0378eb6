import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { listenToChat, openChat, readChat, sayInChat, showPicture, stopChat } from './chat-api.ts'
import { heard, newTurn } from './chat-state.ts'
import type { ChatTurn } from './chat-state.ts'

export interface ChatTalk {
  readonly chat: ChatDocument | undefined
  /** The turn that goes on. */
  readonly turn: ChatTurn | undefined
  readonly error: ErrorData | undefined
  open(id: string | undefined): Promise<void>
  show(file: File): Promise<void>
  say(text: string): Promise<void>
  stop(): Promise<void>
  /** Does something that gives the conversation as it is then. */
  change(work: (chat: string) => Promise<ChatDocument>): Promise<void>
}

/** A conversation joined to the API; a new one is opened with its first picture or words. */
export function useChat(onChange: () => void): ChatTalk {
  const [chat, setChat] = useState<ChatDocument>()
  const [turn, setTurn] = useState<ChatTurn>()
  const [error, setError] = useState<ErrorData>()
  const hangUp = useRef<() => void>(() => {})
  useEffect(() => () => hangUp.current(), [])

  const guarded = useCallback(async (work: () => Promise<void>) => {
    setError(undefined)
    try {
      await work()
    } catch (cause) {
      setTurn(undefined)
      setError(cause as ErrorData)
    }
  }, [])
  const open = useCallback(
    (id: string | undefined) =>
      guarded(async () => {
        hangUp.current()
        setTurn(undefined)
        setChat(id === undefined ? undefined : await readChat(id))
      }),
    [guarded],
  )
  const current = useCallback(async () => chat?.id ?? (await openChat()).id, [chat])
  const show = useCallback(
    (file: File) =>
      guarded(async () => {
        setChat(await showPicture(await current(), file))
        onChange()
      }),
    [current, guarded, onChange],
  )
  const say = useCallback(
    (text: string) =>
      guarded(async () => {
        setTurn(newTurn(text))
        const id = await current()
        await sayInChat(id, text)
        hangUp.current = listenToChat(id, (event) => {
          if (event.type === 'failed') setError(event.error)
          if (event.type !== 'finish' && event.type !== 'failed') {
            setTurn((now) => now && heard(now, event))
            return
          }
          void guarded(async () => {
            setChat(await readChat(id))
            if (event.type === 'failed') setError(event.error)
            setTurn(undefined)
            onChange()
          })
        })
      }),
    [current, guarded, onChange],
  )
  const change = useCallback(
    (work: (id: string) => Promise<ChatDocument>) =>
      guarded(async () => {
        if (chat !== undefined) setChat(await work(chat.id))
      }),
    [chat, guarded],
  )
  const stop = useCallback(() => change(stopChat), [change])
  return { chat, turn, error, open, show, say, stop, change }
}
