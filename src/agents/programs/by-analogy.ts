import { isFault } from '../../base/index.ts'
import { parse } from '../../program/index.ts'
import type { Analogy } from './analogy/index.ts'
import type { CarriedOut, Parts } from './agent.ts'
import { execute } from './execute.ts'
import { wayRound } from './way-round.ts'
import type { Work } from './journal.ts'

/** Plans without a model, by the nearest demonstrations, and runs the best program. */
export async function byAnalogy(parts: Parts, work: Work): Promise<CarriedOut> {
  const { task, journal, signal } = work
  const start = parts.clock.tick()
  const found = await nearest(parts, work)
  if (found === undefined) {
    journal.warn(
      `"${task.instruction}" is like no demonstration; the whole question was put to VQA.`,
    )
    return wayRound(parts, work, undefined, 0)
  }
  signal?.throwIfAborted()
  const { program, plan, confidence, explanation, demonstrations } = found
  const ms = parts.clock.tick() - start
  const shared = { demonstrations, calls: [], by: 'analogy' } as const
  journal.tell({ kind: 'plan', plan, ...shared, ms })
  journal.tell({
    kind: 'program',
    ...{ program, diagnostics: [], attempt: 0, confidence, explanation, ms: 0 },
    ...shared,
  })
  return { outcome: await execute(parts, work, parse(program)) }
}

/** The best analogy; undefined where a question that is like nothing goes to VQA as a whole. */
async function nearest(parts: Parts, { task, family, signal }: Work): Promise<Analogy | undefined> {
  try {
    const [best] = await parts.planner.plan(
      { family, instruction: task.instruction },
      { limit: 1, ...(signal === undefined ? {} : { signal }) },
    )
    return best
  } catch (error) {
    const isUnlike = isFault(error) && error.code === 'E_NOT_UNDERSTOOD'
    if (isUnlike && parts.unlike === 'whole-question' && family.form === 'text') return undefined
    throw error
  }
}
