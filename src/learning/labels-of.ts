import type { Feedback, Label } from '../memory/index.ts'
import type { Run } from '../agents/index.ts'
import { questionKey } from '../tools/index.ts'
import { callsOf } from './attempt-of.ts'
import { pictureOf } from './draft-from.ts'

/** What labels of an answer are about: the pictures of the task. */
export function answerSubject(run: Pick<Run, 'task'>): string {
  const pictures = Object.values(run.task.inputs).map(({ hash }) => hash)
  return `picture:${pictures.join('+')}`
}

/** Which question of the pictures a label answers. */
export function answerField(run: Pick<Run, 'task'>): string {
  return `answer:${questionKey(run.task.instruction)}`
}

/** The human labels in a correction; they outlive the run and every re-run (product R1). */
export function labelsOf(feedback: Feedback, run: Run): readonly Label[] {
  const { id, target, expected, author, at } = feedback
  const shared = { id: `${id}/label`, author, at, run: feedback.run }
  if (target.kind === 'answer' && expected.answer !== undefined) {
    return [
      {
        ...{ ...shared, subject: answerSubject(run), field: answerField(run) },
        ...{ value: expected.answer, tombstone: false },
      },
    ]
  }
  if (target.kind !== 'step' && target.kind !== 'region') return []
  const step = callsOf(run).find(({ index }) => index === target.index)
  const picture = step && pictureOf(step)?.hash
  if (step === undefined || picture === undefined) return []
  const place = target.kind === 'region' ? target.box.join(',') : `step ${step.tool}`
  const value = expected.label ?? expected.answer ?? step.concepts?.[0] ?? null
  return [
    {
      ...{ ...shared, subject: `picture:${picture}`, field: `${place}` },
      ...{ value, tombstone: expected.rejected === true },
    },
  ]
}
