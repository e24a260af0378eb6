import { deepFreeze } from '../base/index.ts'
import type { Json } from '../base/index.ts'

/** One verdict with its examples, prompts, validation and effect; applied or kept out as a whole. */
export interface Lesson {
  readonly id: string
  readonly version: number
  readonly tool: string
  readonly concept: string | null
  readonly status: 'applied' | 'kept-out' | 'undone'
  /** The correction it came from. */
  readonly feedback: string
  /** What reflection found; its shape belongs to `reflection`. */
  readonly verdict: Json
  /** Ids of demonstrations and pictures it was made of. */
  readonly examples: readonly string[]
  /** Ids of entries of pool P. */
  readonly prompts: readonly string[]
  readonly validation: Json
  /** The dry run over stored runs: fixed and broken. */
  readonly effect: Json
  /** Why it was kept out. */
  readonly reason?: string
  /** The lesson it replaces; that one leaves retrieval with the same write (product R2). */
  readonly supersedes?: string
  readonly createdAt: number
}

/** The lessons of a space, every version of them. */
export interface LessonBook {
  get(id: string): Promise<Lesson | undefined>
  list(filter?: Partial<Pick<Lesson, 'tool' | 'concept' | 'status'>>): Promise<readonly Lesson[]>
  put(lesson: Lesson): Promise<void>
}

/** Lessons in memory, in order of time. */
export function memoryLessons(): LessonBook {
  const byId = new Map<string, Lesson>()
  return {
    get: async (id) => byId.get(id),
    list: async (filter = {}) =>
      [...byId.values()]
        .filter((lesson) =>
          Object.entries(filter).every(([key, value]) => lesson[key as keyof Lesson] === value),
        )
        .sort((a, b) => a.createdAt - b.createdAt),
    put: async (lesson) => {
      byId.set(lesson.id, deepFreeze({ ...lesson }))
      const older = lesson.supersedes === undefined ? undefined : byId.get(lesson.supersedes)
      if (older?.status === 'applied' && lesson.status === 'applied') {
        byId.set(older.id, deepFreeze({ ...older, status: 'undone' as const }))
      }
    },
  }
}
