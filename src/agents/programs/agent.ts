import { errorData, expected, randomIds, systemClock } from '../../base/index.ts'
import type { Abortable, Clock, Ids } from '../../base/index.ts'
import { createBudget } from '../../llm/index.ts'
import type { Budget, LanguageModel, Prices } from '../../llm/index.ts'
import { createRetriever } from '../../memory/index.ts'
import type { DemonstrationPool, Retriever, SentenceEncoder } from '../../memory/index.ts'
import { FAMILIES } from '../../program/index.ts'
import type { CallTool, Family, RunLimits, RunOutcome, Signature } from '../../program/index.ts'
import type { Run, Step, Task } from '../step.ts'
import { createAnalogyPlanner } from './analogy/index.ts'
import type { AnalogyPlanner } from './analogy/index.ts'
import { byAnalogy } from './by-analogy.ts'
import { byHand } from './by-hand.ts'
import { withModel } from './with-model.ts'
import { runJournal } from './journal.ts'
import type { Work } from './journal.ts'
import { lazyRandom } from './lazy-random.ts'

/** What the agent is made of; only `app` puts it together. */
export interface ProgramsAgentParts {
  /** None: it plans by analogy. A function gets the budget, so that a cache can stand outside of it. */
  readonly model?: LanguageModel | ((budget: Budget) => LanguageModel) | undefined
  readonly pool: DemonstrationPool
  /** How demonstrations are compared; default the lexical ranking. */
  readonly encoder?: SentenceEncoder | undefined
  readonly signatures: readonly Signature[]
  readonly call: CallTool
  /** Default: the families of the papers. */
  readonly families?: Readonly<Record<string, Family>>
  readonly clock?: Clock
  readonly ids?: Ids
  /** Of Pupil; stands in every run. */
  readonly version?: string
  readonly limits?: Partial<RunLimits>
  readonly prices?: Prices
  /** Programs that vote on an answer; default 1. */
  readonly votes?: number
  /** Examples of each verdict in a prompt; default 4. */
  readonly examples?: number
  /** Constrains a model that decodes by a grammar. */
  readonly grammar?: (family: Family) => string | undefined
  /** Without a model: what becomes of a question that nothing is like; default `refuse`. */
  readonly unlike?: 'refuse' | 'whole-question'
}

export interface ProgramsRunOptions extends Abortable {
  readonly onStep?: (step: Step) => void
  /** Default: one by the task's limits. */
  readonly budget?: Budget
  readonly id?: string
  readonly createdAt?: number
}

export interface ProgramsAgent {
  /**
   * Carries out a task: plan, program, check, run.
   *
   * @returns always a run: what failed, or was stopped, is its outcome, with the steps before it
   * @throws only what `onStep` throws
   */
  run(task: Task, options?: ProgramsRunOptions): Promise<Run>
}

/** What all ways of planning share. */
export interface Parts extends ProgramsAgentParts {
  readonly clock: Clock
  readonly retriever: Retriever
  readonly planner: AnalogyPlanner
}

/**
 * CLOVA's inference: a task becomes a plan, the plan a program, and the program is run, every act a step.
 *
 * @source CLOVA §3.2; clova §2
 */
export function createProgramsAgent(options: ProgramsAgentParts): ProgramsAgent {
  const { pool, encoder, signatures, clock = systemClock, ids = randomIds } = options
  const parts: Parts = {
    ...options,
    clock,
    retriever: createRetriever({ pool, ...(encoder === undefined ? {} : { encoder }) }),
    planner: createAnalogyPlanner({ pool, signatures }),
  }
  return {
    run: async (task, { signal, onStep, budget, id, createdAt } = {}) => {
      const begun = createdAt ?? clock.now()
      const journal = runJournal(onStep)
      const spent = budget ?? createBudget(task.budget ?? {}, clock)
      const { outcome, fallback } = await carryOut(task, parts, { signal, journal, budget: spent })
      return Object.freeze({
        id: id ?? ids.next('run'),
        agent: 'programs',
        task,
        steps: Object.freeze([...journal.steps]),
        outcome,
        cost: spent.spent(),
        models: journal.models(),
        lessonsUsed: journal.lessons(),
        warnings: journal.warnings,
        ...(fallback === undefined ? {} : { fallback }),
        createdAt: begun,
        version: options.version ?? '0.0.0',
      } satisfies Run)
    },
  }
}

/** How a task came out, and by which way round, if by one. */
export interface CarriedOut {
  readonly outcome: RunOutcome
  readonly fallback?: string
}

async function carryOut(
  task: Task,
  parts: Parts,
  shared: Pick<Work, 'signal' | 'journal' | 'budget'>,
): Promise<CarriedOut> {
  const { signal } = shared
  try {
    const family = familyOf(task.family, parts.families ?? FAMILIES)
    const work: Work = { ...shared, task, family, random: lazyRandom(task.seed) }
    if (task.program !== undefined) return await byHand(parts, work, task.program)
    return parts.model === undefined ? await byAnalogy(parts, work) : await withModel(parts, work)
  } catch (error) {
    if (signal?.aborted === true) {
      const reason: unknown = signal.reason
      return {
        outcome: {
          status: 'aborted',
          reason: reason instanceof Error ? reason.message : String(reason),
        },
      }
    }
    return { outcome: { status: 'error', error: errorData(error) } }
  }
}

function familyOf(name: string, families: Readonly<Record<string, Family>>): Family {
  const family = Object.hasOwn(families, name) ? families[name] : undefined
  if (family === undefined) throw expected(Object.keys(families).join(', '), 'family', name)
  return family
}
