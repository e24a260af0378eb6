import type { Run } from '../agents/index.ts'
import type { Abortable } from '../base/index.ts'
import type { RunOutcome } from '../program/index.ts'
import { sameAnswer } from '../reflection/index.ts'

/** A stored answer that would change. */
export interface ChangedAnswer {
  readonly run: string
  readonly instruction: string
  readonly before: string
  readonly after: string
}

/** What a lesson does to answers that were given before (product R3). */
export interface Effect {
  /** The corrected case, run again; null when nobody can judge it. */
  readonly proof: 'right' | 'wrong' | null
  /** Wrong by a person's word before, right with the lesson. */
  readonly fixed: readonly ChangedAnswer[]
  /** Right by a person's word before, or never complained of, wrong or other with the lesson. */
  readonly broken: readonly ChangedAnswer[]
  /** Others, about which nobody has said anything, and which would change. */
  readonly changed: readonly ChangedAnswer[]
  readonly unchanged: number
}

/** A run for the dry run, with the right answer where a person gave it. */
export interface PastRun {
  readonly run: Run
  readonly answer?: string
}

export interface Rehearsal extends Abortable {
  /** The run's program again, with the lesson acting. */
  readonly rehearse: (run: Run, options: Abortable) => Promise<RunOutcome>
}

/** Runs past runs again with a lesson that is not applied yet, and compares. */
export async function dryRun(
  past: readonly PastRun[],
  { rehearse, signal }: Rehearsal,
): Promise<Omit<Effect, 'proof'>> {
  const fixed: ChangedAnswer[] = []
  const broken: ChangedAnswer[] = []
  const changed: ChangedAnswer[] = []
  let unchanged = 0
  for (const { run, answer } of past) {
    signal?.throwIfAborted()
    const before = answerOf(run.outcome)
    const after = answerOf(await rehearse(run, { signal }))
    if (sameAnswer(before, after)) unchanged++
    else {
      const entry = { run: run.id, instruction: run.task.instruction, before, after }
      if (answer === undefined) changed.push(entry)
      else if (sameAnswer(after, answer)) fixed.push(entry)
      else if (sameAnswer(before, answer)) broken.push(entry)
      else changed.push(entry)
    }
  }
  return { fixed, broken, changed, unchanged }
}

/** An outcome as it is compared. */
export function answerOf(outcome: RunOutcome): string {
  if (outcome.status === 'error') return `error ${outcome.error.code}`
  return outcome.status === 'done' ? (outcome.answer ?? 'a picture') : 'stopped'
}

/** Why a lesson is kept out, if it is. */
export function reasonAgainst({ proof, fixed, broken }: Effect): string | undefined {
  if (proof === 'wrong') return 'The corrected case is still wrong with it.'
  const gained = fixed.length + (proof === 'right' ? 1 : 0)
  if (broken.length > gained) {
    return `It would break ${broken.length} earlier answers and fix ${gained}.`
  }
  return undefined
}
