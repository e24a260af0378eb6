import { errorData } from '../../base/index.ts'
import { overBudget } from '../../llm/index.ts'
import { RUN_LIMITS, runProgram } from '../../program/index.ts'
import type { Program, RunOutcome } from '../../program/index.ts'
import type { Parts } from './agent.ts'
import type { Work } from './journal.ts'

/** Runs a checked program; its calls become steps. Time ends with the program's limit or the budget's. */
export async function execute(parts: Parts, work: Work, program: Program): Promise<RunOutcome> {
  const { journal, budget, signal } = work
  const { seconds = Infinity } = budget.limits
  const left = Math.max(0, (seconds - budget.spent().seconds) * 1000)
  const runMs = parts.limits?.runMs ?? RUN_LIMITS.runMs
  const made = await runProgram(program, {
    inputs: work.task.inputs,
    call: parts.call,
    signatures: parts.signatures,
    family: work.family,
    limits: { ...parts.limits, runMs: Math.min(runMs, left) },
    clock: parts.clock,
    random: work.random(),
    onStep: journal.tell,
    ...(signal === undefined ? {} : { signal }),
  })
  journal.warnOf(made.diagnostics)
  const { outcome } = made
  const isLate = outcome.status === 'error' && outcome.error.code === 'T_TIMEOUT'
  if (!isLate || budget.exhausted() !== 'seconds') return outcome
  journal.warn(`The time of the budget ended after ${made.steps.length} steps.`)
  return { ...outcome, error: errorData(overBudget('seconds', budget.limits)) }
}
