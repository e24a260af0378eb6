import type { Run } from '../agents/index.ts'
import type { Abortable } from '../base/index.ts'
import type { TaskOutcome } from '../evaluate/index.ts'
import type { Image } from '../image/index.ts'
import { parse, print } from '../program/index.ts'
import { scoreTask } from '../../world/index.ts'
import type { ScoreMeans, Task } from '../../world/index.ts'

/** Carries out a task of the picture world. */
export interface TaskRunner {
  /** The pictures of a task, and the run on them. */
  run(
    task: Task,
    options: Abortable,
  ): Promise<{ readonly inputs: Readonly<Record<string, Image>>; readonly run: Run }>
}

/** Runs a task and scores it. @param seed  which draw it is of */
export async function evaluateTask(
  task: Task,
  seed: number,
  runner: TaskRunner,
  means: ScoreMeans,
  options: Abortable = {},
): Promise<TaskOutcome> {
  const start = performance.now()
  const { inputs, run } = await runner.run(task, options)
  const { outcome } = run
  const value = outcome.status === 'done' ? outcome.value : undefined
  const ms = performance.now() - start
  const score = await scoreTask(task, { value, before: inputs['IMAGE'] }, means, options)
  const program = run.steps.findLast((step) => step.kind === 'program')?.program
  return {
    ...{ id: task.id, family: task.family, type: task.type },
    ...{ concept: task.split.concept, wording: task.split.wording, seed },
    ...{ strict: score.strict, byClass: score.byClass },
    ...(score.tags === undefined ? {} : { tags: score.tags }),
    ...(outcome.status === 'done' ? {} : { error: codeOf(outcome) }),
    fallback: run.fallback !== undefined,
    samePlan: program !== undefined && canonical(program) === canonical(task.program),
    ms,
  }
}

function codeOf(outcome: Exclude<Run['outcome'], { readonly status: 'done' }>): string {
  return outcome.status === 'error' ? outcome.error.code : 'T_ABORTED'
}

/** A program without its writing. */
function canonical(program: string): string {
  return print(parse(program)).replaceAll(/\s+/g, ' ').trim()
}
