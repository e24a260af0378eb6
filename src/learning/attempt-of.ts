import type { ProgramStep, Run } from '../agents/index.ts'
import { FAMILIES } from '../program/index.ts'
import type { CallStep, Family, Signature } from '../program/index.ts'
import type { Attempt } from '../reflection/index.ts'

/**
 * The last program of a run with its calls, as reflection reads it.
 *
 * @returns undefined for a run that has no program
 */
export function attemptOf(
  run: Run,
  signatures: readonly Signature[],
  families: Readonly<Record<string, Family>> = FAMILIES,
): Attempt | undefined {
  const at = run.steps.findLastIndex((step) => step.kind === 'program')
  const program = run.steps[at] as ProgramStep | undefined
  const family = families[run.task.family]
  if (program === undefined || family === undefined) return undefined
  const plan = run.steps.findLast((step) => step.kind === 'plan')
  const steps = run.steps.slice(at).filter((step): step is CallStep => step.kind === 'call')
  return {
    ...{ family, signatures, instruction: run.task.instruction, inputs: run.task.inputs },
    ...(plan === undefined ? {} : { plan: plan.plan }),
    ...{ program: program.program, steps, outcome: run.outcome },
  }
}

/** The calls that a run's last program made, by index. */
export function callsOf(run: Run): readonly CallStep[] {
  const at = run.steps.findLastIndex((step) => step.kind === 'program')
  return run.steps.slice(at + 1).filter((step): step is CallStep => step.kind === 'call')
}
