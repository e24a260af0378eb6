import type { Action } from '../../tools/index.ts'
import type { Run, Step } from '../step.ts'
import type { Conversation } from './conversation.ts'
import type { NamedPicture, SkillOutcome } from './skill.ts'

/** What is heard of a turn while it goes on; `finish` is always the last. */
export type ChatPart =
  /** Words of the model as they come: an announcement or the answer. */
  | { readonly type: 'say-delta'; readonly text: string }
  | { readonly type: 'thoughts'; readonly text: string }
  | { readonly type: 'call-start'; readonly action: Action; readonly picture?: string }
  | { readonly type: 'call-end'; readonly outcome: SkillOutcome }
  /** A skill made a picture; it has a name from now on. */
  | { readonly type: 'picture'; readonly picture: NamedPicture }
  /** Something to be seen beside the answer. */
  | { readonly type: 'note'; readonly text: string }
  /** Every step as it enters the run. */
  | { readonly type: 'step'; readonly step: Step }
  /** The answer of the turn, whole. */
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'finish'; readonly conversation: Conversation; readonly run: Run }

/** What a user turn may use; each is an option (llava-plus §3.1). */
export interface ChatCaps {
  /** Turns of the model that call skills. */
  readonly toolTurns: number
  readonly calls: number
  /** Milliseconds for one call. */
  readonly callMs: number
  /** Milliseconds for the whole user turn. */
  readonly turnMs: number
}

export const CHAT_CAPS: ChatCaps = { toolTurns: 4, calls: 8, callMs: 120_000, turnMs: 600_000 }
