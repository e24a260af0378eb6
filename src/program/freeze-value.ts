import { isList, isObject } from './kind.ts'
import type { Value } from './value.ts'

/** Freezes a value: lists and object records; pictures come frozen. */
export function freezeValue<V extends Value>(value: V): V {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (isList(value)) for (const item of value) freezeValue(item)
  else if (isObject(value)) Object.freeze(value.box)
  return Object.freeze(value)
}
