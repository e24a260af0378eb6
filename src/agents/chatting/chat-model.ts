import type { Abortable } from '../../base/index.ts'
import type { PythonDict, ReadAction } from '../../tools/index.ts'
import type { ModelCall } from '../step.ts'
import type { Conversation } from './conversation.ts'
import type { Skill } from './skill.ts'

/** What a chat model is asked: the conversation so far, whose last turn is the user's or results. */
export interface ChatRequest {
  readonly conversation: Conversation
  /** Skills it may call; none: it must answer. */
  readonly skills: readonly Skill[]
  /** Said to it beside the conversation, such as that a claim has nothing behind it. */
  readonly remark?: string
}

/** A turn as the model wrote it. */
export interface ModelTurn {
  readonly thoughts: string
  readonly actions: readonly ReadAction[]
  readonly value: string
  /** What was repaired or given up. */
  readonly notes: readonly string[]
  readonly calls: readonly ModelCall[]
  /** What skill results the answer rests on is known: no check of its words is needed. */
  readonly grounded?: boolean
}

/** Parts of a reply as it comes; `turn` is last. */
export type ChatModelPart =
  | { readonly type: 'say-delta'; readonly text: string }
  | { readonly type: 'turn'; readonly turn: ModelTurn }

/** Who answers in a conversation: a language model, a worker of the protocol, or recorded dialogues. */
export interface ChatModel {
  readonly id: string
  /** @throws Unavailable `T_LLM`, `E_CHAT_TOO_LONG`; the signal's reason */
  reply(request: ChatRequest, options?: Abortable): AsyncIterable<ChatModelPart>
}

/** The picture that an action names, by `picture` or `image` among its parameters. */
export function namedPicture(params: PythonDict): string | undefined {
  for (const key of ['picture', 'image']) {
    const value = params.get(key)
    if (typeof value === 'string' && /^picture\d+$/.test(value)) return value
  }
  return undefined
}
