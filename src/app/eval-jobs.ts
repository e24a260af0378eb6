import { systemClock } from '../base/index.ts'
import type { Abortable } from '../base/index.ts'
import type { TaskOutcome } from '../evaluate/index.ts'
import { makeTasks, openJudge, openLibrary } from '../../world/index.ts'
import type { Style, TaskFamily } from '../../world/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { evalFitness } from './eval-fitness.ts'
import type { FitnessRow } from './eval-fitness.ts'
import { evaluateTask } from './eval-run.ts'
import { systemRunner, truthRunner } from './eval-runners.ts'

/** Tasks of one family, one kind of concept and one draw: what a worker does at a time. */
export interface EvalJob {
  readonly family: TaskFamily
  readonly split: 'known' | 'new'
  readonly seed: number
  readonly count: number
}

/** What all jobs of an evaluation share; plain data, so that it reaches worker threads. */
export interface EvalPlan {
  readonly config: Config
  readonly env: Environment
  /** Folder of the sprites. */
  readonly cacheFolder: string
  readonly style: Style
  /** The tools of the configuration, or tools that read the truth. */
  readonly tools: 'configured' | 'truth'
  /** Side of the pictures; default 256. */
  readonly size?: number
}

/** Carries out jobs one after another. */
export interface EvalStation extends AsyncDisposable {
  work(job: EvalJob, options?: Abortable): Promise<readonly TaskOutcome[]>
}

/** Opens the drawings, the judge and the tools; once for many jobs. */
export async function openStation(plan: EvalPlan): Promise<EvalStation> {
  const { style, cacheFolder } = plan
  const library = await openLibrary([style], { cacheFolder })
  const judge = await openJudge()
  const setup = { ...plan, clock: systemClock, library }
  const runner = plan.tools === 'truth' ? truthRunner(setup) : await systemRunner(setup)
  const means = { lexicon: library.lexicon, judge }
  return {
    work: async ({ family, split, seed, count }, options = {}) => {
      const tasks = makeTasks(library, {
        ...{ family, count, seed, split, styles: [style] },
        seeds: style === 'twemoji' ? 'development' : 'train',
        ...(plan.size === undefined ? {} : { size: plan.size }),
        ...options,
      })
      const outcomes: TaskOutcome[] = []
      for (const task of tasks) {
        options.signal?.throwIfAborted()
        outcomes.push(await evaluateTask(task, seed, runner, means, options))
      }
      return outcomes
    },
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]()
      await judge[Symbol.asyncDispose]()
    },
  }
}

/** Whether the shipped judge may be trusted with the edits among the jobs. */
export async function judgeOfJobs(
  { cacheFolder }: EvalPlan,
  jobs: readonly EvalJob[],
  { signal }: Abortable = {},
): Promise<readonly FitnessRow[]> {
  await using judge = await openJudge()
  return await evalFitness({ judge, cacheFolder, jobs, signal })
}
