import { randomIds, systemClock } from '../../base/index.ts'
import type { Abortable, Clock, Ids } from '../../base/index.ts'
import type { BudgetLimits } from '../../llm/index.ts'
import type { CallTool } from '../../program/index.ts'
import type { Run, Step, Task } from '../step.ts'
import type { ChatModel } from './chat-model.ts'
import { CHAT_CAPS } from './chat-part.ts'
import type { ChatCaps, ChatPart } from './chat-part.ts'
import { addPicture, newConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import type { SkillRepository } from './repository.ts'
import { TurnLoop } from './turn-loop.ts'

export interface ChattingAgentParts {
  readonly model: ChatModel
  readonly repository: SkillRepository
  /** Runs a tool of the house. */
  readonly call: CallTool
  readonly clock?: Clock
  readonly ids?: Ids
  readonly version?: string
  readonly caps?: Partial<ChatCaps>
  /** Letters of the list of skills in a prompt. */
  readonly skillLetters?: number
}

export interface ChatTurnOptions extends Abortable {
  /** Id of the run. */
  readonly id?: string
  readonly createdAt?: number
  readonly budget?: BudgetLimits
  readonly seed?: number
  /** Names of the pictures that come with this turn; default those that no turn has shown yet. */
  readonly pictures?: readonly string[]
}

export interface ChattingAgent {
  /**
   * One turn of the user: the model answers, calling skills on the way. The last part has the conversation
   * as it is then, and the run; what failed or was stopped is the run's outcome.
   */
  turn(
    conversation: Conversation,
    text: string,
    options?: ChatTurnOptions,
  ): AsyncGenerator<ChatPart, void, undefined>
  /** A task as a conversation of one turn, its inputs as pictures. */
  run(
    task: Task,
    options?: ChatTurnOptions & { readonly onStep?: (step: Step) => void },
  ): Promise<Run>
}

/** The agent that chats: thoughts, actions, value, with skills in between (llava-plus §3.1). */
export function createChattingAgent(parts: ChattingAgentParts): ChattingAgent {
  const { clock = systemClock, ids = randomIds, version = '0.0.0' } = parts
  const caps = { ...CHAT_CAPS, ...parts.caps }
  const turn: ChattingAgent['turn'] = (conversation, text, options = {}) =>
    new TurnLoop({ ...parts, clock, ids, version, caps }, conversation, text, options).parts()
  return {
    turn,
    run: async (task, { onStep, ...options } = {}) => {
      let conversation = newConversation(ids.next('chat'))
      for (const image of Object.values(task.inputs)) {
        conversation = addPicture(conversation, image).conversation
      }
      const given = {
        seed: task.seed,
        ...(task.budget === undefined ? {} : { budget: task.budget }),
      }
      let run: Run | undefined
      for await (const part of turn(conversation, task.instruction, { ...given, ...options })) {
        if (part.type === 'step') onStep?.(part.step)
        if (part.type === 'finish') run = { ...part.run, task }
      }
      if (run === undefined) throw new TypeError('a turn always finishes')
      return Object.freeze(run)
    },
  }
}
