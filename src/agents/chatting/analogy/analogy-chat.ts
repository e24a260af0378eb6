import type { Abortable } from '../../../base/index.ts'
import type { DemonstrationPool } from '../../../memory/index.ts'
import { filled, WIRE } from '../../../tools/index.ts'
import type { Action } from '../../../tools/index.ts'
import type { ChatModel, ChatRequest, ModelTurn } from '../chat-model.ts'
import { lastQuestion } from '../conversation.ts'
import type { ChatTurn } from '../conversation.ts'
import type { SkillOutcome } from '../skill.ts'
import { createChatPlanner } from './chat-planner.ts'
import type { ChatPlanner } from './chat-planner.ts'
import type { Earlier } from './follow-up.ts'
import { writtenOut } from './follow-up.ts'
import type { ChatPlan } from './plan.ts'
import { thingsOf } from './plan.ts'
import { tell } from './tell.ts'

export interface AnalogyChatOptions {
  /** Recorded dialogues, family `chat`; what is added counts from the next turn on. */
  readonly pool: DemonstrationPool
  /** Words that the detectors know: what a question names is cut down to them. */
  readonly vocabulary?: Iterable<string>
}

const NOT_UNDERSTOOD =
  'I did not understand that, and I have no language model to help me. I can count, find, segment, ' +
  'describe, tag and read things in a picture, answer questions about it, and edit it: for example ' +
  '"How many dogs are there?" or "Blur the background behind the dog".'

/**
 * Chats without a language model: a question is understood by recorded dialogues that are like it, its
 * skills are called, and the answer is told from what they gave. It never says more than that.
 */
export function analogyChat({ pool, vocabulary = [] }: AnalogyChatOptions): ChatModel {
  const planner = createChatPlanner(pool, vocabulary)
  return {
    id: 'analogy/dialogues',
    async *reply(request, options = {}) {
      const turn = await turnFor(planner, request, options)
      if (turn.value !== '') yield { type: 'say-delta', text: turn.value }
      yield { type: 'turn', turn }
    },
  }
}

async function turnFor(
  planner: ChatPlanner,
  { conversation: { turns }, skills }: ChatRequest,
  options: Abortable,
): Promise<ModelTurn> {
  const at = lastQuestion(turns)
  const asked = turns[at]
  const plan =
    asked?.role === 'user'
      ? await planned(planner, turns.slice(0, at), asked.text, options)
      : undefined
  if (plan === undefined) return turnOf('', [], NOT_UNDERSTOOD)
  const outcomes = turns
    .slice(at)
    .flatMap((turn): readonly SkillOutcome[] => (turn.role === 'results' ? turn.outcomes : []))
  const done = turns.slice(at).filter(({ role }) => role === 'results').length
  const failed = outcomes.some(({ error }) => error !== undefined)
  const next = plan.stages[done]
  if (next !== undefined && !failed && skills.length > 0) {
    const names = [...new Set(next.map(({ name }) => name))].join(' and ')
    return turnOf(plan.why, next, filled(WIRE.toolUseValue, names))
  }
  if (outcomes.length === 0)
    return turnOf(plan.why, [], 'I may call no skill now, so I cannot tell.')
  const names = [...new Set(outcomes.map(({ action }) => action.name))].join(' and ')
  const last = plan.stages.length > 1 && !failed ? outcomes.slice(-1) : outcomes
  return turnOf(filled(WIRE.answerThoughts, names), [], tell(plan, last))
}

/** The plan for a question; what leans on the question before is written out first. */
async function planned(
  planner: ChatPlanner,
  before: readonly ChatTurn[],
  question: string,
  options: Abortable,
): Promise<ChatPlan | undefined> {
  const previous = before.findLast((turn) => turn.role === 'user')
  const earlier =
    previous?.role === 'user' ? await about(planner, previous.text, options) : undefined
  return planner.plan(writtenOut(question, earlier), options)
}

async function about(
  planner: ChatPlanner,
  question: string,
  options: Abortable,
): Promise<Earlier | undefined> {
  const plan = await planner.plan(question, options)
  return plan === undefined ? undefined : { question, things: thingsOf(plan) }
}

function turnOf(thoughts: string, actions: readonly Action[], value: string): ModelTurn {
  return {
    ...{ thoughts, value, notes: [], calls: [], grounded: true },
    actions: actions.map((action) => ({ outcome: 'action', action })),
  }
}
