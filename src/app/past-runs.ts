import type { PastRun } from '../learning/index.ts'
import type { LearningParts } from './learning-desk.ts'

/** Stored runs looked at by a dry run. */
const MOST = 20

/** The newest finished runs with an answer that can be compared, with the right one where it was given. */
export async function pastRuns(parts: LearningParts): Promise<readonly PastRun[]> {
  const { standingAnswer } = await import('../learning/index.ts')
  const learnt = await parts.learnt()
  const recent = await (await parts.runStore()).list({ limit: 3 * MOST })
  const usable = recent
    .filter(
      ({ status, answer, agent }) => status === 'done' && answer !== null && agent === 'programs',
    )
    .slice(0, MOST)
  const loaded = await Promise.all(
    usable.map(async ({ id }): Promise<PastRun[]> => {
      // A picture may have been pruned: such a run cannot be run again.
      const run = await parts.runs.load(id).catch(() => undefined)
      if (run === undefined) return []
      const answer = await standingAnswer(run, learnt)
      return [answer === undefined ? { run } : { run, answer }]
    }),
  )
  return loaded.flat()
}
