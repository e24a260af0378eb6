import { dict, isDict, isList, pythonJson, readPython } from '../../tools/index.ts'
import type { PythonDict, PythonList, PythonValue } from '../../tools/index.ts'
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

/** Names of functions may hold letters, digits and `_` only; this is reversible. */
export function functionName(skill: string): string {
  return skill.replaceAll('+', '__plus__').replaceAll('-', '__dash__')
}

export function skillName(name: string): string {
  return name.replaceAll('__plus__', '+').replaceAll('__dash__', '-')
}

/** The words of a format for the four kinds of turn. */
interface Words {
  readonly list: string
  readonly role: string
  readonly text: string
  readonly human: string
  readonly call: string
  readonly result: string
  readonly answer: string
}

const FACTORY: Words = {
  ...{ list: 'conversations', role: 'from', text: 'value' },
  ...{ human: 'human', call: 'function_call', result: 'observation', answer: 'gpt' },
}

const SWIFT: Words = {
  ...{ list: 'messages', role: 'role', text: 'content' },
  ...{ human: 'user', call: 'tool_call', result: 'tool_response', answer: 'assistant' },
}

/** LLaMA-Factory with native tools: human / observation, function_call / gpt; `tools` is JSON text. */
export function toFactoryTools(dialogue: Dialogue): PythonDict {
  return toNative(dialogue, FACTORY)
}

/** ms-swift with native tools: `tool_call`, `tool_response` (which carries no loss). */
export function toSwiftTools(dialogue: Dialogue): PythonDict {
  return toNative(dialogue, SWIFT)
}

function toNative(dialogue: Dialogue, words: Words): PythonDict {
  const { turns } = dialogue
  const names = turns.flatMap((turn) => (turn.from === 'gpt' ? turn.actions : []))
  const tools = [...new Set(names.flatMap((action) => nameOf(action) ?? []))]
  const said = turns.map((turn, i) => {
    const after = turns[i - 1]
    const isResult = turn.from === 'human' && after?.from === 'gpt' && after.actions.length > 0
    const role =
      turn.from === 'human'
        ? isResult
          ? words.result
          : words.human
        : turn.actions.length > 0
          ? words.call
          : words.answer
    return row([
      [words.role, role],
      [words.text, turn.from === 'human' ? turn.value : spokenText(turn)],
    ])
  })
  // What announces a call has no place beside a call: it is kept for those who read the file back.
  const announced = turns.flatMap((turn) =>
    turn.from === 'gpt' && turn.actions.length > 0 ? [turn.value] : [],
  )
  return row([
    ['id', dialogue.id],
    [words.list, said],
    ['tools', pythonJson(tools.map((name) => dict({ name: functionName(name), parameters: {} })))],
    ['images', dialogue.image === undefined ? [] : [dialogue.image]],
    ['pupil', new Map([...metaOf(dialogue), ['announced', announced]])],
  ])
}

function nameOf(action: PythonValue): string | undefined {
  const name = isDict(action) ? action.get('API_name') : undefined
  return typeof name === 'string' ? name : undefined
}

/** Thoughts in a think block, then the calls as bare JSON, or the answer. */
function spokenText({ thoughts, actions, value }: Extract<DialogueTurn, { from: 'gpt' }>): string {
  const think = `<think>\n${thoughts}\n</think>\n\n`
  if (actions.length === 0) return think + value
  const calls = actions.map((action): PythonValue => {
    const params = isDict(action) ? action.get('API_params') : undefined
    return row([
      ['name', functionName(nameOf(action) ?? '')],
      ['arguments', params ?? new Map()],
    ])
  })
  return think + pythonJson(calls.length === 1 ? (calls[0] ?? null) : calls)
}

export function fromNative(value: PythonValue): Dialogue {
  const data = dictRow(value)
  const id = textOr(data.get('id'), '?')
  const words = data.has('conversations') ? FACTORY : SWIFT
  const meta = data.get('pupil')
  const announced = isDict(meta) ? meta.get('announced') : undefined
  const announcements = isList(announced) ? [...announced] : []
  const turns = listField(data, words.list).map((turn, i): DialogueTurn => {
    if (!isDict(turn)) throw wrong(id, `${words.list} ${i}`, 'an object')
    const text = textOr(turn.get(words.text), '')
    const role = turn.get(words.role)
    if (role === words.human || role === words.result) return { from: 'human', value: text }
    const [, thoughts = '', rest = text] =
      /^<think>\n([\s\S]*?)\n<\/think>\n\n([\s\S]*)$/.exec(text) ?? []
    if (role !== words.call) return { from: 'gpt', thoughts, actions: [], value: rest }
    const said = textOr(announcements.shift(), '')
    return { from: 'gpt', thoughts, actions: callsOf(rest), value: said }
  })
  return { id, ...withImage(imageOf(data)), turns, ...readMeta(meta) }
}

function callsOf(text: string): PythonList {
  const value = readPython(text)
  return (isList(value) ? value : [value]).map((call): PythonValue => {
    const made = isDict(call) ? call : new Map<string, PythonValue>()
    return row([
      ['API_name', skillName(textOr(made.get('name'), ''))],
      ['API_params', made.get('arguments') ?? new Map()],
    ])
  })
}
