import {
  errorData,
  expected,
  randomIds,
  seededRandom,
  systemClock,
  Unavailable,
  UserFault,
} from '../../base/index.ts'
import type { Abortable, Clock, Ids } from '../../base/index.ts'
import { withBudget, withTimeout } from '../../llm/index.ts'
import type { Budget, LanguageModel, Prices } from '../../llm/index.ts'
import type { DecisionBook } from '../../memory/index.ts'
import type { Outcome, Run, Task } from '../step.ts'
import { askDecomposition } from './ask-decompose.ts'
import { roughEstimate } from './ask.ts'
import type { Desk, Estimate } from './ask.ts'
import { decomposeByRules } from './decompose.ts'
import { DEFAULT_GRAPH } from './default-graph.ts'
import type { ConsentRequest, SourceCache } from './execute.ts'
import type { TransitionGraph } from './graph.ts'
import { createLedger } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { llmQaProvider } from './llm-qa.ts'
import { readLimits } from './options.ts'
import type { Permission, SeekLimits, SeekOptions } from './options.ts'
import { CANNOT_BE_ANSWERED, outcomeOf } from './outcome.ts'
import { createProviderDesk, permissionOf } from './provider-desk.ts'
import { seek } from './seek.ts'
import type { Stopped } from './seek.ts'
import { START_DECISIONS } from './start-decisions.ts'
import type { Person } from './person.ts'
import type { SeekState } from './state.ts'
import { NO_COST } from './types.ts'
import type { Decomposition, SeekOutcome, SeekPlanStep, SeekStep } from './types.ts'
import { createWorkingMemory } from './working-memory.ts'
import type { SourceProvider } from '../../tools/index.ts'

type ModelPart = LanguageModel | ((budget: Budget) => LanguageModel)

/** What the agent is made of; only `app` puts it together. */
export interface SeekingAgentParts {
  /** None: rules, graph and extraction; the run says so. A function gets the run's budget. */
  readonly model?: ModelPart | undefined
  /** Default: the same model. */
  readonly reasoner?: ModelPart | undefined
  /** Decides and reads in the place of models and rules. */
  readonly person?: Person
  /** In the order in which they are tried. */
  readonly providers: readonly SourceProvider[]
  /** Default: the one that ships. */
  readonly graph?: TransitionGraph
  readonly decisions?: DecisionBook
  readonly cache?: SourceCache
  /** What each remote provider may be sent, by id; left out: never. */
  readonly permissions?: Readonly<Record<string, Permission>>
  /** Asks the user; left out: nobody is there, `ask` means no. */
  readonly consent?: (request: ConsentRequest, options?: Abortable) => Promise<boolean>
  readonly clock?: Clock
  readonly ids?: Ids
  readonly version?: string
  readonly prices?: Prices
  /** How many tokens a call may take; default by length. */
  readonly estimate?: Estimate
}

export interface SeekRunOptions extends Abortable {
  readonly onStep?: (step: SeekStep) => void
  readonly options?: SeekOptions
  readonly id?: string
  readonly createdAt?: number
}

export interface SeekingAgent {
  /**
   * Answers a question about a picture whose answer is not in the picture, with its sources.
   *
   * @returns always a run, the last step of which is the outcome (`seekOutcome`); what failed is in it
   * @throws UserFault `E_INPUT` for a task without picture or question, before anything is spent;
   *   `E_ARGUMENT` for bad options
   */
  run(task: Task, options?: SeekRunOptions): Promise<Run>
}

/** A run of this agent ends with its outcome. */
export function seekOutcome(run: Pick<Run, 'steps'>): SeekOutcome | undefined {
  const last = run.steps.findLast((step) => step.kind === 'reply')
  return last !== undefined && 'outcome' in last ? (last.outcome as SeekOutcome) : undefined
}

/**
 * The seeking agent: what is shown, then what is known about it, tool by tool along a transition graph.
 *
 * @source AVIS §3; avis §1, §2
 */
export function createSeekingAgent(parts: SeekingAgentParts): SeekingAgent {
  return {
    run: async (task, options = {}) => {
      const clock = parts.clock ?? systemClock
      const ids = parts.ids ?? randomIds
      const limits = readLimits(options.options ?? {})
      checkTask(task)
      const begun = options.createdAt ?? clock.now()
      const id = options.id ?? ids.next('run')
      const work = openWork(task, parts, { ...options, id, clock, limits })
      const ended = await carryOut(work)
      const spent = work.ledger.budget.spent()
      return Object.freeze({
        ...{ id, agent: 'seeking', task, steps: Object.freeze([...work.steps]) },
        ...{ outcome: runOutcome(ended), cost: spent, createdAt: begun },
        models: modelsOf(work.steps),
        lessonsUsed: [],
        warnings: warningsOf(ended),
        version: parts.version ?? '0.0.0',
      } satisfies Run)
    },
  }
}

interface Ended {
  readonly outcome: SeekOutcome
  readonly error?: unknown
}

function checkTask({ instruction, inputs }: Task): void {
  const picture = Object.values(inputs)[0]
  if (picture === undefined) {
    throw new UserFault('E_INPUT', 'There is no picture to ask about.', {
      cure: 'Give one: pupil seek PICTURE "question".',
    })
  }
  const length = instruction.trim().length
  if (length === 0 || length > 2000) {
    const fault = expected('1 to 2000 characters', 'question', instruction)
    throw new UserFault('E_INPUT', fault.message, { fields: { length } })
  }
}

interface Work {
  readonly task: Task
  readonly parts: SeekingAgentParts
  readonly options: SeekOptions
  readonly limits: SeekLimits
  readonly id: string
  readonly clock: Clock
  readonly ledger: Ledger
  readonly steps: SeekStep[]
  readonly tell: (step: SeekStep) => void
  readonly planner: Desk | undefined
  readonly reader: Desk | undefined
  readonly signal: AbortSignal | undefined
}

function openWork(
  task: Task,
  parts: SeekingAgentParts,
  more: SeekRunOptions & {
    readonly id: string
    readonly clock: Clock
    readonly limits: SeekLimits
  },
): Work {
  const { id, clock, limits, signal, onStep, options = {} } = more
  const ledger = createLedger(limits, clock)
  const steps: SeekStep[] = []
  const desk = (model: ModelPart | undefined): Desk | undefined =>
    model === undefined
      ? undefined
      : {
          ...{ ledger, signal, estimate: parts.estimate ?? roughEstimate },
          model: withTimeout(spending(model, ledger, parts, clock), { ms: 60_000, clock }),
        }
  const planner = parts.person === undefined ? desk(parts.model) : undefined
  const tell = (step: SeekStep): void => {
    steps.push(Object.freeze(step))
    onStep?.(step)
  }
  const own = parts.person === undefined && parts.reasoner !== undefined
  const reader = own ? desk(parts.reasoner) : planner
  return { task, parts, options, limits, id, clock, ledger, steps, tell, planner, reader, signal }
}

function spending(
  model: ModelPart,
  { budget }: Ledger,
  { prices }: SeekingAgentParts,
  clock: Clock,
): LanguageModel {
  if (typeof model === 'function') return model(budget)
  return withBudget(model, budget, { clock, ...(prices === undefined ? {} : { prices }) })
}

/** Everything from the question to the outcome; whatever happens, the last step tells it. */
async function carryOut(work: Work): Promise<Ended> {
  let state: SeekState | undefined
  let stopped: Stopped
  let error: unknown
  try {
    const { decomposition, degraded } = await decompose(work)
    state = await openState(work, decomposition)
    if (degraded) state.degraded.add('decompose')
    stopped = await seek(state)
  } catch (thrown) {
    error = thrown
    stopped = { stop: work.signal?.aborted === true ? 'cancelled' : 'failed' }
  }
  const guess = state === undefined ? undefined : await guessOf(work, state, stopped)
  const outcome = outcomeFor(state, stopped, guess)
  const value = outcome.answer?.short ?? CANNOT_BE_ANSWERED
  work.tell({
    ...{ kind: 'reply', thoughts: outcome.stop, actions: [], value, calls: guess?.calls ?? [] },
    ...{ ms: 0, outcome, cost: guess?.cost ?? NO_COST },
  })
  return { outcome, ...(error === undefined ? {} : { error }) }
}

function outcomeFor(
  state: SeekState | undefined,
  { stop, contradicts }: Stopped,
  guess: { readonly text?: string } | undefined,
): SeekOutcome {
  if (state === undefined || stop === 'failed') {
    const none = { tried: [], sourcesFailed: [], degraded: [], plannerErrors: 0, replayable: true }
    return { kind: 'failed', stop, ...none }
  }
  return outcomeOf(state, stop, {
    ...(contradicts === undefined ? {} : { contradicts }),
    ...(guess?.text === undefined ? {} : { guess: guess.text }),
  })
}

/** The visual and the knowledge question, by the model or by rules, as the first step. */
async function decompose(
  work: Work,
): Promise<{ readonly decomposition: Decomposition; readonly degraded: boolean }> {
  const { planner, task, clock, ledger } = work
  const start = clock.tick()
  const close = ledger.open()
  const asked =
    planner === undefined ? undefined : await askDecomposition(planner, task.instruction.trim())
  const decomposition = asked?.value ?? decomposeByRules(task.instruction)
  const degraded = asked?.value === undefined
  const graph = graphOf(work)
  const { name, version } = graph
  const plan = JSON.stringify({ visual: decomposition.visual, knowledge: decomposition.knowledge })
  work.tell({
    ...{ kind: 'plan', plan, demonstrations: [], calls: asked?.calls ?? [] },
    ...{ by: degraded ? 'analogy' : 'llm', ms: clock.tick() - start, decomposition },
    ...{ graph: { name, version }, repairs: asked?.problems ?? [] },
    ...(graph === DEFAULT_GRAPH ? {} : { ownGraph: graph }),
    ...(degraded ? { degraded } : {}),
    cost: { ...close(), seconds: 0 },
  } satisfies SeekPlanStep)
  return { decomposition, degraded }
}

function graphOf({ options, parts }: Work): TransitionGraph {
  return options.graph ?? parts.graph ?? DEFAULT_GRAPH
}

async function openState(work: Work, decomposition: Decomposition): Promise<SeekState> {
  const { task, parts, options, limits, ledger, clock, planner, reader, signal } = work
  const picture = Object.values(task.inputs)[0]
  if (picture === undefined) throw new TypeError('the task was checked')
  const random = seededRandom(task.seed)
  const nonce = nonceOf(task.seed)
  const qa =
    planner === undefined || parts.providers.some(({ tool }) => tool === 'llm_qa')
      ? []
      : [llmQaProvider(planner.model, { nonce, fits: (text) => fits(planner, text) })]
  const providers = [...parts.providers, ...qa]
  const permissions = parts.permissions ?? {}
  const canAsk = parts.consent !== undefined
  const desk = createProviderDesk({ providers, permissions, canAsk, options, ledger })
  const recorded = (await parts.decisions?.list()) ?? []
  const memory = createWorkingMemory(decomposition)
  return {
    ...{ question: task.instruction.trim(), picture, limits, options, ledger, desk, clock, random },
    ...{
      person: parts.person,
      signal,
      nonce,
      reader,
      decomposition,
      memory,
      steps: work.steps,
      tell: work.tell,
    },
    graph: graphOf(work),
    planner: {
      ...{ question: task.instruction.trim(), desk: planner, runId: work.id, nonce },
      ...{ decisions: [...recorded, ...START_DECISIONS], examples: options.examples ?? 10 },
    },
    execution: {
      ...{ picture, clock, random, ledger, desk, cache: parts.cache, signal },
      fresh: options.fresh === true,
      consent: (request) => parts.consent?.(request, { signal }) ?? Promise.resolve(false),
      allowed: (one) => permissionOf(one, { permissions, canAsk }) === 'always',
    },
    ...{ taken: new Set(), tried: [], degraded: new Set(), pages: [], boxes: [], nodes: 0 },
    node: {
      ...{ id: 0, state: 'START', focus: {}, excluded: [], dead: false },
      phase: decomposition.visual.length === 0 ? 'knowledge' : 'visual',
    },
    ...{ sequenceAt: 0, plannerErrors: 0, rebinds: 0, calls: 0, failedCalls: 0, replayable: true },
  }
}

/** 64 random bits that mark outside text in this run's prompts; of the seed, so that a replay has the same. */
function nonceOf(seed: number): string {
  const random = seededRandom(seed).fork('nonce')
  return Array.from({ length: 8 }, () => random.below(256).toString(16).padStart(2, '0')).join('')
}

function fits({ ledger, estimate }: Desk, text: string): boolean {
  return ledger.breaks({ llmCalls: 1, tokens: estimate({ text, maxTokens: 200 }) }) === undefined
}

/** One unsupported guess beside an abstention, when it was asked for and can be paid. */
async function guessOf(work: Work, state: SeekState, { stop }: Stopped) {
  const { planner, options, ledger, signal } = work
  const wanted = options.allowGuess === true && planner !== undefined
  if (!wanted || stop === 'answer' || stop === 'cancelled' || stop === 'failed') return undefined
  if (outcomeOf(state, stop).kind !== 'abstained' || !fits(planner, state.question))
    return undefined
  const close = ledger.open()
  const provider = llmQaProvider(planner.model, { nonce: state.nonce, fits: () => true })
  try {
    const claims = state.memory.claims.map(({ text }) => text)
    const { text } = await provider.call(
      { q: state.question, claims },
      { signal, clock: work.clock },
    )
    return { text, calls: [], cost: { ...close(), seconds: 0 } }
  } catch {
    // A guess that does not come is none: the abstention stands as it is.
    return { calls: [], cost: { ...close(), seconds: 0 } }
  }
}

function runOutcome({ outcome, error }: Ended): Outcome {
  if (outcome.stop === 'cancelled') {
    const reason = error instanceof Error ? error.message : String(error)
    return { status: 'aborted', reason }
  }
  if (error !== undefined) return { status: 'error', error: errorData(error) }
  if (outcome.kind === 'failed') {
    const failed = outcome.sourcesFailed.map(({ provider, reason }) => `${provider} (${reason})`)
    const fault = new Unavailable('E_SOURCES', `No source answered: ${failed.join(', ')}.`, {
      fields: { failed: outcome.sourcesFailed },
      cure: 'Try again later, or look at "pupil doctor".',
    })
    return { status: 'error', error: errorData(fault) }
  }
  const value = outcome.answer?.short ?? CANNOT_BE_ANSWERED
  return { status: 'done', value, answer: value }
}

function modelsOf(steps: readonly SeekStep[]): readonly { readonly name: string }[] {
  const names = steps.flatMap((step) =>
    'calls' in step ? step.calls.map(({ model }) => model) : [],
  )
  return [...new Set(names)].map((name) => ({ name }))
}

function warningsOf({ outcome }: Ended): readonly string[] {
  const all = ['decompose', 'planner', 'reasoner'] as const
  const without = all.every((part) => outcome.degraded.includes(part))
  return [
    ...(without ? ['This run went without a language model.'] : []),
    ...(!without && outcome.degraded.length > 0
      ? [`Without a language model: ${outcome.degraded.join(', ')}.`]
      : []),
    ...(outcome.replayable ? [] : ['A source may not be stored: this run cannot be replayed.']),
  ]
}
