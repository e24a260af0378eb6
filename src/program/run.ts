import { errorData, isFault, seededRandom, systemClock, Unavailable } from '../base/index.ts'
import type { Abortable, Clock, ErrorData, Random } from '../base/index.ts'
import { answerForm, answerText } from './answer.ts'
import { bind, Cell, stateAt } from './cell.ts'
import type { Environment } from './cell.ts'
import { catalogue } from './catalogue.ts'
import { OVER } from './call-tool.ts'
import type { CallTool } from './call-tool.ts'
import { check } from './check.ts'
import { mayRun, programFault } from './diagnostic.ts'
import type { Diagnostic } from './diagnostic.ts'
import { freezeValue } from './freeze-value.ts'
import { gate } from './gate.ts'
import { kindOf } from './kind.ts'
import { recordBook } from './record.ts'
import type { ReplayOptions } from './record.ts'
import { RUN_LIMITS } from './run-limits.ts'
import type { RunLimits } from './run-limits.ts'
import type { StepContext } from './run-step.ts'
import type { Family, Signature } from './signature.ts'
import type { State } from './state.ts'
import { StepQueue } from './step-queue.ts'
import type { CallStep } from './step.ts'
import type { Program } from './syntax.ts'
import type { Value } from './value.ts'
import { Walker } from './walker.ts'

export interface RunOptions extends Abortable, ReplayOptions {
  /** The initial state: IMAGE, or LEFT and RIGHT, or whatever the program takes. */
  readonly inputs: Readonly<Record<string, Value>>
  /** Runs a tool; EVAL and RESULT are the language's own. */
  readonly call: CallTool
  readonly signatures: readonly Signature[]
  readonly family: Family
  readonly limits?: Partial<RunLimits>
  readonly clock?: Clock
  /** Start of the run's random numbers; default seed 0. */
  readonly random?: Random
  /** Told of each step in the order of the text, when it is done. */
  readonly onStep?: (step: CallStep) => void
}

/** How a run ended. */
export type RunOutcome =
  | { readonly status: 'done'; readonly value: Value; readonly answer?: string }
  | { readonly status: 'error'; readonly error: ErrorData; readonly at?: number }
  | { readonly status: 'aborted'; readonly reason: string }

export interface ProgramRun {
  /** In the order of the text. */
  readonly steps: readonly CallStep[]
  readonly outcome: RunOutcome
  /** Of parsing and checking. */
  readonly diagnostics: readonly Diagnostic[]
  /** The variables after the step of this index; before the first for -1. */
  stateAfter(index: number): State
}

/**
 * Runs a program from a fresh state. A program with an error never starts. Steps that do not depend
 * on each other run side by side; they are told and recorded in the order of the text, and the first
 * failure in that order is the run's.
 *
 * @returns always: a failure or an abort is an outcome, with the steps before it
 * @throws only what `onStep` throws
 * @source program-language §5
 */
export function runProgram(program: Program, options: RunOptions): Promise<ProgramRun> {
  return interpret(program, options, options.call)
}

/** Options of a replay; without `call` no tool is ever called. */
export type ReplayRunOptions = Omit<RunOptions, 'call'> & {
  readonly record: readonly CallStep[]
  readonly call?: CallTool
}

/**
 * Runs a recorded program again: recorded results are used where the arguments are the same, `given`
 * values stand in the place of results, and what depends on them is computed anew.
 *
 * @returns as `runProgram`; without `call`, a step that the record does not hold fails with
 *   `T_UNAVAILABLE`
 * @source program-language §5, clause 2; clova §3.4 (replay)
 */
export function replay(program: Program, options: ReplayRunOptions): Promise<ProgramRun> {
  return interpret(program, options, options.call)
}

async function interpret(
  program: Program,
  options: Omit<RunOptions, 'call'>,
  call: CallTool | undefined,
): Promise<ProgramRun> {
  const { family, signatures, signal } = options
  const inputs = Object.entries(options.inputs)
  const kinds = inputs.map(([name, value]) => ({ name, kind: kindOf(value) }))
  const diagnostics = check(program, { family, signatures, inputs: kinds })
  const start = inputs.reduce<Environment | null>(
    (rest, [name, value]) => bind(rest, name, Cell.of(freezeValue(value))),
    null,
  )
  const queue = new StepQueue(options.onStep ?? (() => {}))
  const finish = (outcome: RunOutcome): ProgramRun => ({
    steps: Object.freeze([...queue.steps]),
    outcome: Object.freeze(outcome),
    diagnostics,
    stateAfter: (index) => stateAt(index < 0 ? start : (queue.afters[index] ?? null)),
  })
  if (!mayRun(diagnostics)) return finish(failed(programFault(diagnostics)))
  if (hasFired(signal)) return finish(aborted(signal))
  const context = stepContext(options, call)
  const walker = new Walker(queue, context, catalogue(signatures))
  const ended = await settle(walker, program, start, signal)
  if (hasFired(signal)) return finish(aborted(signal))
  if (ended !== undefined) return finish({ status: 'error', ...ended })
  return finish(success(family, queue.steps.at(-1)?.result ?? null))
}

function stepContext(options: Omit<RunOptions, 'call'>, call: CallTool | undefined): StepContext {
  const limits = { ...RUN_LIMITS, ...options.limits }
  return {
    family: options.family,
    clock: options.clock ?? systemClock,
    random: options.random ?? seededRandom(0),
    limits,
    book: recordBook(options),
    call,
    gate: gate(limits.parallel),
  }
}

/** Walks the program to its end, its failure, the end of its time, or the signal. */
async function settle(
  walker: Walker,
  program: Program,
  start: Environment | null,
  signal: AbortSignal | undefined,
): Promise<{ error: ErrorData; at?: number } | undefined> {
  const { queue, context } = walker
  const { clock, limits } = context
  const timer = new AbortController()
  const stop = (): void => walker.cut(new Unavailable('T_ABORTED', 'The run was stopped.'))
  signal?.addEventListener('abort', stop, { once: true })
  const begun = clock.tick()
  void clock.sleep(limits.runMs, timer.signal).then(
    () => {
      if (clock.tick() - begun >= limits.runMs) walker.cut(tooLong(limits))
    },
    () => {}, // the run ended in time
  )
  try {
    void walker.walk(program.body, start)
    return await queue.ended
  } finally {
    timer.abort(OVER)
    signal?.removeEventListener('abort', stop)
  }
}

function tooLong({ runMs }: RunLimits): Unavailable {
  return new Unavailable('T_TIMEOUT', `The run took longer than ${runMs / 1000} s.`, {
    fields: { limitMs: runMs },
    cure: 'Allow the run more time.',
  })
}

function hasFired(signal: AbortSignal | undefined): signal is AbortSignal {
  return signal?.aborted === true
}

function aborted(signal: AbortSignal): RunOutcome {
  const reason: unknown = signal.reason
  return { status: 'aborted', reason: reason instanceof Error ? reason.message : String(reason) }
}

function failed(error: unknown): RunOutcome {
  return { status: 'error', error: errorData(error) }
}

function success(family: Family, value: Value): RunOutcome {
  try {
    const answer = answerText(answerForm(family, value))
    return { status: 'done', value, ...(answer === undefined ? {} : { answer }) }
  } catch (error) {
    if (!isFault(error)) throw error
    return failed(error)
  }
}
