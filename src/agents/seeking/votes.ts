import type { Example } from './examples.ts'

/** Recorded decisions that were made in this state and have a word in common with the question. */
export function voicesOf(examples: readonly Example[], state: string): readonly Example[] {
  return examples.filter(({ decision, score }) => score > 0 && decision.stateBefore === state)
}

/**
 * How much similar decisions speak for a tool: those that led to something for it, those that led to nothing
 * against it; the most similar counts 1.
 */
export function votesOf(examples: readonly Example[], state: string): (tool: string) => number {
  const top = Math.max(1e-9, ...examples.map(({ score }) => score))
  const voices = voicesOf(examples, state)
  return (tool) =>
    voices
      .filter(({ decision }) => decision.chosen.tool === tool)
      .reduce((sum, { decision, score }) => {
        const good = decision.verdict === 'answer' || decision.verdict === 'informative'
        return sum + (good ? 1 : -0.5) * (score / top)
      }, 0)
}
