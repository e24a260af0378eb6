import { createTeacher } from '../learning/index.ts'
import type { CorrectorParts, Teacher } from '../learning/index.ts'
import { replayReflector } from '../reflection/index.ts'
import type { LearningParts } from './learning-desk.ts'
import { pastRuns } from './past-runs.ts'

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

/** What corrections are worked out with: replay reflection, which needs no language model. */
export async function correctorParts(parts: LearningParts): Promise<CorrectorParts> {
  const { clock, ids } = parts
  const workshop = await parts.workshop()
  const { signatures, call, proposals } = workshop
  return {
    ...{ learnt: await parts.learnt(), teacher: await teacherOf(parts), signatures, clock, ids },
    reflectors: [replayReflector({ call, proposals, most: 80 })],
    demonstration: {
      ...{ signatures, clock, ids },
      attempt: (run, program) => workshop.rehearse(run, { program }),
    },
  }
}
