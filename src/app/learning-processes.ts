import type { Abortable, Clock, Ids, Json } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { JobStore } from '../stores/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import type { LearningOrder } from './learning-worker.ts'

/** What worker processes of lessons are started with. */
export interface ProcessesSetup {
  readonly config: Config
  readonly env: Environment
  /** The assistant has tools or picture bytes of its own, which other processes do not. */
  readonly isOwn: boolean
}

export interface ProcessesRequest extends Abortable {
  /** Ends when nothing waits; else it goes on until the signal fires. */
  readonly once?: boolean
  /** Hears what went wrong, a line each. */
  readonly note?: (text: string) => void
}

export interface ProcessesParts extends ProcessesSetup {
  readonly jobs: JobStore
  readonly kind: string
  readonly clock: Clock
  readonly ids: Ids
  /** Whether models here take prompts at all; asked only when something waits. */
  readonly canTune: () => Promise<boolean>
}

/**
 * Works lessons off in processes of their own, as many as `learning.workers` says, each under the cap of
 * `learning.memory` and with low priority.
 *
 * @throws UserFault `E_JOBS` where another process would not see the same: own tools, a store in memory
 */
export async function lessonProcesses(
  { config, env, isOwn, jobs, kind, clock, ids, canTune }: ProcessesParts,
  { once, note, signal }: ProcessesRequest = {},
): Promise<void> {
  if (isOwn || config.store === ':memory:') throw onlyHere()
  const { runProcesses, startWorkerProcess } = await import('../queue/index.ts')
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entry = new URL(`./learning-worker.${ending}`, import.meta.url)
  const order: LearningOrder = { config, env }
  await runProcesses(
    {
      ...{ clock, kinds: [kind], most: Math.max(1, config.learning.workers) },
      jobs: {
        ...jobs,
        claimable: async (kinds) => {
          const waiting = await jobs.claimable(kinds)
          return waiting > 0 && (await canTune()) ? waiting : 0
        },
      },
      start: () =>
        startWorkerProcess({
          ...{ entry, owner: ids.next('worker'), setup: order as unknown as Json },
          mostBytes: config.learning.memory * 2 ** 20,
        }),
      ...(note === undefined ? {} : { note }),
    },
    { ...(once === undefined ? {} : { once }), ...(signal === undefined ? {} : { signal }) },
  )
}

function onlyHere(): UserFault {
  return new UserFault(
    'E_JOBS',
    'Another process would not have what this one has: own tools, or a store in memory.',
    { cure: 'Do the work in this process: pupil.learning.jobs.work().' },
  )
}
