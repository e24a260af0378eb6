import { isFault } from '../../../base/index.ts'
import type { PythonValue } from './python-value.ts'
import { isDict, isList } from './python-value.ts'
import { readPython, readPythonAt } from './python-read.ts'
import { pythonStrip } from './python-round.ts'
import { WIRE } from './strings.ts'

/** How the action list was read: the first two are the reference's, the next three ours. */
export type ParsedVia = 'json' | 'quotes' | 'literal' | 'fence' | 'bracket' | 'failed'

/** A model's text as a turn. */
export interface ParsedTurn {
  /** False: no three fields were found and the whole text is the answer. */
  readonly matched: boolean
  /** The raw groups when matched. */
  readonly groups?: readonly [thoughts: string, actions: string, value: string]
  readonly thoughts: string
  /** What the list held; undefined when it could not be read or there was none. */
  readonly actions?: PythonValue
  readonly via?: ParsedVia
  /** The answer: group 3 or the whole text, stripped. */
  readonly value: string
  /** What had to be repaired or was given up, for the trace and the user. */
  readonly notes: readonly string[]
}

/**
 * Reads the three fields of a model's text, with stated fallbacks; nothing in it is ever evaluated.
 *
 * Two steps as the reference has them (JSON; single quotes made double), then ours: a Python literal, JSON
 * in a code fence, the first balanced list.
 *
 * @source llava-plus §2.4
 */
export function parseTurn(text: string): ParsedTurn {
  const groups = findGroups(text)
  if (groups === undefined) {
    return { matched: false, thoughts: '', value: pythonStrip(text), notes: [] }
  }
  const [thoughts, actions, value] = groups
  const read = readList(pythonStrip(actions))
  return {
    matched: true,
    groups,
    thoughts: pythonStrip(thoughts),
    value: pythonStrip(value),
    ...read,
  }
}

/** The greedy search of the reference: the last value tag, then the last actions tag before it. */
function findGroups(text: string): readonly [string, string, string] | undefined {
  const start = text.indexOf(WIRE.thoughts)
  if (start < 0) return undefined
  const from = start + WIRE.thoughts.length
  for (
    let at = text.lastIndexOf(WIRE.value);
    at >= from;
    at = text.lastIndexOf(WIRE.value, at - 1)
  ) {
    const actions = text.lastIndexOf(WIRE.actions, at - WIRE.actions.length)
    if (actions >= from) {
      return [
        text.slice(from, actions),
        text.slice(actions + WIRE.actions.length, at),
        text.slice(at + WIRE.value.length),
      ]
    }
    if (at === 0) break
  }
  return undefined
}

interface ReadList {
  readonly actions?: PythonValue
  readonly via: ParsedVia
  readonly notes: readonly string[]
}

function readList(text: string): ReadList {
  const ways: readonly (readonly [ParsedVia, () => PythonValue | undefined, string?])[] = [
    ['json', () => tryRead(text)],
    ['quotes', () => tryRead(text.replaceAll("'", '"'))],
    ['literal', () => tryRead(text, 'literal'), 'The actions were read as a Python literal.'],
    ['fence', () => fenced(text), 'The actions stood in a code fence.'],
    ['bracket', () => bracketed(text), 'The first list in the actions was taken.'],
  ]
  for (const [via, read, note] of ways) {
    const actions = read()
    if (actions !== undefined) return { actions, via, notes: note === undefined ? [] : [note] }
  }
  const note = 'The list of actions could not be read, so no skill was called.'
  return { via: 'failed', notes: [note] }
}

function tryRead(text: string, as: 'json' | 'literal' = 'json'): PythonValue | undefined {
  try {
    return readPython(text, { as })
  } catch (error) {
    if (isFault(error) && error.code === 'E_WIRE_JSON') return undefined
    throw error
  }
}

function fenced(text: string): PythonValue | undefined {
  const inside = /```[a-z]*\s*\n?([\s\S]*?)```/i.exec(text)?.[1]?.trim()
  if (inside === undefined) return undefined
  return tryRead(inside) ?? tryRead(inside, 'literal')
}

function bracketed(text: string): PythonValue | undefined {
  const at = text.indexOf('[')
  if (at < 0) return undefined
  for (const as of ['json', 'literal'] as const) {
    try {
      const { value } = readPythonAt(text, at, { as })
      if (isList(value) && value.every((entry) => isDict(entry))) return value
    } catch (error) {
      if (!isFault(error) || error.code !== 'E_WIRE_JSON') throw error
    }
  }
  return undefined
}
