import type { ProgramStep, Run, Task } from '../agents/index.ts'
import { seededRandom } from '../base/index.ts'
import type { Clock, Progress } from '../base/index.ts'
import { check, parse, print, replay, runProgram } from '../program/index.ts'
import type { CallStep, ProgramRun, RunLimits } from '../program/index.ts'
import { createToolbox, NO_BACKENDS, SIGNATURES } from '../tools/index.ts'
import type { Config } from './config.ts'
import type { Engine, EngineOptions } from './engine.ts'
import type { Environment } from './environment.ts'
import { lazy } from './lazy.ts'
import type { Parts } from './parts.ts'
import { familyNamed } from './program-desk.ts'
import { version } from './version.ts'

export interface EngineSetup {
  readonly config: Config
  readonly parts: Parts
  readonly clock: Clock
  readonly env: Environment
  readonly progress: Progress
}

/** Joins tools, models and agents by the configuration. */
export async function createEngine(setup: EngineSetup): Promise<Engine> {
  const { config, clock } = setup
  const toolbox = lazy(async () => createToolbox({ backends: NO_BACKENDS, settings: config.tools }))
  const limits: Partial<RunLimits> = {
    steps: config.limits.steps,
    stepMs: config.limits.stepSeconds * 1000,
    runMs: config.limits.runSeconds * 1000,
  }
  const common = async (task: Task, options: EngineOptions) => ({
    ...{
      inputs: task.inputs,
      signatures: SIGNATURES,
      family: await familyNamed(task.family),
      limits,
      clock,
    },
    ...{ random: seededRandom(task.seed), signal: options.signal, onStep: options.onStep },
  })
  return {
    signatures: SIGNATURES,
    run: async (task, options) => {
      const program = parse(task.program ?? '')
      const shared = await common(task, options)
      const start = clock.tick()
      const diagnostics = check(program, { family: shared.family, signatures: SIGNATURES })
      const step: ProgramStep = {
        ...{ kind: 'program', program: print(program), diagnostics, demonstrations: [], calls: [] },
        ...{ by: 'hand', attempt: 0, ms: clock.tick() - start },
      }
      options.onStep(step)
      const made = await runProgram(program, {
        ...shared,
        call: async (name, args, context) =>
          (await toolbox()).call(name, args, { ...context, progress: options.progress }),
      })
      return runOf(task, options, made, {
        steps: [step, ...made.steps],
        seconds: (clock.tick() - start) / 1000,
      })
    },
    replay: async (run, options) => {
      const record = run.steps.filter((step): step is CallStep => step.kind === 'call')
      const made = run.steps.findLast((step) => step.kind === 'program')
      const program = parse(made?.program ?? run.task.program ?? '')
      const start = clock.tick()
      if (made !== undefined) options.onStep(made)
      const again = await replay(program, {
        ...(await common(run.task, options)),
        record,
        ...(options.from === undefined
          ? {}
          : {
              from: options.from,
              call: async (name, args, context) =>
                (await toolbox()).call(name, args, { ...context, progress: options.progress }),
            }),
      })
      const steps = made === undefined ? again.steps : [made, ...again.steps]
      return runOf(run.task, options, again, { steps, seconds: (clock.tick() - start) / 1000 })
    },
    html: async () => {
      throw new Error('no rationale yet')
    },
    close: async () => {},
  }
}

function runOf(
  task: Task,
  { id, createdAt }: EngineOptions,
  made: ProgramRun,
  { steps, seconds }: { readonly steps: Run['steps']; readonly seconds: number },
): Run {
  const models = new Map(made.steps.flatMap((step) => step.models).map((one) => [one.name, one]))
  return {
    ...{ id, agent: task.agent, task, steps, outcome: made.outcome },
    cost: { calls: 0, tokens: 0, seconds, money: 0, pictures: 0 },
    ...{ models: [...models.values()], lessonsUsed: [], createdAt, version },
    warnings: made.diagnostics
      .filter((one) => one.severity === 'warning')
      .map((one) => `${one.line}:${one.column} ${one.code} ${one.message}`),
  }
}
