import type { Clock, Ids } from '../base/index.ts'
import type { Config } from './config.ts'
import type { Engine } from './engine.ts'
import type { Environment } from './environment.ts'
import { learningDesk } from './learning-desk.ts'
import type { LearningParts } from './learning-desk.ts'
import { learningJobs } from './learning-jobs.ts'
import type { Parts } from './parts.ts'
import type { ProgressHub } from './progress-hub.ts'
import type { Pupil } from './pupil.ts'
import type { RunShelf } from './run-shelf.ts'
import type { TrainParts } from './train-loop.ts'

export interface LearningSetup {
  readonly config: Config
  readonly env: Environment
  /** The assistant has tools or picture bytes of its own, which worker processes do not. */
  readonly isOwn: boolean
  readonly clock: Clock
  readonly ids: Ids
  readonly parts: Parts
  readonly hub: ProgressHub
  readonly engine: () => Promise<Engine>
  readonly runs: RunShelf
  readonly start: Pupil['start']
  readonly replay: Pupil['replay']
}

/** Everything of the assistant that learns; nothing is opened before it is asked. */
export function learningSide(setup: LearningSetup): Pick<Pupil, 'learning' | 'train' | 'evaluate'> {
  const { config, env, isOwn, clock, ids, parts, hub, engine, runs, start, replay } = setup
  const { learnt, decisions, library, jobs, pool } = parts
  const own: LearningParts = {
    ...{ learnt, decisions, library, jobs, pool, runs, runStore: parts.runs },
    ...{ clock, ids, space: config.space },
    workshop: async () => (await engine()).workshop(),
    backends: async () => (await engine()).backends,
    finders: async () => {
      const { pictureFinders } = await import('./learning-finders.ts')
      return pictureFinders({ config, clock, progress: hub.note })
    },
  }
  const work = learningJobs(own, { config, env, isOwn })
  const learning = { ...learningDesk(own), jobs: work }
  const loop: TrainParts = { ...own, start, replay, pool, work }
  return {
    learning,
    train: async (tasks, more) => (await import('./train-loop.ts')).trainTasks(tasks, loop, more),
    evaluate: async (tasks, more) =>
      (await import('./train-loop.ts')).evaluateTasks(tasks, loop, more),
  }
}
