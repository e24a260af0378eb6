import { answerForm } from '../../src/program/index.ts'
import type { Value } from '../../src/program/index.ts'
import { missingJudge } from '../judge/judge.ts'
import type { Library } from '../tasks/library.ts'
import { languageFamily, runOnTruth } from '../tasks/run-on-truth.ts'
import type { Task } from '../tasks/task.ts'
import { scoreTask } from './score-task.ts'
import type { TaskScore } from './score-task.ts'

/**
 * Scores what a plan gave on tools that read the truth, so that no model has a say in it: an edit is right
 * when it is, pixel for pixel, what the reference program makes with the same tools.
 */
export async function scorePlan(
  task: Task,
  value: Value | undefined,
  library: Library,
): Promise<TaskScore> {
  if (task.family !== 'imgedit') {
    const means = { lexicon: library.lexicon, judge: missingJudge() }
    return await scoreTask(task, { value, before: undefined }, means)
  }
  const { answer } = await runOnTruth(task, library)
  const given = value === undefined ? undefined : answerForm(languageFamily(task.family), value)
  const right =
    answer?.form === 'image' &&
    given?.form === 'image' &&
    Buffer.from(given.image.data).equals(Buffer.from(answer.image.data))
  return { strict: right, byClass: right }
}
