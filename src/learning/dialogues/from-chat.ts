import { isList, readPython } from '../../tools/index.ts'
import type { PythonList } from '../../tools/index.ts'
import type { Dialogue, DialogueTurn } from './dialogue.ts'

/** A conversation as it was recorded: the turns of a saved conversation file. */
export interface RecordedChat {
  readonly id: string
  /** Relative path of its first picture. */
  readonly image?: string
  readonly turns: readonly RecordedTurn[]
}

export type RecordedTurn =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant'
      readonly thoughts: string
      /** JSON text of the wire's action list. */
      readonly actions: string
      readonly value: string
      readonly cancelled?: boolean
      /** What a person said it should have been. */
      readonly corrected?: { readonly value?: string; readonly actions?: string }
    }
  /** The text in which results went back to the model. */
  | { readonly role: 'results'; readonly text: string }

/**
 * Dialogues of a recorded conversation, one for each exchange that came to an answer. With a correction
 * the corrected turn is what is learnt; if its actions were corrected, what followed is left out, because
 * the results belong to the wrong call.
 *
 * @source llava-plus §7.3 "Ours"
 */
export function dialoguesFromChat(chat: RecordedChat): readonly Dialogue[] {
  return exchangesOf(chat.turns).flatMap((turns, i): Dialogue[] => {
    const corrected = turns.some(
      (turn) => turn.role === 'assistant' && turn.corrected !== undefined,
    )
    const stopped = turns.some((turn) => turn.role === 'assistant' && turn.cancelled === true)
    const made = stopped ? [] : turnsOf(turns, chat.image !== undefined)
    if (made.length < 2 || made.length % 2 === 1) return []
    return [
      {
        id: `${chat.id}-${i}`,
        ...(chat.image === undefined ? {} : { image: chat.image }),
        turns: made,
        variant: made.length === 2 ? 'plain' : 'fly',
        skill: skillOf(made),
        source: corrected ? 'correction' : 'run',
      },
    ]
  })
}

function exchangesOf(turns: readonly RecordedTurn[]): readonly (readonly RecordedTurn[])[] {
  const groups: RecordedTurn[][] = []
  for (const turn of turns) {
    if (turn.role === 'user') groups.push([turn])
    else groups.at(-1)?.push(turn)
  }
  return groups
}

function turnsOf(turns: readonly RecordedTurn[], picture: boolean): readonly DialogueTurn[] {
  const made: DialogueTurn[] = []
  for (const turn of turns) {
    if (turn.role === 'user') {
      made.push({ from: 'human', value: `${picture ? '<image>\n' : ''}${turn.text}` })
    } else if (turn.role === 'results') made.push({ from: 'human', value: turn.text })
    else {
      const { thoughts, corrected } = turn
      const value = corrected?.value ?? turn.value
      made.push({
        from: 'gpt',
        thoughts,
        actions: listOf(corrected?.actions ?? turn.actions),
        value,
      })
      if (corrected?.actions !== undefined) break
    }
  }
  return made
}

function listOf(text: string): PythonList {
  const value = readPython(text)
  return isList(value) ? value : []
}

function skillOf(turns: readonly DialogueTurn[]): string {
  for (const turn of turns) {
    const [first] = turn.from === 'gpt' ? turn.actions : []
    const name = first instanceof Map ? first.get('API_name') : undefined
    if (typeof name === 'string') return name
  }
  return 'none'
}
