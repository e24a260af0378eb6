/** What is kept of what was learnt. */
export type LearntKind =
  | 'feedback'
  | 'label'
  | 'lesson'
  | 'exemplar'
  | 'prompt'
  | 'prompt-values'
  | 'demonstration'
  | 'setting'

/** A record with what it is found by. Inactive ones are kept, and act on nothing. */
export interface LearntRow {
  readonly kind: LearntKind
  readonly id: string
  /** A run, a subject, a lesson: what the record belongs to. */
  readonly key: string
  readonly active: boolean
  /** JSON; never touched by switching a record on or off, so that undo restores it byte for byte. */
  readonly body: string
  /** Of a prompt: its tool and concept, by which it is found; default none. */
  readonly topic?: string
  readonly createdAt: number
}

export interface LearntFilter {
  readonly key?: string
  readonly topic?: string
  readonly active?: boolean
}

export interface LearntReader {
  get(kind: LearntKind, id: string): Promise<LearntRow | undefined>
  /** In order of time, then id by code units. */
  select(kind: LearntKind, filter?: LearntFilter): Promise<readonly LearntRow[]>
}

export interface LearntWriter extends LearntReader {
  /** Adds it, or replaces the one of that kind and id. */
  put(row: LearntRow): Promise<void>
  remove(kind: LearntKind, id: string): Promise<void>
}

/** Where records of one space lie; `stores` implements it in SQL. */
export interface LearntRows {
  readonly read: LearntReader
  /** All of it happens or none of it; the version changes with it. */
  write<T>(work: (writer: LearntWriter) => Promise<T>): Promise<T>
  /** Changes with every write, in every process. */
  version(): Promise<number>
}

/** Records in memory. */
export function memoryLearntRows(): LearntRows {
  let rows = new Map<string, LearntRow>()
  let version = 0
  let last: Promise<unknown> = Promise.resolve()
  const reader = (from: () => ReadonlyMap<string, LearntRow>): LearntReader => ({
    get: async (kind, id) => from().get(`${kind} ${id}`),
    select: async (kind, { key, topic, active } = {}) =>
      [...from().values()]
        .filter((row) => row.kind === kind)
        .filter((row) => key === undefined || row.key === key)
        .filter((row) => topic === undefined || row.topic === topic)
        .filter((row) => active === undefined || row.active === active)
        .sort(byTime),
  })
  const transact = async <T>(work: (writer: LearntWriter) => Promise<T>): Promise<T> => {
    const draft = new Map(rows)
    const result = await work({
      ...reader(() => draft),
      put: async (row) => void draft.set(`${row.kind} ${row.id}`, Object.freeze({ ...row })),
      remove: async (kind, id) => void draft.delete(`${kind} ${id}`),
    })
    rows = draft
    version++
    return result
  }
  return {
    read: reader(() => rows),
    write: (work) => {
      const mine = last.then(() => transact(work))
      last = mine.catch(() => {})
      return mine
    },
    version: async () => version,
  }
}

/** The order of records: time, then id. */
export function byTime(a: LearntRow, b: LearntRow): number {
  return a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}
