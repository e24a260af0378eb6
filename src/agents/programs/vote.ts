import type { RunOutcome } from '../../program/index.ts'

/** The outcome whose answer most have, the first of those with equally many; failures count only when all fail. */
export function majority(outcomes: readonly RunOutcome[]): RunOutcome | undefined {
  const votes = new Map<string, number>()
  for (const outcome of outcomes) {
    const answer = answerOf(outcome)
    if (answer !== undefined) votes.set(answer, (votes.get(answer) ?? 0) + 1)
  }
  const most = Math.max(0, ...votes.values())
  return (
    outcomes.find((outcome) => {
      const answer = answerOf(outcome)
      return answer !== undefined && votes.get(answer) === most
    }) ?? outcomes[0]
  )
}

function answerOf(outcome: RunOutcome): string | undefined {
  return outcome.status === 'done' ? (outcome.answer ?? '').trim().toLowerCase() : undefined
}
