import { Bug, errorData } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { print } from '../../program/index.ts'
import type { CarriedOut, Parts } from './agent.ts'
import { execute } from './execute.ts'
import { fallbackProgram, WHOLE_QUESTION } from './fallback.ts'
import type { Work } from './journal.ts'

/**
 * The stated way round when no program was found: the whole question to VQA, marked in the run.
 *
 * @returns the given error as the outcome for families that have no way round
 */
export async function wayRound(
  parts: Parts,
  work: Work,
  error: ErrorData | undefined,
  attempt: number,
): Promise<CarriedOut> {
  const { family, task, journal } = work
  const program = fallbackProgram(family, parts.signatures, task.instruction)
  if (program === undefined) {
    const none = new Bug('E_NO_WAY_ROUND', `The family ${family.name} has no way round.`)
    return { outcome: { status: 'error', error: error ?? errorData(none) } }
  }
  journal.tell({
    kind: 'program',
    ...{ program: print(program), diagnostics: [], demonstrations: [], calls: [] },
    ...{ by: 'fallback', attempt, ms: 0 },
  })
  return { outcome: await execute(parts, work, program), fallback: WHOLE_QUESTION }
}
