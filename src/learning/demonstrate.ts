import type { Run } from '../agents/index.ts'
import type { Clock, Ids } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Demonstration, DemonstrationPool, Feedback } from '../memory/index.ts'
import { check, FAMILIES, mayRun, parse, print, programFault } from '../program/index.ts'
import type { Family, RunOutcome, Signature } from '../program/index.ts'
import { agrees } from '../reflection/index.ts'

/** Below this score an example that a run taught goes (clova §7). */
export const LOWEST_SCORE = -2

export interface DemonstrationParts {
  readonly signatures: readonly Signature[]
  readonly clock: Clock
  readonly ids: Ids
  /** The run's task with another program. */
  readonly attempt: (run: Run, program: string) => Promise<RunOutcome>
}

/** Demonstrations out of a correction, validated on their own instruction, or why there are none. */
export type Demonstrated =
  { readonly demonstrations: readonly Demonstration[] } | { readonly nothing: string }

/**
 * The right program that a person gave, and the failed one with its critique.
 *
 * The right one enters only if it passes the check and, run on its own instruction's picture, ends; where
 * the right answer is known, in that (clova §7). The wrong one enters with the critique; without any, and
 * without a right one beside it, it stays `unverified`, out of prompts.
 *
 * @throws UserFault `E_DEMONSTRATION` for a program that does not pass the check
 */
export async function demonstrate(
  feedback: Feedback,
  run: Run,
  parts: DemonstrationParts,
): Promise<Demonstrated> {
  const { expected, comment } = feedback
  const failed = failedOf(run)
  const right = expected.program === undefined ? undefined : await rightOne(feedback, run, parts)
  if (right !== undefined && 'nothing' in right) return right
  const isSame = failed?.program !== undefined && failed.program === right?.demonstration.program
  const critique =
    comment ??
    (right && `It does not do what was asked; this does:\n${right.demonstration.program}`)
  const wrong: readonly Demonstration[] =
    failed === undefined || isSame
      ? []
      : [
          {
            ...shared(run, feedback, parts),
            ...failed,
            verdict: 'wrong',
            ...(critique === undefined ? { unverified: true } : { critique }),
          },
        ]
  const plan = expected.plan === undefined ? {} : { plan: expected.plan }
  const rights = right === undefined ? [] : [{ ...right.demonstration, ...plan }]
  const all = [...rights, ...wrong]
  return all.length === 0
    ? { nothing: 'The run has no program to learn from.' }
    : { demonstrations: all }
}

async function rightOne(
  feedback: Feedback,
  run: Run,
  parts: DemonstrationParts,
): Promise<{ readonly demonstration: Demonstration } | { readonly nothing: string }> {
  const families: Readonly<Record<string, Family>> = FAMILIES
  const family = families[run.task.family]
  const tree = parse(feedback.expected.program ?? '')
  if (family === undefined) return { nothing: `There is no family ${run.task.family}.` }
  const inputs = Object.keys(run.task.inputs).map((name) => ({ name, kind: 'image' as const }))
  const diagnostics = check(tree, { family, signatures: parts.signatures, inputs })
  if (!mayRun(diagnostics)) {
    throw new UserFault(
      'E_DEMONSTRATION',
      `The program is not right: ${programFault(diagnostics).message}`,
      {
        fields: { diagnostics },
        cure: 'Correct it; "pupil program check" shows everything.',
      },
    )
  }
  const program = print(tree)
  const outcome = await parts.attempt(run, program)
  const { answer } = feedback.expected
  if (outcome.status !== 'done') {
    const why = outcome.status === 'error' ? outcome.error.message : outcome.reason
    return { nothing: `The program does not come to an end on its own instruction: ${why}` }
  }
  if (answer !== undefined && !agrees(outcome, answer)) {
    return { nothing: `The program answers "${outcome.answer ?? 'a picture'}", not "${answer}".` }
  }
  return { demonstration: { ...shared(run, feedback, parts), program, verdict: 'right' } }
}

type Shared = Omit<Demonstration, 'verdict' | 'plan' | 'program' | 'critique' | 'unverified'>

function shared(run: Run, feedback: Feedback, { ids, clock }: DemonstrationParts): Shared {
  return {
    ...{ id: ids.next('demo'), family: run.task.family, instruction: run.task.instruction },
    ...{ score: 0, origin: 'human', source: feedback.id, createdAt: clock.now() },
  }
}

function failedOf(run: Run): { readonly program: string; readonly plan?: string } | undefined {
  const program = run.steps.findLast((step) => step.kind === 'program')?.program
  const plan = run.steps.findLast((step) => step.kind === 'plan')?.plan
  if (program === undefined || run.task.instruction === '') return undefined
  return { program, ...(plan === undefined ? {} : { plan }) }
}

/**
 * Counts a run for or against the examples in its prompts: +1 or −1; what falls below −2 goes. Examples
 * that ship and those that people gave stay whatever happens (clova §7).
 *
 * @param right  by a judge's or a person's word
 */
export async function scoreDemonstrations(
  run: Pick<Run, 'steps'>,
  right: boolean,
  pool: DemonstrationPool,
): Promise<void> {
  const shown = run.steps.flatMap((step) =>
    step.kind === 'plan' || step.kind === 'program' ? step.demonstrations : [],
  )
  for (const id of new Set(shown)) {
    const one = await pool.get(id)
    if (one === undefined || one.origin === 'start') continue
    const score = one.score + (right ? 1 : -1)
    if (score < LOWEST_SCORE && one.origin === 'run') await pool.remove(id)
    else
      await pool.put({
        ...one,
        score: one.origin === 'human' ? Math.max(LOWEST_SCORE, score) : score,
      })
  }
}
