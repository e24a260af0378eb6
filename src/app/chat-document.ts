import type { ChatPart } from '../agents/index.ts'
import type { ErrorData } from '../base/index.ts'
import { plainOf } from '../tools/index.ts'
import { runDocument, stepDocument } from './document.ts'
import type { RunDocument, StepDocument } from './document.ts'

/** A part of a chat for the world outside: one line of `pupil chat --json`. */
export type ChatPartDocument =
  | { readonly type: 'say-delta' | 'thoughts' | 'note' | 'answer'; readonly text: string }
  | {
      readonly type: 'call-start'
      readonly skill: string
      readonly params: unknown
      readonly picture?: string
    }
  | {
      readonly type: 'call-end'
      readonly skill: string
      readonly picture?: string
      /** What the skill gave back; absent when it failed. */
      readonly reply?: unknown
      readonly error?: ErrorData
      /** Names of the pictures that it made. */
      readonly made: readonly string[]
      readonly notes: readonly string[]
      readonly repeated?: true
    }
  | {
      readonly type: 'picture'
      readonly name: string
      /** SHA-256 of its pixels. */
      readonly image: string
      readonly width: number
      readonly height: number
      readonly madeBy?: string
    }
  | { readonly type: 'step'; readonly kind: string; readonly call?: StepDocument }
  | { readonly type: 'finish'; readonly run: RunDocument }

/** The part as plain JSON; pure. */
export function chatPartDocument(part: ChatPart): ChatPartDocument {
  switch (part.type) {
    case 'call-start': {
      const { action, picture } = part
      const params = plainOf(action.params)
      return { type: 'call-start', skill: action.name, params, ...(picture && { picture }) }
    }
    case 'call-end': {
      const { action, picture, result, error, made, repeated } = part.outcome
      return {
        ...{ type: 'call-end', skill: action.name, made, notes: result?.notes ?? [] },
        ...(picture === undefined ? {} : { picture }),
        ...(result === undefined ? {} : { reply: plainOf(result.reply) }),
        ...(error === undefined ? {} : { error }),
        ...(repeated === true ? { repeated } : {}),
      }
    }
    case 'picture': {
      const { name, image, madeBy } = part.picture
      const { hash, width, height } = image
      const size = { image: hash, width, height }
      return { type: 'picture', name, ...size, ...(madeBy === undefined ? {} : { madeBy }) }
    }
    case 'step': {
      const call = stepDocument(part.step, {})
      return { type: 'step', kind: part.step.kind, ...(call === undefined ? {} : { call }) }
    }
    case 'finish':
      return { type: 'finish', run: runDocument(part.run) }
    default:
      return { type: part.type, text: part.text }
  }
}
