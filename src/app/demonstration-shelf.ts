import type { Clock, Ids } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Demonstration, DemonstrationPool, Learnt } from '../memory/index.ts'
import type { ProgramDesk } from './program-desk.ts'

/** Demonstrations that planning learns from: those that ship and those that were added. */
export interface DemonstrationShelf {
  list(family?: string): Promise<readonly Demonstration[]>
  /** Adds a right one; its program must pass the check. @throws UserFault `E_DEMONSTRATION` */
  add(entry: Pick<Demonstration, 'family' | 'instruction' | 'program'>): Promise<Demonstration>
  /** @throws UserFault `E_DEMONSTRATION` for one that ships or is not there */
  remove(id: string): Promise<void>
}

/** The demonstrations of lessons beside those that were added; of a lesson's only the score changes. */
export function withLearnt(learnt: Learnt, added: DemonstrationPool): DemonstrationPool {
  const ofLesson = async (id: string): Promise<Demonstration | undefined> =>
    (await learnt.demonstrations()).find((one) => one.id === id)
  return {
    list: async (family) => [
      ...(await learnt.demonstrations()).filter((one) => one.family === family),
      ...(await added.list(family)),
    ],
    get: async (id) => (await ofLesson(id)) ?? added.get(id),
    put: async (demonstration) =>
      (await ofLesson(demonstration.id)) === undefined
        ? added.put(demonstration)
        : learnt.score(demonstration),
    remove: async (id) => {
      // A lesson goes as a whole, by undo.
      if ((await ofLesson(id)) === undefined) await added.remove(id)
    },
    version: async () => (await learnt.version()) + (await added.version()),
  }
}

/** Two pools seen as one; what is written goes into the second. */
export function layeredPool(start: DemonstrationPool, added: DemonstrationPool): DemonstrationPool {
  return {
    list: async (family) => {
      const both = [...(await start.list(family)), ...(await added.list(family))]
      return both.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    },
    get: async (id) => (await start.get(id)) ?? added.get(id),
    put: (demonstration) => added.put(demonstration),
    remove: (id) => added.remove(id),
    version: async () => (await start.version()) + (await added.version()),
  }
}

export function demonstrationShelf(parts: {
  readonly pool: () => Promise<DemonstrationPool>
  readonly families: () => Promise<readonly string[]>
  readonly programs: ProgramDesk
  readonly clock: Clock
  readonly ids: Ids
}): DemonstrationShelf {
  const { pool, families, programs, clock, ids } = parts
  return {
    list: async (family) => {
      const names = family === undefined ? await families() : [family]
      const lists = await Promise.all(names.map(async (name) => (await pool()).list(name)))
      return lists.flat()
    },
    add: async ({ family, instruction, program = '' }) => {
      const { diagnostics, printed } = await programs.check(program, family)
      const wrong = diagnostics.find((one) => one.severity === 'error')
      if (wrong !== undefined) {
        throw new UserFault(
          'E_DEMONSTRATION',
          `The program is not right: ${wrong.line}:${wrong.column} ${wrong.code} ${wrong.message}`,
          { fields: { diagnostics }, cure: 'Correct it; "pupil program check" shows everything.' },
        )
      }
      const demonstration: Demonstration = {
        ...{ id: ids.next('demo'), family, instruction: instruction.trim(), program: printed },
        ...{ verdict: 'right', score: 0, origin: 'human', createdAt: clock.now() },
      }
      await (await pool()).put(demonstration)
      return demonstration
    },
    remove: async (id) => {
      const found = await (await pool()).get(id)
      if (found === undefined || found.origin === 'start') {
        const why = found === undefined ? 'There is no demonstration' : 'Pupil ships with'
        throw new UserFault(
          'E_DEMONSTRATION',
          `${why} "${id}"${found === undefined ? '' : '; it stays'}.`,
          {
            fields: { id },
            cure: 'List them with "pupil demonstrations ls".',
          },
        )
      }
      await (await pool()).remove(id)
    },
  }
}
