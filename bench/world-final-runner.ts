// Answers the tasks of bench/world-final.ts with the frozen system of the starter profile.
import { resolveConfig } from '../src/app/index.ts'
import { evaluateTask } from '../src/app/eval-run.ts'
import { systemRunner } from '../src/app/eval-runners.ts'
import { systemClock } from '../src/base/index.ts'
import { figureRows } from '../src/evaluate/index.ts'
import type { TaskOutcome } from '../src/evaluate/index.ts'
import { openJudge } from '../world/index.ts'
import type { Library, Task } from '../world/index.ts'

const { config } = await resolveConfig({ flags: { profile: 'starter' } })

/** One row of figures: by kind of concept, strict and by class, errors and fallbacks. */
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
  return Object.fromEntries(
    rows.flatMap(({ concept, n, metric, strict, byClass, errors, fallbacks }) => [
      [`${concept} n`, n],
      [`${concept} ${metric}`, strict.value],
      [`${concept} ${metric} 95 %`, strict.interval.map((one) => one.toFixed(3)).join('–')],
      [`${concept} by class`, byClass.value],
      [`${concept} errors`, errors],
      [`${concept} fallbacks`, fallbacks],
    ]),
  )
}
