import { UserFault } from '../../base/index.ts'
import type { Clock } from '../../base/index.ts'
import { replayModel } from '../../llm/index.ts'
import type { RecordedCall } from '../../llm/index.ts'
import { memoryDecisions } from '../../memory/index.ts'
import type { Decision } from '../../memory/index.ts'
import { LOCAL_SOURCE, sourceFault } from '../../tools/index.ts'
import type { SourceOutput, SourceProvider, SourceTool } from '../../tools/index.ts'
import type { Run } from '../step.ts'
import { actionKey } from './action-key.ts'
import { createSeekingAgent } from './agent.ts'
import type { SeekRunOptions } from './agent.ts'
import type { TransitionGraph } from './graph.ts'
import type { SeekCallStep, SeekDecideStep, SeekPlanStep, SeekStep } from './types.ts'

export interface SeekReplayOptions extends SeekRunOptions {
  readonly clock: Clock
  /** Default: the graph of the run; another one shows where it would have gone. */
  readonly graph?: TransitionGraph
  /** The decisions that were in memory then. */
  readonly decisions?: readonly Decision[]
  readonly version?: string
}

/**
 * A run again from its record: no network, no model, every output from its call's step.
 *
 * @throws UserFault `E_REPLAY_MISS` with the key of a call that the record does not have; never a live call
 * @source avis §13 (replay)
 */
export async function replaySeek(run: Run, options: SeekReplayOptions): Promise<Run> {
  const { clock, decisions = [], version = run.version, ...more } = options
  const plan = run.steps.find((step): step is SeekPlanStep => step.kind === 'plan')
  const { graph = plan?.ownGraph } = options
  const calls = run.steps.filter(
    (step): step is SeekCallStep => step.kind === 'call' && 'sought' in step,
  )
  const record = run.steps.flatMap((step): readonly RecordedCall[] =>
    'calls' in step ? step.calls : [],
  )
  const book = memoryDecisions()
  for (const one of decisions) await book.append(one)
  const misses: UserFault[] = []
  const picture = Object.values(run.task.inputs)[0]
  const agent = createSeekingAgent({
    ...{ clock, version, decisions: book },
    ...(record.length === 0
      ? {}
      : { model: replayModel(record, { capabilities: { json: true } }) }),
    ...(graph === undefined ? {} : { graph }),
    // Whom the record shows as asked was allowed to be.
    permissions: Object.fromEntries(
      calls.flatMap(({ sought }) => sought.attempts.map(({ provider }) => [provider, 'always'])),
    ),
    providers: [
      ...recordedProviders(calls, picture?.hash ?? '', misses),
      ...uncalledProviders(run, calls, misses),
    ],
  })
  const again = await agent.run(run.task, { id: run.id, createdAt: run.createdAt, ...more })
  if (misses[0] !== undefined) throw misses[0]
  return again
}

/** The providers of a record: each tool's, in the order in which they were tried, answering as they did. */
function recordedProviders(
  calls: readonly SeekCallStep[],
  picture: string,
  misses: UserFault[],
): readonly SourceProvider[] {
  const tools = [...new Set(calls.map(({ tool }) => tool))].filter((one) => one !== 'select_object')
  return tools.flatMap((tool) => {
    const mine = calls.filter((one) => one.tool === tool)
    const ids = [
      ...new Set(mine.flatMap(({ sought }) => sought.attempts.map((one) => one.provider))),
    ]
    return ids.map((id): SourceProvider => {
      const tries = new Map<string, number>()
      const licence = mine.find(({ sought }) => sought.provider === id)?.sought.licence ?? ''
      return {
        ...{ ...LOCAL_SOURCE, id, tool: tool as SourceTool, licence },
        sends: wasAskedAfter(mine, id) ? 'image' : 'none',
        call: async ({ q, region, url }) => {
          const key = actionKey({ tool: tool as SourceTool, args: { q, region, url } }, picture)
          const step = mine.find(({ sought }) => sought.key === key)
          const mineThere = step?.sought.attempts.filter((one) => one.provider === id) ?? []
          const at = tries.get(key) ?? 0
          tries.set(key, at + 1)
          const attempt = mineThere[at]
          if (step === undefined || attempt === undefined) return miss(misses, key)
          const { result, message = '' } = attempt
          if (result !== 'ok' && result !== 'cache')
            throw sourceFault(id, result, message.replace(`${id}: `, ''))
          return ofProvider(step.sought.output ?? miss(misses, key), id)
        },
      }
    })
  })
}

/** A service that looks at pictures, asked when those of this machine had found nothing. */
function wasAskedAfter(calls: readonly SeekCallStep[], id: string): boolean {
  return calls.some(
    ({ tool, sought }) =>
      tool === 'image_search' && sought.provider === id && sought.attempts[0]?.provider !== id,
  )
}

/** Of an output that several gave together: what this one gave. */
function ofProvider(output: SourceOutput, id: string): SourceOutput {
  const { entries } = output
  if (entries?.some(({ provider }) => provider !== undefined) !== true) return output
  return { ...output, entries: entries.filter(({ provider }) => provider === id) }
}

/** Tools that the run could have called and did not: they are there to be chosen, and answer nothing. */
function uncalledProviders(
  run: Run,
  calls: readonly SeekCallStep[],
  misses: UserFault[],
): readonly SourceProvider[] {
  const called = new Set(calls.map(({ tool }) => tool))
  const offered = run.steps.flatMap((step) => {
    if (step.kind !== 'decide') return []
    // Left out for another reason than that nobody could do it: it was there.
    const there = (step as SeekDecideStep).excluded.filter(
      ({ why, note }) => why !== 'no-provider' || note !== undefined,
    )
    return [...step.allowed, ...there.map(({ tool }) => tool)]
  })
  const tools = [...new Set(offered)].filter(
    (tool) => !called.has(tool) && tool !== 'select_object',
  )
  return tools.map((tool): SourceProvider => ({
    ...{ ...LOCAL_SOURCE, id: `record/${tool}`, tool: tool as SourceTool, licence: '' },
    call: async () => miss(misses, tool),
  }))
}

/** Noted, and the call fails: the run that goes on from here is thrown away. */
function miss(misses: UserFault[], key: string): never {
  const fault = new UserFault('E_REPLAY_MISS', `The record has no output for ${key}.`, {
    fields: { key },
    cure: 'Run it again without --replay; what may not be stored cannot be replayed.',
  })
  misses.push(fault)
  throw fault
}

/** The first step in which two runs differ, times left aside; undefined when they are the same. */
export function firstDifference(a: Run, b: Run): number | undefined {
  const [left, right] = [a.steps.map(timeless), b.steps.map(timeless)]
  const longest = Math.max(left.length, right.length)
  const at = Array.from({ length: longest }, (_, i) => i).find((i) => left[i] !== right[i])
  return at
}

const TIMES = new Set(['ms', 'at', 'seconds', 'createdAt', 'cached'])

/** A step as text, without its times. */
export function timeless(step: Run['steps'][number] | SeekStep): string {
  return JSON.stringify(step, (name, value: unknown) =>
    // `start` is a time in calls and an offset in claims.
    TIMES.has(name) || (name === 'start' && Number(value) > 1e11) ? undefined : value,
  )
}
