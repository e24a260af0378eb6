import { isDict, isList, parseTurn } from '../../tools/index.ts'
import type { PythonDict, PythonValue } from '../../tools/index.ts'
import type { Dialogue, DialogueTurn } from './dialogue.ts'
import {
  dictRow,
  imageOf,
  listField,
  metaOf,
  readMeta,
  row,
  textOr,
  withImage,
  wrong,
} from './row.ts'
import { mergedText } from './training-text.ts'

/** The LLaVA-Plus trainer: thoughts, actions and value apart. */
export function toLlavaPlus(dialogue: Dialogue): PythonDict {
  return rowOf(dialogue, (turn) =>
    turn.from === 'human'
      ? [['value', turn.value]]
      : [
          ['thoughts', turn.thoughts],
          ['actions', turn.actions],
          ['value', turn.value],
        ],
  )
}

/** The LLaVA trainer: the three fields merged, since it would pass over others without a word. */
export function toLlava(dialogue: Dialogue): PythonDict {
  return rowOf(dialogue, (turn) => [
    ['value', turn.from === 'human' ? turn.value : mergedText(turn)],
  ])
}

function rowOf(
  dialogue: Dialogue,
  fields: (turn: DialogueTurn) => readonly (readonly [string, PythonValue])[],
): Map<string, PythonValue> {
  return row([
    ['id', dialogue.id],
    ['image', dialogue.image],
    ['conversations', dialogue.turns.map((turn) => row([['from', turn.from], ...fields(turn)]))],
    ['pupil', metaOf(dialogue)],
  ])
}

export function fromLlavaPlus(value: PythonValue): Dialogue {
  return read(value, (turn, id) => {
    const actions = turn.get('actions') ?? []
    if (!isList(actions)) throw wrong(id, 'actions', 'a list')
    const said = textOr(turn.get('value'), '')
    return { from: 'gpt', thoughts: textOr(turn.get('thoughts'), ''), actions, value: said }
  })
}

export function fromLlava(value: PythonValue): Dialogue {
  return read(value, (turn) => unmerged(textOr(turn.get('value'), '')))
}

/** A merged text as its three fields; text without them is an answer. */
export function unmerged(text: string): DialogueTurn {
  const { thoughts, value, actions } = parseTurn(text)
  return {
    from: 'gpt',
    thoughts,
    actions: actions !== undefined && isList(actions) ? actions : [],
    value,
  }
}

function read(
  value: PythonValue,
  spoken: (turn: PythonDict, id: string) => DialogueTurn,
): Dialogue {
  const data = dictRow(value)
  const id = textOr(data.get('id') ?? data.get('unique_id'), '?')
  const turns = listField(data, 'conversations').map((turn, i): DialogueTurn => {
    if (!isDict(turn)) throw wrong(id, `conversations ${i}`, 'an object')
    const isHuman = turn.get('from') === 'human'
    return isHuman ? { from: 'human', value: textOr(turn.get('value'), '') } : spoken(turn, id)
  })
  return { id, ...withImage(imageOf(data)), turns, ...readMeta(data.get('pupil')) }
}
