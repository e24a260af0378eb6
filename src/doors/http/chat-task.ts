import { pictureAt } from '../../app/index.ts'
import type { RunRequest } from '../../app/index.ts'
import { nearestNames, UserFault } from '../../base/index.ts'
import type { RouteContext } from './door.ts'

/** A message of a chat, whatever protocol it came by. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  readonly text: string
  /** Addresses of its pictures. */
  readonly pictures: readonly string[]
}

/** What a client may ask for as a model: a way of working, each a task family. */
export const CHAT_MODELS: Readonly<
  Record<string, { readonly family: string; readonly about: string }>
> = {
  pupil: { family: 'auto', about: 'Chooses by itself whether to answer, compare, edit or tag' },
  'pupil-ask': { family: 'gqa', about: 'Answers a question about one picture' },
  'pupil-compare': { family: 'nlvr', about: 'Says whether a statement about two pictures is true' },
  'pupil-edit': { family: 'imgedit', about: 'Changes a picture' },
  'pupil-tag': { family: 'tagging', about: 'Finds things or people and names them' },
  'pupil-program': { family: 'open', about: 'Runs the program that the message is' },
}

const LONGEST = 2000
const LONGEST_PROGRAM = 20_000
const MOST_PICTURES = 8

/** The family of a model's name. @throws UserFault `E_MODEL` */
export function familyOf(model: string): string {
  const known = Object.keys(CHAT_MODELS)
  const found = Object.hasOwn(CHAT_MODELS, model) ? CHAT_MODELS[model] : undefined
  if (found !== undefined) return found.family
  const near = nearestNames(model, known)
  throw new UserFault('E_MODEL', `There is no model "${model}" here.`, {
    fields: { model, known },
    cure: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Models: ${known.join(', ')}.`,
  })
}

/**
 * The task that a chat has come to: the words of its last message, which must be the user's, on its pictures, or on
 * those of the latest message before it that has any.
 *
 * Earlier words, and what an assistant said, never become part of an instruction.
 *
 * @throws UserFault `E_MODEL`, `E_ARGUMENT`, `E_PICTURE_*`, `E_BASE64`
 */
export async function chatTask(
  turns: readonly Turn[],
  model: string,
  context: RouteContext,
): Promise<RunRequest> {
  const family = familyOf(model)
  const last = turns.at(-1)
  if (last?.role !== 'user') {
    throw new UserFault('E_ARGUMENT', "The last message must be the user's.", {
      fields: { path: 'messages' },
    })
  }
  const text = last.text.trim()
  const longest = family === 'open' ? LONGEST_PROGRAM : LONGEST
  if (text === '' || text.length > longest) {
    throw new UserFault(
      'E_ARGUMENT',
      text === ''
        ? 'The last message holds no words.'
        : `The last message has ${text.length} characters; at most ${longest} are read.`,
      { fields: { path: 'messages', length: text.length } },
    )
  }
  const addresses = turns.findLast(({ pictures }) => pictures.length > 0)?.pictures ?? []
  const pictures = await read(addresses, context)
  if (family === 'open') return { family, instruction: '', program: text, pictures }
  return { family, instruction: text, pictures }
}

async function read(
  addresses: readonly string[],
  { pupil, fetchPicture }: RouteContext,
): Promise<RunRequest['pictures']> {
  if (addresses.length === 0) {
    throw new UserFault('E_ARGUMENT', 'There is no picture in this chat.', {
      fields: { path: 'messages' },
      cure: 'Attach a picture to the message.',
    })
  }
  if (addresses.length > MOST_PICTURES) {
    throw new UserFault('E_ARGUMENT', `At most ${MOST_PICTURES} pictures are read at once.`, {
      fields: { pictures: addresses.length },
    })
  }
  return Promise.all(
    addresses.map((address, index) =>
      pictureAt(address, `picture ${index + 1}`, pupil, fetchPicture),
    ),
  )
}

/** What a live run and its document are told by to whoever cancels: the client hung up. */
export const HUNG_UP = 'Who asked has hung up.'
