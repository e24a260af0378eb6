import { deadline, errorData, orAbort, Unavailable, UserFault } from '../../base/index.ts'
import type { Clock, Random } from '../../base/index.ts'
import type { CallStep, CallTool, ToolResult, Value } from '../../program/index.ts'
import { plainOf, pythonJson } from '../../tools/index.ts'
import type { Action, PythonDict, PythonValue } from '../../tools/index.ts'
import { namedPicture } from './chat-model.ts'
import type { Conversation } from './conversation.ts'
import { pictureNamed } from './conversation.ts'
import type { SkillRepository } from './repository.ts'
import type { NamedPicture, SkillOutcome, SkillResult } from './skill.ts'

/** What a call needs of the turn in which it happens. */
export interface CallSetting {
  readonly repository: SkillRepository
  readonly call: CallTool
  readonly clock: Clock
  readonly random: Random
  readonly conversation: Conversation
  readonly signal: AbortSignal
  readonly callMs: number
  readonly newId: () => string
  /** Which tool turn it is, from 1. */
  readonly turn: number
}

/** A step of a call, without the place that it gets in the run. */
export type PlacelessStep = Omit<CallStep, 'index' | 'output'>

/** How a call came out, with the steps it made. */
export interface SkillCall {
  readonly outcome: Omit<SkillOutcome, 'made'>
  readonly steps: readonly PlacelessStep[]
}

/** Names a call so that the same one is known again. */
export function callKey({ name, params }: Action): string {
  return `${name} ${pythonJson(params)}`
}

/**
 * Runs one action. A failure is an outcome, never thrown; only the turn's own signal is passed on.
 *
 * Each tool of the house that the skill calls is a step; a skill that calls none is a step itself.
 */
export async function callSkill(action: Action, setting: CallSetting): Promise<SkillCall> {
  const { clock, repository, conversation } = setting
  const limit = deadline(setting.callMs, setting.signal)
  const steps: PlacelessStep[] = []
  const picture = pictureOf(action, conversation)
  const start = clock.now()
  const begun = clock.tick()
  const base = { action, ...(picture === undefined ? {} : { picture: picture.name }) }
  try {
    const asked = namedPicture(action.params)
    if (asked !== undefined && picture === undefined) throw noPicture(asked, conversation)
    const result = await orAbort(
      repository.run(action, {
        ...{ picture, state: conversation.state, masks: conversation.masks, signal: limit },
        backends: repository.backends,
        call: (tool, args) => called(tool, args, { setting, limit, steps }),
      }),
      limit,
    )
    if (steps.length === 0) {
      steps.push(ownStep(action, setting, { start, ms: clock.tick() - begun, result }))
    }
    return { outcome: { ...base, result }, steps }
  } catch (error) {
    if (setting.signal.aborted) throw setting.signal.reason
    const cause = limit.aborted ? tooSlow(action.name, setting.callMs) : error
    if (steps.at(-1)?.error === undefined) {
      steps.push(ownStep(action, setting, { start, ms: clock.tick() - begun, error: cause }))
    }
    return { outcome: { ...base, error: errorData(cause) }, steps }
  }
}

function pictureOf({ params }: Action, conversation: Conversation): NamedPicture | undefined {
  return pictureNamed(conversation, namedPicture(params))
}

interface Calling {
  readonly setting: CallSetting
  readonly limit: AbortSignal
  readonly steps: PlacelessStep[]
}

async function called(
  tool: string,
  args: Readonly<Record<string, Value>>,
  { setting, limit, steps }: Calling,
): Promise<ToolResult> {
  const { clock, random, newId, turn } = setting
  const start = clock.now()
  const begun = clock.tick()
  const common = {
    ...({ kind: 'call', step: turn, line: turn, path: [], tool, start } as const),
    args: Object.entries(args).map(([name, value]) => ({ name, source: sourceOf(value), value })),
  }
  try {
    const context = { signal: limit, family: 'open', random, newId, step: turn }
    const done = await orAbort(setting.call(tool, args, context), limit)
    const { value, notices = [], prompts = [], models = [], score, concepts, raw } = done
    steps.push({
      ...{ ...common, result: value, notices, prompts, models, ms: clock.tick() - begun },
      ...(score === undefined ? {} : { score }),
      ...(concepts === undefined ? {} : { concepts }),
      ...(raw === undefined ? {} : { raw }),
    })
    return done
  } catch (error) {
    const shared = { notices: [], prompts: [], models: [], ms: clock.tick() - begun }
    if (!setting.signal.aborted) steps.push({ ...common, ...shared, error: errorData(error) })
    throw error
  }
}

function sourceOf(value: Value): string {
  return typeof value === 'string' ? JSON.stringify(value) : ''
}

/** The call itself as a step: a skill that runs elsewhere, or on a back end directly. */
function ownStep(
  action: Action,
  { turn }: CallSetting,
  how: {
    readonly start: number
    readonly ms: number
    readonly result?: SkillResult
    readonly error?: unknown
  },
): PlacelessStep {
  const { start, ms, result, error } = how
  const value = result === undefined ? undefined : valueOf(result)
  return {
    ...({ kind: 'call', step: turn, line: turn, path: [], tool: action.name, start, ms } as const),
    args: [...action.params].map(([name, param]) => ({
      ...{ name, source: pythonJson(param), value: argumentOf(param) },
    })),
    ...{ notices: [], prompts: [], models: [] },
    ...(value === undefined ? {} : { result: value }),
    ...(error === undefined ? {} : { error: errorData(error) }),
  }
}

function argumentOf(param: PythonValue): Value {
  const plain = plainOf(param)
  const isPlain = plain === null || ['string', 'number', 'boolean'].includes(typeof plain)
  return isPlain ? (plain as Value) : pythonJson(param)
}

/** Objects, else pictures, else the reply as text. */
function valueOf({ objects, made = [], reply }: SkillResult): Value {
  if (objects !== undefined) return objects
  if (made[0] !== undefined) return made[0]
  return replyText(reply)
}

function replyText(reply: PythonDict): string {
  return pythonJson(new Map([...reply].filter(([key]) => !/image|mask/.test(key))))
}

function noPicture(name: string, { pictures }: Conversation): UserFault {
  const known = pictures.map((one) => one.name)
  return new UserFault('E_NO_PICTURE', `There is no picture called "${name}".`, {
    fields: { name, known },
    cure: known.length === 0 ? 'Add a picture first.' : `There are ${known.join(', ')}.`,
  })
}

function tooSlow(name: string, ms: number): Unavailable {
  return new Unavailable('T_TIMEOUT', `${name} took longer than ${ms / 1000} s.`, {
    fields: { tool: name, limitMs: ms },
    cure: 'Try again, or allow a call more time.',
  })
}
