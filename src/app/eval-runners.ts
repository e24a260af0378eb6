import { createProgramsAgent } from '../agents/index.ts'
import { countingIds, memoryBlobs, noProgress } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../memory/index.ts'
import type { DemonstrationPool } from '../memory/index.ts'
import { createToolbox, NO_BACKENDS } from '../tools/index.ts'
import { languageFamily, taskInputs, taskOnTruth, worldDemonstrations } from '../../world/index.ts'
import type { Library, Task } from '../../world/index.ts'
import { createEngine } from './create-engine.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import type { TaskRunner } from './eval-run.ts'
import { lazy } from './lazy.ts'
import { openParts } from './parts.ts'

export interface RunnerSetup {
  readonly config: Config
  readonly clock: Clock
  readonly env: Environment
  readonly library: Library
}

/** A runner that gives its models back. */
export type OpenRunner = TaskRunner & AsyncDisposable

/** Start value of every run's random numbers, so that a benchmark repeats. */
const SEED = 1

/** What the frozen system plans by: the shipped demonstrations and those of the training wordings. */
function frozenPool(): DemonstrationPool {
  const own = worldDemonstrations().map((one) => ({
    ...one,
    ...({ verdict: 'right', score: 1000, origin: 'start' } as const),
  }))
  return memoryDemonstrations([...startDemonstrations(), ...own])
}

/**
 * The whole system as it is configured, frozen: it starts with an empty store, so nothing that was
 * learnt here takes part, and nothing of the benchmark is kept.
 */
export async function systemRunner({ library, ...setup }: RunnerSetup): Promise<OpenRunner> {
  const config: Config = { ...setup.config, store: ':memory:' }
  const opened = openParts(config, setup.clock, memoryBlobs())
  const parts = { ...opened, pool: lazy(async () => frozenPool()) }
  const engine = await createEngine({
    ...{ config, parts, clock: setup.clock, env: setup.env },
    // A question without a plan goes to VQA as a whole and counts as a fallback (clova §2).
    ...{ progress: noProgress, thread: 'here', unlike: 'whole-question' },
  })
  const ids = countingIds()
  return {
    run: async (task, { signal }) => {
      const inputs = taskInputs(task, library)
      const run = await engine.run(asked(task, inputs), {
        ...{ id: ids.next('run'), createdAt: 0, progress: noProgress, onStep: () => {} },
        ...(signal === undefined ? {} : { signal }),
      })
      return { inputs, run }
    },
    [Symbol.asyncDispose]: async () => {
      await engine.close()
      await opened.close()
    },
  }
}

/** Plans by analogy on tools that read the truth: what planning alone loses. */
export function truthRunner({
  library,
  clock,
}: Pick<RunnerSetup, 'library' | 'clock'>): OpenRunner {
  const { signatures } = createToolbox({ backends: NO_BACKENDS })
  // Which tools answer is settled by task; the agent is made once, since its index is worth keeping.
  let toolbox = createToolbox({ backends: NO_BACKENDS })
  const agent = createProgramsAgent({
    ...{ pool: frozenPool(), signatures, clock, ids: countingIds() },
    call: (name, args, context) => toolbox.call(name, args, { ...context, progress: noProgress }),
  })
  return {
    run: async (task, { signal }) => {
      const { inputs, backends } = taskOnTruth(task, library)
      toolbox = createToolbox({ backends })
      return { inputs, run: await agent.run(asked(task, inputs), { createdAt: 0, signal }) }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

function asked(task: Task, inputs: Awaited<ReturnType<TaskRunner['run']>>['inputs']) {
  const { name: family } = languageFamily(task.family)
  return { agent: 'programs', family, instruction: task.instruction, inputs, seed: SEED } as const
}
