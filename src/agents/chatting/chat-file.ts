import { deepFreeze, UserFault } from '../../base/index.ts'
import type { ErrorData } from '../../base/index.ts'
import { decodePicture, encodePicture } from '../../image/index.ts'
import type { ObjectRecord } from '../../image/index.ts'
import { isDict, pythonJson, readActions, readPython, wireActions } from '../../tools/index.ts'
import type { Action, PythonDict } from '../../tools/index.ts'
import { outcomesText } from './outcome-text.ts'
import type { ChatTurn, Conversation, Correction } from './conversation.ts'
import type { NamedPicture, SkillOutcome } from './skill.ts'

/** A conversation as a file: JSON, pictures inside as PNG in base64, so that it reopens anywhere. */
export interface ChatFile {
  readonly format: 'pupil-chat'
  readonly version: 1
  readonly id: string
  readonly pictures: readonly { name: string; png: string; madeBy?: string }[]
  readonly turns: readonly ChatFileTurn[]
  readonly masks: readonly ObjectRecord[]
}

/** Actions and replies are JSON texts of the wire, so that the spelling of numbers stays. */
export type ChatFileTurn =
  | { readonly role: 'user'; readonly text: string; readonly pictures: readonly string[] }
  | {
      readonly role: 'assistant'
      readonly thoughts: string
      readonly actions: string
      readonly value: string
      readonly notes: readonly string[]
      readonly run: string
      readonly cancelled?: boolean
      readonly corrected?: Omit<Correction, 'actions'> & { readonly actions?: string }
    }
  | {
      readonly role: 'results'
      readonly run: string
      /** In which the results went back to the model. */
      readonly text: string
      readonly outcomes: readonly {
        readonly action: string
        readonly picture?: string
        readonly reply?: string
        readonly objects?: readonly ObjectRecord[]
        readonly notes?: readonly string[]
        readonly error?: ErrorData
        readonly made: readonly string[]
      }[]
    }

/** The conversation as a file's contents. */
export async function chatToFile(conversation: Conversation): Promise<ChatFile> {
  const pictures = await Promise.all(
    conversation.pictures.map(async ({ name, image, madeBy }) => {
      const png = Buffer.from(await encodePicture(image, 'png')).toString('base64')
      return { name, png, ...(madeBy === undefined ? {} : { madeBy }) }
    }),
  )
  let question = ''
  const turns = conversation.turns.map((turn): ChatFileTurn => {
    if (turn.role === 'user') question = turn.text
    return turnToFile(turn, question)
  })
  const { id, masks } = conversation
  return { format: 'pupil-chat', version: 1, id, pictures, turns, masks }
}

function actionsText(actions: readonly Action[]): string {
  return pythonJson(wireActions(actions))
}

function turnToFile(turn: ChatTurn, question: string): ChatFileTurn {
  if (turn.role === 'user') return turn
  if (turn.role === 'assistant') {
    const { corrected, actions, ...rest } = turn
    return {
      ...{ ...rest, actions: actionsText(actions) },
      ...(corrected === undefined ? {} : { corrected: correctionToFile(corrected) }),
    }
  }
  return {
    ...{ role: 'results', run: turn.run, text: outcomesText(turn.outcomes, question) },
    outcomes: turn.outcomes.map(({ action, picture, result, error, made }) => ({
      ...{ action: actionsText([action]), made },
      ...(picture === undefined ? {} : { picture }),
      ...(result === undefined ? {} : { reply: pythonJson(result.reply) }),
      ...(result?.objects === undefined ? {} : { objects: result.objects }),
      ...(result?.notes === undefined ? {} : { notes: result.notes }),
      ...(error === undefined ? {} : { error }),
    })),
  }
}

function correctionToFile({ actions, ...rest }: Correction) {
  return actions === undefined ? rest : { ...rest, actions: actionsText(actions) }
}

/**
 * The conversation of a file, to be gone on with.
 *
 * @throws UserFault `E_CHAT_FILE` when it is none, or of a newer version; and for pictures that are broken
 */
export async function chatFromFile(contents: unknown): Promise<Conversation> {
  const file = contents as ChatFile
  if (file?.format !== 'pupil-chat' || !Array.isArray(file.turns)) {
    throw new UserFault('E_CHAT_FILE', 'This is no conversation of Pupil.', {
      cure: 'Give a file that "/save" wrote.',
    })
  }
  if (file.version !== 1) {
    throw new UserFault(
      'E_CHAT_FILE',
      `The file has version ${String(file.version)}; 1 is known.`,
      {
        cure: 'Use a newer Pupil.',
      },
    )
  }
  const pictures = await Promise.all(
    file.pictures.map(async ({ name, png, madeBy }): Promise<NamedPicture> => {
      const { image } = await decodePicture(Buffer.from(png, 'base64'), { name })
      return { name, image, ...(madeBy === undefined ? {} : { madeBy }) }
    }),
  )
  const turns = file.turns.map(turnFromFile)
  const mask = file.turns
    .flatMap((turn) => (turn.role === 'results' ? turn.outcomes : []))
    .flatMap(({ reply }) => firstMask(reply))
    .at(-1)
  const state = mask === undefined ? {} : { mask }
  return deepFreezeTurns({ id: file.id, pictures, turns, state, masks: file.masks ?? [] })
}

/** Pictures hold typed arrays, which cannot be frozen; everything else is. */
function deepFreezeTurns(conversation: Conversation): Conversation {
  deepFreeze(conversation.masks)
  return Object.freeze(conversation)
}

function firstMask(reply: string | undefined): readonly PythonDict[] {
  const value = reply === undefined ? undefined : readPython(reply)
  const masks = isDict(value) ? value.get('masks_rle') : undefined
  const first = Array.isArray(masks) ? masks[0] : undefined
  return isDict(first) ? [first] : []
}

function actionsIn(text: string): readonly Action[] {
  return readActions(readPython(text)).actions.flatMap((read) =>
    read.outcome === 'action' ? [read.action] : [{ name: read.name, params: new Map() }],
  )
}

function turnFromFile(turn: ChatFileTurn): ChatTurn {
  if (turn.role === 'user') return turn
  if (turn.role === 'assistant') {
    const { corrected, actions, ...rest } = turn
    const made = corrected?.actions
    const correction =
      corrected === undefined
        ? undefined
        : { ...corrected, actions: made === undefined ? undefined : actionsIn(made) }
    return {
      ...{ ...rest, actions: actionsIn(actions) },
      ...(correction === undefined ? {} : { corrected: correction as Correction }),
    }
  }
  const outcomes = turn.outcomes.map(({ action, reply, objects, notes, ...rest }): SkillOutcome => {
    const value = reply === undefined ? undefined : readPython(reply)
    const [made = { name: '', params: new Map() }] = actionsIn(action)
    return {
      ...{ ...rest, action: made },
      ...(isDict(value)
        ? {
            result: {
              reply: value,
              ...(objects === undefined ? {} : { objects }),
              ...(notes === undefined ? {} : { notes }),
            },
          }
        : {}),
    }
  })
  return { role: 'results', run: turn.run, outcomes }
}
