import { errorData, ModelFault, Unavailable } from '../base/index.ts'
import type { Clock, ErrorData, Random } from '../base/index.ts'
import { callTool } from './call-tool.ts'
import type { CallTool } from './call-tool.ts'
import { stateFor } from './cell.ts'
import type { Environment } from './cell.ts'
import { display, valueWords } from './display.ts'
import { evaluateExpression } from './evaluate.ts'
import { expressionUses } from './expression-syntax.ts'
import { freezeValue } from './freeze-value.ts'
import { fits, isDisplayable, isScalarKind, kindName, kindOf } from './kind.ts'
import { printValue } from './print.ts'
import { sameArgs, sameValue, stepKey } from './record.ts'
import type { RecordBook } from './record.ts'
import { resolveArg } from './resolve-args.ts'
import type { RunLimits } from './run-limits.ts'
import type { Family } from './signature.ts'
import type { Slot } from './step-queue.ts'
import type { StepPlan } from './step-plan.ts'
import type { State } from './state.ts'
import type { ArgTrace, CallStep, Notice, ToolResult } from './step.ts'
import type { Value } from './value.ts'

/** What every step of a run goes by. */
export interface StepContext {
  readonly family: Family
  readonly clock: Clock
  readonly random: Random
  readonly limits: RunLimits
  readonly book: RecordBook
  /** Undefined in a replay that may call nothing. */
  readonly call: CallTool | undefined
  /** Runs work when one of the places for side-by-side calls is free. */
  readonly gate: <T>(work: () => Promise<T>) => Promise<T>
}

/** One execution of a step: what, where, with which variables. */
export interface Execution {
  readonly plan: StepPlan
  readonly slot: Slot
  readonly path: CallStep['path']
  readonly environment: Environment | null
  /** From the blocks around it. */
  readonly notices: readonly Notice[]
}

interface Timing {
  readonly start: number
  readonly tick: number
}

/**
 * Runs one step when its variables are there, and gives its trace; a failure is in it as `error`.
 *
 * @throws HALT when a step that it waits for will never have a value
 */
export async function runStep(context: StepContext, execution: Execution): Promise<CallStep> {
  const { plan, environment } = execution
  const state = await stateFor(environment, plan.names)
  const timing = { start: context.clock.now(), tick: context.clock.tick() }
  const key = stepKey(plan.node.number, execution.path)
  const recorded = context.book.find(key)
  let args: readonly ArgTrace[] = []
  try {
    args = resolveArgs(plan, state)
    const given = context.book.given(key)
    if (given !== undefined) {
      const step = succeed(context, execution, timing, args, { value: given })
      return Object.freeze({ ...step, ms: 0, replayed: 'given' })
    }
    const again = recorded && reuse(context, execution, recorded, args)
    if (again !== undefined) return again
    const result = evaluated(context, plan, state, args)
    const done = result ?? (await context.gate(() => invoke(context, execution, args, timing)))
    const step = succeed(context, execution, timing, args, done)
    return result !== undefined && recorded !== undefined ? recordedIfSame(step, recorded) : step
  } catch (error) {
    return failedStep(context, execution, timing, args, error)
  }
}

function resolveArgs(plan: StepPlan, state: State): readonly ArgTrace[] {
  const { bound, signature, expression } = plan
  const first = bound[0]
  if (expression === undefined || first === undefined) {
    return Object.freeze(bound.map((one) => resolveArg(one, state, signature)))
  }
  const text = first.arg.value.type === 'string' ? first.arg.value.text : ''
  const source = printValue(first.arg.value)
  return Object.freeze([
    Object.freeze({ name: first.spec.name, source, value: filled(text, plan, state) }),
  ])
}

/** The text of an expression with values in the place of variables, for people to read. */
function filled(text: string, { expression }: StepPlan, state: State): string {
  let result = ''
  let last = 0
  for (const { name, from, to, shown } of expression === undefined
    ? []
    : expressionUses(expression)) {
    const value = state.get(name)
    if (value === undefined) continue
    const plain = shown && isDisplayable(kindOf(value))
    result += text.slice(last, from) + (plain ? display(value) : valueWords(value))
    last = to
  }
  return result + text.slice(last)
}

/** The result of EVAL and RESULT, which need no tool; undefined for all others. */
function evaluated(
  { family }: StepContext,
  plan: StepPlan,
  state: State,
  args: readonly ArgTrace[],
): ToolResult | undefined {
  const { name } = plan.signature
  const value = args[0]?.value ?? null
  if (name === 'EVAL') {
    if (plan.expression === undefined) return { value }
    const where = `EVAL, step ${plan.node.number}`
    return { value: scalar(evaluateExpression(plan.expression, state, { where }), where) }
  }
  if (name !== 'RESULT') return undefined
  const kind = kindOf(value)
  if (family.result.some((wanted) => fits(kind, wanted))) return { value }
  const wanted = family.result.map(kindName).join(', ')
  const found = `${kindName(kind)} ${args[0]?.source ?? ''}`
  const message = `expected ${wanted} as the result of ${family.name}, found ${found}`
  throw new ModelFault('C_TYPE', message)
}

function scalar(value: Value, where: string): Value {
  if (isScalarKind(kindOf(value))) return value
  throw new ModelFault(
    'X_TYPE',
    `${valueWords(value)} is not a text, number, bool or none (${where})`,
  )
}

/** Calls the tool, or says that a replay without tools cannot go on. */
async function invoke(
  context: StepContext,
  { plan, slot, path }: Execution,
  args: readonly ArgTrace[],
  timing: { tick: number },
): Promise<ToolResult> {
  const { signature, node } = plan
  const { call, limits, clock, family } = context
  if (call === undefined) {
    throw new Unavailable(
      'T_UNAVAILABLE',
      `${signature.name} is not in the record with these values.`,
      {
        fields: { tool: signature.name },
        cure: 'Replay with tools.',
      },
    )
  }
  timing.tick = clock.tick() // waiting for a free place is not the tool's time
  const key = stepKey(node.number, path)
  let ids = 0
  return callTool(
    call,
    signature,
    namedArgs(plan, args),
    {
      controller: slot.controller,
      signal: slot.controller.signal,
      family: family.name,
      random: context.random.fork(key),
      newId: () => `o${key}.${++ids}`,
      step: node.number,
    },
    {
      clock,
      limitMs: signature.limitMs ?? limits.stepMs,
      tries: limits.tries,
      pauseMs: limits.pauseMs,
    },
  )
}

function namedArgs(plan: StepPlan, args: readonly ArgTrace[]): Readonly<Record<string, Value>> {
  const named: Record<string, Value> = {}
  for (const { name, default: otherwise } of plan.signature.args) {
    const found = args.find((arg) => arg.name === name)
    if (found !== undefined) named[name] = found.value
    else if (otherwise !== undefined) named[name] = otherwise
  }
  return named
}

function succeed(
  context: StepContext,
  execution: Execution,
  timing: Timing,
  args: readonly ArgTrace[],
  result: ToolResult,
): CallStep {
  const { value, notices, score, concepts, prompts, models, raw } = result
  return Object.freeze({
    ...head(context, execution, timing, args),
    result: freezeValue(value),
    notices: Object.freeze([...execution.notices, ...(notices ?? [])]),
    ...(score === undefined ? {} : { score }),
    ...(concepts === undefined ? {} : { concepts }),
    prompts: prompts ?? NONE,
    models: models ?? NONE,
    ...(raw === undefined ? {} : { raw }),
  })
}

const NONE: readonly never[] = Object.freeze([])

function head(
  context: StepContext,
  { plan, slot, path }: Execution,
  timing: Timing,
  args: readonly ArgTrace[],
): Omit<CallStep, 'notices' | 'prompts' | 'models'> {
  return {
    kind: 'call',
    index: slot.index,
    step: plan.node.number,
    line: plan.node.name.at.line,
    path,
    output: plan.node.name.name,
    tool: plan.signature.name,
    args,
    start: timing.start,
    ms: Math.max(0, context.clock.tick() - timing.tick),
  }
}

/** The trace of a step that failed. */
export function failedStep(
  context: StepContext,
  execution: Execution,
  timing: Timing,
  args: readonly ArgTrace[],
  error: unknown,
): CallStep {
  const { node, signature } = execution.plan
  const place = { step: node.number, line: node.name.at.line, tool: signature.name }
  return Object.freeze({
    ...head(context, execution, timing, args),
    error: placed(errorData(error), place),
    notices: Object.freeze([...execution.notices]),
    prompts: NONE,
    models: NONE,
  })
}

/** The error with where it happened; variables are named with their step. */
export function placed(error: ErrorData, place: Readonly<Record<string, unknown>>): ErrorData {
  return Object.freeze({ ...error, fields: Object.freeze({ ...error.fields, ...place }) })
}

/** A recorded step used again, when its arguments are the same. */
function reuse(
  context: StepContext,
  { plan, slot, notices }: Execution,
  recorded: CallStep,
  args: readonly ArgTrace[],
): CallStep | undefined {
  const { name } = plan.signature
  const own = name === 'EVAL' || name === 'RESULT'
  if (own || !context.book.reusable(recorded) || recorded.tool !== name) return undefined
  if (recorded.result === undefined && context.call !== undefined) return undefined
  if (recorded.replayed === 'given' || !sameArgs(args, recorded.args)) return undefined
  const own_ = recorded.notices.length >= notices.length ? recorded.notices : notices
  return Object.freeze({ ...recorded, index: slot.index, args, notices: own_, replayed: 'record' })
}

/** EVAL and RESULT are computed anew; the trace of an equal recorded one is kept. */
function recordedIfSame(step: CallStep, recorded: CallStep): CallStep {
  const same =
    recorded.tool === step.tool &&
    recorded.result !== undefined &&
    step.result !== undefined &&
    sameValue(step.result, recorded.result) &&
    sameArgs(step.args, recorded.args)
  if (!same) return step
  const { start, ms } = recorded
  return Object.freeze({ ...step, start, ms, replayed: 'record' })
}
