import { Bug, isFault, orAbort, Unavailable } from '../base/index.ts'
import type { Clock, Random } from '../base/index.ts'
import { fits, isList, kindName, kindOf } from './kind.ts'
import type { Signature } from './signature.ts'
import type { Notice, ToolResult } from './step.ts'
import type { Value } from './value.ts'

/** What a call may use. */
export interface CallContext {
  /** Fires when the run is stopped, the step takes too long, or an earlier step failed. */
  readonly signal: AbortSignal
  /** Name of the task family. */
  readonly family: string
  /** The step's own generator: the same whatever runs beside it. */
  readonly random: Random
  /** A fresh object id, unique in the run. */
  newId(): string
  /** Step number in the program's text, from 1. */
  readonly step: number
}

/** Runs a tool on resolved arguments; defaults are filled in. */
export type CallTool = (
  tool: string,
  args: Readonly<Record<string, Value>>,
  context: CallContext,
) => Promise<ToolResult>

export interface CallPolicy {
  readonly clock: Clock
  /** Milliseconds for the step, all tries together. */
  readonly limitMs: number
  /** Tries at most. */
  readonly tries: number
  /** Pause before the second try, doubled for the next; `retryAfter` counts when it is longer. */
  readonly pauseMs: number
}

/** Ends a timer; a plain value, since an `AbortError` for each call would cost more than the call. */
export const OVER = 'over'

/** Items of a list at most (program-language §2). */
const MOST_ITEMS = 1000

const RETRIED = new Set(['T_BACKEND', 'T_TIMEOUT', 'T_LLM'])

/**
 * Calls a tool within its time limit; what may be better later is tried again.
 *
 * @throws what the tool throws; Unavailable `T_TIMEOUT`; Bug `E_RESULT` for a result that is not of the
 *   signature's kind; the reason of the signal
 * @source program-language §5, clauses 4 and 5
 */
export async function callTool(
  call: CallTool,
  signature: Signature,
  args: Readonly<Record<string, Value>>,
  context: CallContext & { readonly controller: AbortController },
  policy: CallPolicy,
): Promise<ToolResult> {
  const { controller, signal } = context
  const timer = new AbortController()
  void limitTime(signature.name, controller, timer.signal, policy)
  try {
    for (let tried = 1; ; tried++) {
      try {
        signal.throwIfAborted()
        const result = await orAbort(call(signature.name, args, context), signal)
        checkResult(signature, result)
        const { value, notices = [] } = result
        return {
          ...result,
          value: typeof value === 'string' ? value.toWellFormed().normalize('NFC') : value,
          notices: tried === 1 ? notices : [...notices, retried(tried)],
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (!mayRetry(error) || tried >= policy.tries) throw error
        const pause = policy.pauseMs * 2 ** (tried - 1)
        await policy.clock.sleep(Math.max(pause, error.retryAfter ?? 0), signal)
      }
    }
  } finally {
    timer.abort(OVER)
  }
}

function mayRetry(error: unknown): error is Unavailable {
  if (!isFault(error) || error.kind !== 'Unavailable') return false
  return RETRIED.has(error.code) && error.fields.retry !== false
}

function retried(tries: number): Notice {
  return { code: 'N_RETRIED', message: `answered at try ${tries}` }
}

/** Fires the controller when the time is over by the clock. */
async function limitTime(
  tool: string,
  controller: AbortController,
  done: AbortSignal,
  { clock, limitMs }: CallPolicy,
): Promise<void> {
  const start = clock.tick()
  try {
    await clock.sleep(limitMs, done)
  } catch {
    return // the call was done before
  }
  // A clock that does not wait has not moved either; then nothing took too long.
  if (done.aborted || clock.tick() - start < limitMs) return
  controller.abort(
    new Unavailable('T_TIMEOUT', `${tool} took longer than ${limitMs / 1000} s.`, {
      fields: { tool, limitMs },
      cure: 'Try again, or allow a step more time.',
    }),
  )
}

function checkResult(signature: Signature, result: ToolResult): void {
  const { value } = result
  const usable =
    value !== undefined &&
    !(typeof value === 'number' && !Number.isFinite(value)) &&
    !(isList(value) && value.length > MOST_ITEMS)
  if (usable && fits(kindOf(value), signature.out)) return
  const found = usable
    ? kindName(kindOf(value))
    : isList(value)
      ? `a list of ${value.length}`
      : String(value)
  throw new Bug('E_RESULT', `${signature.name} gave ${found}, not ${kindName(signature.out)}.`, {
    fields: { tool: signature.name },
  })
}
