import { ModelFault } from '../base/index.ts'
import type { Value } from './value.ts'

/** Variables and their values; never a host object, so `toString` is an ordinary unused name. */
export type State = ReadonlyMap<string, Value>

/** A state from a plain record; only its own properties count. */
export function stateOf(record: Readonly<Record<string, Value>>): State {
  return new Map(Object.entries(record))
}

/** The value of a variable. @throws ModelFault `X_UNDEFINED` */
export function valueOf(state: State, name: string, at?: number): Value {
  const value = state.get(name)
  if (value !== undefined) return value
  throw new ModelFault('X_UNDEFINED', `undefined variable ${name}`, {
    fields: { variable: name, ...(at === undefined ? {} : { at }) },
  })
}
