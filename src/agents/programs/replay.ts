import { systemClock } from '../../base/index.ts'
import type { Abortable, Clock } from '../../base/index.ts'
import { FAMILIES, parse, replay } from '../../program/index.ts'
import type {
  CallStep,
  CallTool,
  Family,
  RunOutcome,
  Signature,
  Value,
} from '../../program/index.ts'
import type { ProgramStep, Run, Step } from '../step.ts'
import { lazyRandom } from './lazy-random.ts'
import { majority } from './vote.ts'

export interface ReplayRun extends Abortable {
  readonly signatures: readonly Signature[]
  readonly families?: Readonly<Record<string, Family>>
  readonly clock?: Clock
  readonly onStep?: (step: Step) => void
  /** Values in the place of results of the last program's calls, by index. */
  readonly given?: Readonly<Record<number, Value>>
  /** The last program's calls from this index on are made anew, with `call`. */
  readonly from?: number
  readonly call?: CallTool
}

/**
 * A run again from its record: the same plan and programs, every call's result taken from the record.
 *
 * No model is asked; no tool is called unless `call` is given. Where nothing is given and nothing made anew
 * the steps are the same.
 *
 * @source program-language §5, clause 2; product R8
 */
export async function replayRun(run: Run, options: ReplayRun): Promise<Run> {
  const { signatures, clock = systemClock, signal } = options
  const families: Readonly<Record<string, Family>> = options.families ?? FAMILIES
  const family = families[run.task.family]
  if (family === undefined) return run
  const steps: Step[] = []
  const tell = (step: Step): void => {
    steps.push(step)
    options.onStep?.(step)
  }
  const segments = segmentsOf(run.steps)
  const outcomes: { readonly outcome: RunOutcome; readonly program: ProgramStep }[] = []
  for (const [i, { before, program, calls }] of segments.entries()) {
    before.forEach(tell)
    if (program === undefined) continue
    const isLast = i === segments.length - 1
    const { given, from, call } = options
    const made = await replay(parse(program.program), {
      ...{ inputs: run.task.inputs, signatures, family, clock, record: calls, onStep: tell },
      random: lazyRandom(run.task.seed)(),
      ...(isLast && given !== undefined ? { given } : {}),
      ...(isLast && from !== undefined ? { from } : {}),
      ...(isLast && call !== undefined ? { call } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
    outcomes.push({ outcome: made.outcome, program })
  }
  return Object.freeze({
    ...run,
    steps: Object.freeze(steps),
    outcome: ended(outcomes) ?? run.outcome,
  })
}

interface Segment {
  /** Plans, and programs that were never run; the program of this segment among them, last. */
  readonly before: readonly Step[]
  readonly program: ProgramStep | undefined
  readonly calls: readonly CallStep[]
}

/** A run's steps cut after the calls of each program that was run. */
function segmentsOf(steps: readonly Step[]): readonly Segment[] {
  const segments: Segment[] = []
  let before: Step[] = []
  let calls: CallStep[] = []
  const close = (): void => {
    const last = before.at(-1)
    const program = calls.length > 0 && last?.kind === 'program' ? last : undefined
    if (before.length > 0) segments.push({ before, program, calls })
    before = []
    calls = []
  }
  for (const step of steps) {
    if (step.kind === 'call') calls.push(step)
    else {
      if (calls.length > 0) close()
      before.push(step)
    }
  }
  close()
  return segments
}

/** The last program's outcome, or the vote's that it closes. */
function ended(
  outcomes: readonly { readonly outcome: RunOutcome; readonly program: ProgramStep }[],
): RunOutcome | undefined {
  const start = outcomes.findLastIndex(({ program }) => program.ballot === undefined)
  return majority(outcomes.slice(Math.max(0, start)).map(({ outcome }) => outcome))
}
