import { isDict, isList } from '../../tools/index.ts'
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
import { unmerged } from './target-llava.ts'
import { mergedText } from './training-text.ts'

/** ms-swift: `messages` of texts and `images`. */
export function toMessages(dialogue: Dialogue): PythonDict {
  return rowOf(dialogue, (turn) => (turn.from === 'human' ? turn.value : mergedText(turn)))
}

/** TRL: `messages` of parts, the picture as a part of its own. */
export function toPartMessages(dialogue: Dialogue): PythonDict {
  return rowOf(dialogue, (turn) => {
    const text = turn.from === 'human' ? turn.value : mergedText(turn)
    const image = text.startsWith('<image>\n') ? [row([['type', 'image']])] : []
    const rest = image.length > 0 ? text.slice('<image>\n'.length) : text
    return [
      ...image,
      row([
        ['type', 'text'],
        ['text', rest],
      ]),
    ]
  })
}

function rowOf(dialogue: Dialogue, content: (turn: DialogueTurn) => PythonValue): PythonDict {
  return row([
    ['id', dialogue.id],
    [
      'messages',
      dialogue.turns.map((turn) =>
        row([
          ['role', turn.from === 'human' ? 'user' : 'assistant'],
          ['content', content(turn)],
        ]),
      ),
    ],
    ['images', dialogue.image === undefined ? [] : [dialogue.image]],
    ['pupil', metaOf(dialogue)],
  ])
}

export function fromMessages(value: PythonValue): Dialogue {
  const data = dictRow(value)
  const id = textOr(data.get('id'), '?')
  const turns = listField(data, 'messages').map((message, i): DialogueTurn => {
    if (!isDict(message)) throw wrong(id, `messages ${i}`, 'an object')
    const text = contentText(message.get('content'))
    return message.get('role') === 'user' ? { from: 'human', value: text } : unmerged(text)
  })
  return { id, ...withImage(imageOf(data)), turns, ...readMeta(data.get('pupil')) }
}

function contentText(content: PythonValue | undefined): string {
  if (!isList(content)) return textOr(content, '')
  return content
    .map((part) => {
      if (!isDict(part)) return ''
      return part.get('type') === 'image' ? '<image>\n' : textOr(part.get('text'), '')
    })
    .join('')
}
