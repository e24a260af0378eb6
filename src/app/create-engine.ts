import { createProgramsAgent, replayRun } from '../agents/index.ts'
import type { ProgramsAgent, Task } from '../agents/index.ts'
import type { Clock, Progress } from '../base/index.ts'
import { createBudget } from '../llm/index.ts'
import type { Budget } from '../llm/index.ts'
import type { DemonstrationPool } from '../memory/index.ts'
import { grammarFor } from '../program/index.ts'
import type { CallTool, Family, RunLimits } from '../program/index.ts'
import { createToolbox } from '../tools/index.ts'
import type { PhotoOptions, Tool } from '../tools/index.ts'
import { memorySource } from './acting-memory.ts'
import type { Config } from './config.ts'
import type { Engine } from './engine.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import { openTools } from './open-tools.ts'
import type { OpenTools } from './open-tools.ts'
import { signaturesWith } from './own-tools.ts'
import type { Parts } from './parts.ts'
import { runHtml } from './run-html.ts'
import { sentenceEncoder } from './sentence-encoder.ts'
import { version } from './version.ts'

export interface EngineSetup {
  readonly config: Config
  readonly parts: Parts
  readonly clock: Clock
  readonly env: Environment
  readonly progress: Progress
  /** Where vision models run: `here` starts fastest, `worker` keeps a server answering. */
  readonly thread: PhotoOptions['thread']
  /** The tools of another space, whose models are shared; default: opened here. */
  readonly shared?: () => Promise<OpenTools>
  /** Tools beside the standard ones; one with the name of a standard tool takes its place. */
  readonly tools?: readonly Tool[]
  /** Without a planner: what becomes of a question that nothing is like; default `refuse`. */
  readonly unlike?: 'refuse' | 'whole-question'
}

/** Joins tools, models and agents by the configuration; loads no model. */
export async function createEngine(setup: EngineSetup): Promise<Engine> {
  const { config, parts, clock, progress, tools = [] } = setup
  const signatures = await signaturesWith(tools)
  const opened = await toolsFor(setup)
  const models = roleModels(config, setup.env, clock)
  const pool = poolWhenNeeded(parts.pool)
  const limits: Partial<RunLimits> = {
    steps: config.limits.steps,
    stepMs: config.limits.stepSeconds * 1000,
    runMs: config.limits.runSeconds * 1000,
  }
  /** The tools of one run: what they ask of language models is spent from its budget. */
  const callFor = (budget: Budget): CallTool => {
    const backends = models.backends(opened.backends, budget)
    const toolbox = createToolbox({ backends, settings: config.tools, extra: tools })
    return (name, args, context) => toolbox.call(name, args, { ...context, progress })
  }
  const grammars = new Map<Family, string>()
  const grammar = (family: Family): string => {
    const known = grammars.get(family) ?? grammarFor(signatures, family)
    grammars.set(family, known)
    return known
  }
  const { unlike = 'refuse' } = setup
  const shared = { pool, signatures, clock, limits, version, prices: config.prices, unlike }
  const model = config.models.planner === undefined ? undefined : modelFor(models)
  const encoder = sentenceEncoder(config, setup.env)
  const agentFor = (budget: Budget): ProgramsAgent =>
    createProgramsAgent({ ...shared, call: callFor(budget), model, grammar, encoder })
  // What an agent has learnt of the demonstrations is worth keeping; only tools that spend are of one run.
  const { vqa, caption, list, generator } = config.models
  const spends = vqa ?? caption ?? list ?? generator
  const common = spends === undefined ? agentFor(createBudget({}, clock)) : undefined
  return {
    ...{ tools: opened, backends: opened.backends },
    run: (task, { id, createdAt, signal, onStep }) => {
      const budget = createBudget(task.budget ?? {}, clock)
      const agent = common ?? agentFor(budget)
      return agent.run(task, { id, createdAt, signal, onStep, budget })
    },
    replay: async (run, { id, createdAt, signal, onStep, from }) => {
      const call = from === undefined ? {} : { from, call: callFor(budgetOf(run.task, clock)) }
      const options = { signatures, clock, signal, onStep, ...call }
      const start = clock.tick()
      const again = await replayRun(run, options)
      const cost = { ...NOTHING, seconds: (clock.tick() - start) / 1000 }
      return { ...again, id, createdAt, version, cost }
    },
    workshop: async () => {
      const { createWorkshop } = await import('./rehearse.ts')
      const budget = createBudget(config.budget, clock)
      return createWorkshop({
        ...{ tools: opened, clock, limits, progress, signatures },
        ...{ call: callFor(budget), settings: config.tools, extra: tools },
        model: models.spending('planner', budget),
        around: (backends) => models.backends(backends, budget),
      })
    },
    html: runHtml,
    close: () => opened.close(),
  }
}

async function toolsFor({ shared, ...setup }: EngineSetup): Promise<OpenTools> {
  const { config, progress, thread } = setup
  const memory = memorySource(setup.parts.learnt)
  if (shared !== undefined) return (await shared()).forSpace(memory)
  return openTools({ config, progress, thread, memory })
}

/** A pool that is opened at the first look: checking a program needs no store. */
function poolWhenNeeded(pool: Parts['pool']): DemonstrationPool {
  return {
    list: async (family) => (await pool()).list(family),
    get: async (id) => (await pool()).get(id),
    put: async (demonstration) => (await pool()).put(demonstration),
    remove: async (id) => (await pool()).remove(id),
    version: async () => (await pool()).version(),
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

const budgetOf = (task: Task, clock: Clock): Budget => createBudget(task.budget ?? {}, clock)
