import type { ActingMemory } from '../learning/index.ts'
import type { Learnt } from '../memory/index.ts'
import type { KnownPerson, LearntPrompts, Taught } from '../tools/index.ts'

/** What was learnt, as the tools ask for it; read again when anything was written by any process. */
export interface MemorySource {
  readonly taught: () => Promise<Taught>
  /** Null while recognising people is turned off. */
  readonly people: () => Promise<readonly KnownPerson[] | null>
  /** Prompts that were learnt. */
  readonly prompts: LearntPrompts
}

/** Name of the setting that turns on recognising people. */
export const PEOPLE_SETTING = 'people'

export function memorySource(learnt: () => Promise<Learnt>): MemorySource {
  let known:
    { readonly version: number; readonly memory: ActingMemory; readonly on: boolean } | undefined
  const read = async (): Promise<NonNullable<typeof known>> => {
    const book = await learnt()
    const version = await book.version()
    if (known?.version === version) return known
    const { peopleOf, taughtOf } = await import('../learning/index.ts')
    const exemplars = await book.exemplars()
    const memory = {
      taught: taughtOf(exemplars, exemplars.length === 0 ? [] : await book.lessons()),
      people: peopleOf(exemplars),
    }
    known = { version, memory, on: (await book.setting(PEOPLE_SETTING)) === true }
    return known
  }
  let book: Promise<LearntPrompts> | undefined
  const prompts = (): Promise<LearntPrompts> => {
    book ??= import('../learning/index.ts').then(async ({ promptBook }) =>
      promptBook(await learnt()),
    )
    return book
  }
  return {
    prompts: { near: async (ask) => (await prompts()).near(ask) },
    taught: async () => (await read()).memory.taught,
    people: async () => {
      const { memory, on } = await read()
      return on ? memory.people : null
    },
  }
}
