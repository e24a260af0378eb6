import { errorData } from '../../base/index.ts'
import { check, mayRun, parse, print, programFault } from '../../program/index.ts'
import type { CarriedOut, Parts } from './agent.ts'
import { execute } from './execute.ts'
import type { Work } from './journal.ts'

/** Checks and runs a program that was given with the task. */
export async function byHand(parts: Parts, work: Work, text: string): Promise<CarriedOut> {
  const start = parts.clock.tick()
  const program = parse(text)
  const inputs = Object.keys(work.task.inputs).map((name) => ({ name, kind: 'image' as const }))
  const diagnostics = check(program, { family: work.family, signatures: parts.signatures, inputs })
  work.journal.tell({
    kind: 'program',
    program: mayRun(diagnostics) ? print(program) : text,
    ...{ diagnostics, demonstrations: [], calls: [], by: 'hand', attempt: 0 },
    ms: parts.clock.tick() - start,
  })
  if (!mayRun(diagnostics)) {
    return { outcome: { status: 'error', error: errorData(programFault(diagnostics)) } }
  }
  return { outcome: await execute(parts, work, program) }
}
