import { createTeacher } from '../learning/index.ts'
import type { CorrectorParts, Teacher } from '../learning/index.ts'
import {
  checkByReplay,
  globalReflector,
  localReflector,
  replayReflector,
} from '../reflection/index.ts'
import type { Reflector, ReplayOptions } from '../reflection/index.ts'
import type { LearningParts } from './learning-desk.ts'
import { pastRuns } from './past-runs.ts'
import type { Workshop } from './rehearse.ts'

/** The teacher of this space. */
export async function teacherOf(parts: LearningParts): Promise<Teacher> {
  const { clock, ids } = parts
  const workshop = await parts.workshop()
  const learnt = await parts.learnt()
  const isOn = (await learnt.setting('people')) === true
  return createTeacher({
    ...{ learnt, clock, ids, things: workshop.things },
    ...(isOn ? { faces: workshop.faces } : {}),
    rehearse: (run, memory, options) => workshop.rehearse(run, { ...options, memory }),
    past: () => pastRuns(parts),
  })
}

/**
 * What corrections are worked out with: global and local reflection by the planner's model where one is
 * configured, each claim checked by replay; then replay, which needs none.
 */
export async function correctorParts(parts: LearningParts): Promise<CorrectorParts> {
  const { clock, ids } = parts
  const workshop = await parts.workshop()
  const { signatures, model } = workshop
  const replay = replayOf(workshop)
  const claims = model === undefined ? [] : [globalReflector({ model }), localReflector({ model })]
  return {
    ...{ learnt: await parts.learnt(), teacher: await teacherOf(parts), signatures, clock, ids },
    reflectors: [...claims.map((one) => checked(one, replay)), replayReflector(replay)],
    demonstration: {
      ...{ signatures, clock, ids },
      attempt: (run, program) => workshop.rehearse(run, { program }),
    },
  }
}

/** How blame is looked for by replay here. */
export function replayOf({ call, proposals, opinion }: Workshop): ReplayOptions {
  return { call, proposals, opinion, most: 120 }
}

/** A reflector whose claims must stand a replay. */
function checked(reflector: Reflector, replay: ReplayOptions): Reflector {
  return {
    by: reflector.by,
    reflect: async (attempt, wish, options = {}) => {
      const verdict = await reflector.reflect(attempt, wish, options)
      return checkByReplay(verdict, attempt, wish, { ...replay, ...options })
    },
  }
}
