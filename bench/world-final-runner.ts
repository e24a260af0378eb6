// Answers the tasks of bench/world-final.ts with the frozen system of the starter profile.
import { join } from 'node:path'
import { resolveConfig } from '../src/app/index.ts'
import { evalFitness } from '../src/app/eval-fitness.ts'
import { evaluateTask } from '../src/app/eval-run.ts'
import { systemRunner } from '../src/app/eval-runners.ts'
import { systemClock } from '../src/base/index.ts'
import { figureRows } from '../src/evaluate/index.ts'
import type { TaskOutcome } from '../src/evaluate/index.ts'
import { openJudge } from '../world/index.ts'
import type { Library, Task } from '../world/index.ts'

const { config } = await resolveConfig({ flags: { profile: 'starter' } })

/**
 * One row of figures: by kind of concept, strict and by class, errors and fallbacks; for edits whether
 * the judge is fit, without which they are void.
 */
export async function evaluate(
  tasks: readonly Task[],
  library: Library,
): Promise<Readonly<Record<string, number | string>>> {
  await using runner = await systemRunner({ config, clock: systemClock, env: {}, library })
  await using judge = await openJudge()
  const outcomes: TaskOutcome[] = []
  for (const task of tasks) {
    outcomes.push(await evaluateTask(task, 0, runner, { lexicon: library.lexicon, judge }))
  }
  const rows = figureRows(outcomes).filter(({ wording }) => wording === 'all')
  const judged = await evalFitness({
    judge,
    cacheFolder: join(config.cache, 'world'),
    jobs: tasks.map(({ family, split }) => ({ family, split: split.concept })),
  })
  const fitness = judged.flatMap(({ split, fit, pasted, unedited, wrong }) => [
    [`judge, ${split}`, fit ? 'fit' : 'UNFIT: figures of edits are void'],
    [`judge, ${split}, pasted`, pasted],
    [`judge, ${split}, unedited`, unedited],
    [`judge, ${split}, wrong`, wrong],
  ])
  const figures = rows.flatMap(({ concept, n, metric, strict, byClass, errors, fallbacks }) => [
    [`${concept} n`, n],
    [`${concept} ${metric}`, strict.value],
    [`${concept} ${metric} 95 %`, strict.interval.map((one) => one.toFixed(3)).join('–')],
    [`${concept} by class`, byClass.value],
    [`${concept} errors`, errors],
    [`${concept} fallbacks`, fallbacks],
  ])
  return Object.fromEntries([...figures, ...fitness])
}
