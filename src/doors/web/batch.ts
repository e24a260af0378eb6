import type { RunDocument } from '../../app/index.ts'
import type { ErrorData } from '../../base/index.ts'
import type { TaskMode } from './api.ts'

/** A picture of a batch, and what came of it. */
export interface BatchItem {
  readonly file: File
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly run?: RunDocument
  readonly error?: ErrorData
}

export interface BatchState {
  readonly items: readonly BatchItem[]
  readonly instruction: string
  readonly mode: TaskMode
  readonly isGoing: boolean
  readonly done: number
  readonly failed: number
}

/** One instruction on many pictures. */
export interface Batch {
  state(): BatchState
  /** Hears of each change. @returns stops */
  subscribe(hear: () => void): () => void
  add(files: readonly File[]): void
  say(words: { readonly instruction?: string; readonly mode?: TaskMode }): void
  /** Goes on with what waits. */
  start(): void
  /** What is running ends; nothing more begins. */
  pause(): void
  /** What failed waits again. */
  retry(): void
  clear(): void
}

export type AskOne = (file: File, instruction: string, mode: TaskMode) => Promise<RunDocument>

/** Asked at once: the server runs one model at a time, so more would only wait there. */
const AT_ONCE = 2

const EMPTY: BatchState = {
  ...{ items: [], instruction: '', mode: 'auto', isGoing: false, done: 0, failed: 0 },
}

/** @param ask  runs the instruction on one picture; a rejection is an `ErrorData` */
export function createBatch(ask: AskOne): Batch {
  let state = EMPTY
  const hearers = new Set<() => void>()
  let generation = 0
  let running = 0
  const set = (next: Partial<BatchState>): void => {
    state = { ...state, ...next }
    for (const hear of hearers) hear()
  }
  const put = (index: number, item: BatchItem, more: Partial<BatchState> = {}): void =>
    set({ ...more, items: state.items.with(index, item) })

  const one = async (index: number, born: number): Promise<void> => {
    const item = state.items[index]
    if (item === undefined) return
    running++
    put(index, { file: item.file, state: 'running' })
    let ended: BatchItem
    try {
      const run = await ask(item.file, state.instruction, state.mode)
      const { error } = run
      ended =
        error === undefined
          ? { file: item.file, state: 'done', run }
          : { file: item.file, state: 'failed', run, error }
    } catch (error) {
      ended = { file: item.file, state: 'failed', error: error as ErrorData }
    }
    // Another batch has begun meanwhile: this one is nobody's any more.
    if (born !== generation) return
    running--
    const isDone = ended.state === 'done'
    put(index, ended, isDone ? { done: state.done + 1 } : { failed: state.failed + 1 })
    pump()
  }

  const pump = (): void => {
    while (state.isGoing && running < AT_ONCE) {
      const next = state.items.findIndex((item) => item.state === 'waiting')
      if (next === -1) break
      void one(next, generation)
    }
    if (state.isGoing && running === 0) set({ isGoing: false })
  }

  return {
    state: () => state,
    subscribe: (hear) => {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
    add: (files) => {
      const known = new Set(state.items.map(({ file }) => nameOf(file)))
      const fresh = files.filter((file) => !known.has(nameOf(file)))
      set({
        items: [...state.items, ...fresh.map((file) => ({ file, state: 'waiting' }) as const)],
      })
      pump()
    },
    say: (words) => set(words),
    start: () => {
      set({ isGoing: true })
      pump()
    },
    pause: () => set({ isGoing: false }),
    retry: () => {
      const items = state.items.map((item) =>
        item.state === 'failed' ? ({ file: item.file, state: 'waiting' } as const) : item,
      )
      set({ items, failed: 0, isGoing: true })
      pump()
    },
    clear: () => {
      generation++
      running = 0
      set({ ...EMPTY, instruction: state.instruction, mode: state.mode })
    },
  }
}

/** A file's path in the folder that was chosen, or its name. */
export function nameOf(file: File): string {
  return file.webkitRelativePath || file.name
}
