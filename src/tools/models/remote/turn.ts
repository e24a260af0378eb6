import type { PythonDict, PythonList, PythonValue } from './python-value.ts'
import { isDict, isList } from './python-value.ts'
import { pythonJson } from './python-write.ts'
import { WIRE } from './strings.ts'

/** One action of an assistant turn. */
export interface Action {
  readonly name: string
  readonly params: PythonDict
}

/** The three fields of an assistant turn; a field that is missing has no line. */
export interface WireTurn {
  readonly thoughts?: string
  readonly actions?: PythonValue
  readonly value?: string
}

/** Actions as the wire has them. */
export function wireActions(actions: readonly Action[]): PythonList {
  return actions.map(
    ({ name, params }): PythonValue =>
      new Map<string, PythonValue>([
        ['API_name', name],
        ['API_params', params],
      ]),
  )
}

/**
 * An assistant turn in the three-field text, byte for byte.
 *
 * @source llava-plus §2.1
 */
export function writeTurn({ thoughts, actions, value }: WireTurn): string {
  const lines = [
    ...(thoughts === undefined ? [] : [`${WIRE.thoughts} ${thoughts}\n`]),
    ...(actions === undefined ? [] : [`${WIRE.actions} ${pythonJson(actions)}\n`]),
    ...(value === undefined ? [] : [`${WIRE.value} ${value}\n`]),
  ]
  return lines.join('')
}

/** An action that was read, or why it cannot be run. */
export type ReadAction =
  | { readonly outcome: 'action'; readonly action: Action }
  | { readonly outcome: 'refused'; readonly name: string; readonly reason: string }

const SHAPE = '{"API_name": text, "API_params": {…}}'

/**
 * The actions of a parsed list by the safe rules: `null`, a number and `{}` are none, a single object is a
 * list of one, an address is refused always, what has no name is refused with the shape expected.
 *
 * @source llava-plus §2.5
 */
export function readActions(value: PythonValue): {
  readonly actions: readonly ReadAction[]
  readonly notes: readonly string[]
} {
  if (isList(value)) return { actions: value.map(readAction), notes: [] }
  if (isDict(value)) {
    if (value.size === 0) return { actions: [], notes: [] }
    const note = 'The action stood alone; it was read as a list of one.'
    return { actions: [readAction(value)], notes: [note] }
  }
  if (typeof value === 'string') {
    const reason = `Expected a list of ${SHAPE} for actions but got a text.`
    return { actions: [{ outcome: 'refused', name: '', reason }], notes: [] }
  }
  const got = value === null ? 'null' : typeof value === 'boolean' ? 'a truth value' : 'a number'
  return { actions: [], notes: [`The actions were ${got}; that was read as none.`] }
}

function readAction(entry: PythonValue): ReadAction {
  const refused = (name: string, reason: string): ReadAction => ({
    ...{ outcome: 'refused', name, reason },
  })
  if (!isDict(entry)) return refused('', `Expected ${SHAPE} for an action.`)
  const name = entry.get('API_name')
  if (typeof name !== 'string' || name === '') {
    return refused('', `Expected ${SHAPE} for an action, with a name.`)
  }
  if (/^\s*https?:/i.test(name)) {
    return refused(name, 'A skill is called by its name; an address is never called.')
  }
  const params = entry.get('API_params') ?? new Map<string, PythonValue>()
  if (!isDict(params)) {
    return refused(name, `Expected ${SHAPE} for the action ${name}; its API_params are no object.`)
  }
  return { outcome: 'action', action: { name, params } }
}
