import type { Image, ObjectRecord } from '../../image/index.ts'
import type { Action, SkillState } from '../../tools/index.ts'
import type { NamedPicture, SkillOutcome } from './skill.ts'

/** A turn of a conversation. Turns are never changed, only added. */
export type ChatTurn =
  | {
      readonly role: 'user'
      readonly text: string
      /** Names of pictures that came with it. */
      readonly pictures: readonly string[]
    }
  | {
      readonly role: 'assistant'
      readonly thoughts: string
      readonly actions: readonly Action[]
      readonly value: string
      readonly notes: readonly string[]
      /** The run that it belongs to. */
      readonly run: string
      /** Stopped by the user. */
      readonly cancelled?: boolean
      /** What a user said it should have been. */
      readonly corrected?: Correction
    }
  | { readonly role: 'results'; readonly outcomes: readonly SkillOutcome[]; readonly run: string }

/** What is right instead of a turn: its answer, or its actions. */
export interface Correction {
  readonly value?: string
  readonly actions?: readonly Action[]
  readonly reason?: string
  readonly author: string
  readonly at: number
}

/** A conversation about pictures: a frozen value; every change is a copy. */
export interface Conversation {
  readonly id: string
  readonly pictures: readonly NamedPicture[]
  readonly turns: readonly ChatTurn[]
  readonly state: SkillState
  /** Masks of the last reply that had any. */
  readonly masks: readonly ObjectRecord[]
}

export function newConversation(id: string): Conversation {
  return Object.freeze({ id, pictures: [], turns: [], state: {}, masks: [] })
}

/** The conversation with another picture, which is called `picture1`, `picture2` and so on. */
export function addPicture(
  conversation: Conversation,
  image: Image,
  madeBy?: string,
): { readonly conversation: Conversation; readonly name: string } {
  const name = `picture${conversation.pictures.length + 1}`
  const named: NamedPicture = { name, image, ...(madeBy === undefined ? {} : { madeBy }) }
  const pictures = [...conversation.pictures, named]
  return { conversation: Object.freeze({ ...conversation, pictures }), name }
}

export function addTurn(conversation: Conversation, turn: ChatTurn): Conversation {
  const turns = [...conversation.turns, Object.freeze(turn)]
  return Object.freeze({ ...conversation, turns })
}

/** The picture of a name; without one the last that a person gave, or else the last of all. */
export function pictureNamed(
  { pictures }: Conversation,
  name: string | undefined,
): NamedPicture | undefined {
  if (name !== undefined && name !== '') return pictures.find((one) => one.name === name)
  return pictures.findLast(({ madeBy }) => madeBy === undefined) ?? pictures.at(-1)
}

/** Index of the last turn of a user. */
export function lastQuestion(turns: readonly ChatTurn[]): number {
  return turns.findLastIndex(({ role }) => role === 'user')
}

/** The conversation without the last user turn's whole exchange, and that turn's text (regenerate). */
export function withoutLast(conversation: Conversation): {
  readonly conversation: Conversation
  readonly question: string
} {
  const at = lastQuestion(conversation.turns)
  const turn = conversation.turns[at]
  const question = turn?.role === 'user' ? turn.text : ''
  const turns = at < 0 ? conversation.turns : conversation.turns.slice(0, at)
  return { conversation: Object.freeze({ ...conversation, turns }), question }
}
