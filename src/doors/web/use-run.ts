import { useCallback, useEffect, useReducer, useRef } from 'react'
import type { ErrorData } from '../../base/index.ts'
import { cancelRun, listen, pictureAddress, readRun, startRun, startSeek } from './api.ts'
import { cannotSend, firstState, pageReducer } from './page-state.ts'
import type { PageAction, PageState } from './page-state.ts'

/** The page's state joined to the API. */
export interface PageDesk {
  readonly state: PageState
  readonly act: (action: PageAction) => void
  send(): Promise<void>
  stop(): Promise<void>
  /** Shows a stored run. @returns whether there is one */
  open(id: string): Promise<boolean>
}

export function usePage(): PageDesk {
  const [state, act] = useReducer(pageReducer, firstState)
  const hangUp = useRef<() => void>(() => {})
  useEffect(() => () => hangUp.current(), [])

  const send = useCallback(async () => {
    if (cannotSend(state) !== undefined || state.phase === 'sending' || state.phase === 'running')
      return
    hangUp.current()
    act({ type: 'send' })
    try {
      const id = await start(state)
      act({ type: 'sent', run: id })
      history.pushState(null, '', `/runs/${id}`)
      hangUp.current = listen(id, (part) => act({ type: 'stream', part }))
    } catch (error) {
      act({ type: 'refused', error: error as ErrorData })
    }
  }, [state])

  const stop = useCallback(async () => {
    if (state.run !== undefined) await cancelRun(state.run).catch(() => {})
  }, [state.run])

  const open = useCallback(async (id: string) => {
    hangUp.current()
    try {
      const run = await readRun(id)
      const pictures = Object.entries(run.inputs).map(([name, input]) => ({
        name,
        address: pictureAddress(input.image),
      }))
      act({ type: 'open', run, pictures })
      if (run.status === 'open') {
        act({ type: 'sent', run: id })
        hangUp.current = listen(id, (part) => act({ type: 'stream', part }))
      }
      if (location.pathname !== `/runs/${id}`) history.pushState(null, '', `/runs/${id}`)
      return true
    } catch (error) {
      act({ type: 'refused', error: error as ErrorData })
      return false
    }
  }, [])

  useEffect(() => {
    const show = (): void => {
      const id = /^\/runs\/(\w+)$/.exec(location.pathname)?.[1]
      if (id !== undefined) void open(id)
    }
    show()
    addEventListener('popstate', show)
    return () => removeEventListener('popstate', show)
  }, [open])

  return { state, act, send, stop, open }
}

async function start(state: PageState): Promise<string> {
  const pictures = await files(state)
  const { mode, offline } = state
  const instruction = state.instruction.trim()
  const [picture] = pictures
  if (mode !== 'seek' || picture === undefined) {
    return startRun(pictures, instruction, mode === 'seek' ? 'auto' : mode)
  }
  return startSeek(picture, instruction, offline)
}

/** The chosen files; pictures of a stored run are fetched again. */
async function files({ pictures }: PageState): Promise<readonly File[]> {
  return Promise.all(
    pictures.map(async ({ file, address, name }) => {
      if (file !== undefined) return file
      const blob = await (await fetch(address)).blob()
      return new File([blob], name, { type: blob.type })
    }),
  )
}
