import { createProgramsAgent, replayRun } from '../agents/index.ts'
import type { Task } from '../agents/index.ts'
import type { Clock, Progress } from '../base/index.ts'
import { createBudget } from '../llm/index.ts'
import type { Budget } from '../llm/index.ts'
import { grammarFor } from '../program/index.ts'
import type { CallTool, Family, RunLimits } from '../program/index.ts'
import { createToolbox, photoBackends, SIGNATURES } from '../tools/index.ts'
import type { PhotoOptions } from '../tools/index.ts'
import { cacheFolders } from './cache.ts'
import type { Config } from './config.ts'
import type { Engine } from './engine.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import type { Parts } from './parts.ts'
import { runHtml } from './run-html.ts'
import { version } from './version.ts'

export interface EngineSetup {
  readonly config: Config
  readonly parts: Parts
  readonly clock: Clock
  readonly env: Environment
  readonly progress: Progress
  /** Where vision models run: `here` starts fastest, `worker` keeps a server answering. */
  readonly thread: PhotoOptions['thread']
}

/** Joins tools, models and agents by the configuration; loads no model. */
export async function createEngine(setup: EngineSetup): Promise<Engine> {
  const { config, parts, clock, progress } = setup
  const photo = photoBackends({
    ...{ cacheDir: cacheFolders(config).models, progress, thread: setup.thread },
  })
  const models = roleModels(config, setup.env, clock)
  const pool = await parts.pool()
  const limits: Partial<RunLimits> = {
    steps: config.limits.steps,
    stepMs: config.limits.stepSeconds * 1000,
    runMs: config.limits.runSeconds * 1000,
  }
  /** The tools of one run: what they ask of language models is spent from its budget. */
  const callFor = (budget: Budget): CallTool => {
    const backends = models.backends(photo.backends, budget)
    const toolbox = createToolbox({ backends, settings: config.tools })
    return (name, args, context) => toolbox.call(name, args, { ...context, progress })
  }
  const shared = { pool, signatures: SIGNATURES, clock, limits, version, prices: config.prices }
  const planner = config.models.planner === undefined ? undefined : modelFor(models)
  return {
    signatures: SIGNATURES,
    run: (task, { id, createdAt, signal, onStep }) => {
      const budget = createBudget(task.budget ?? {}, clock)
      const agent = createProgramsAgent({
        ...{ ...shared, call: callFor(budget), model: planner, grammar },
      })
      return agent.run(task, { id, createdAt, signal, onStep, budget })
    },
    replay: async (run, { id, createdAt, signal, onStep, from }) => {
      const call = from === undefined ? {} : { from, call: callFor(budgetOf(run.task, clock)) }
      const options = { signatures: SIGNATURES, clock, signal, onStep, ...call }
      const start = clock.tick()
      const again = await replayRun(run, options)
      const cost = { ...NOTHING, seconds: (clock.tick() - start) / 1000 }
      return { ...again, id, createdAt, version, cost }
    },
    html: runHtml,
    close: () => photo.close(),
  }
}

const NOTHING = { calls: 0, tokens: 0, money: 0, pictures: 0 }

function modelFor(models: ReturnType<typeof roleModels>) {
  return (budget: Budget) => {
    const model = models.spending('planner', budget)
    if (model === undefined) throw new TypeError('planning with a model needs one')
    return model
  }
}

const grammar = (family: Family): string => grammarFor(SIGNATURES, family)

const budgetOf = (task: Task, clock: Clock): Budget => createBudget(task.budget ?? {}, clock)
