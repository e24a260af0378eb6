import { canonicalJson } from '../base/index.ts'
import { isImage } from './kind.ts'
import type { ArgTrace, CallStep } from './step.ts'
import { valueToJson } from './value-json.ts'
import type { Value } from './value.ts'

/** What a replay goes by. */
export interface RecordBook {
  /** The recorded step at a place of the program, if any. */
  find(key: string): CallStep | undefined
  /** The value to be put at a place instead of what a tool would give. */
  given(key: string): Value | undefined
  /** True for steps whose recorded results may be used again. */
  reusable(step: CallStep): boolean
}

export interface ReplayOptions {
  /** The steps of an earlier run of the same program. */
  readonly record?: readonly CallStep[]
  /** Values put in the place of results, by index in the record. */
  readonly given?: Readonly<Record<number, Value>> | ReadonlyMap<number, Value>
  /** Recorded results from this index on are not used again; default: all may be, where the arguments are the same. */
  readonly from?: number
}

/** Where a step stands: its number in the text and the items of the loops around it. */
export function stepKey(step: number, path: CallStep['path']): string {
  return path.length === 0 ? `${step}` : `${step}@${path.map((part) => part.item).join('.')}`
}

export function recordBook({ record = [], given, from = Infinity }: ReplayOptions): RecordBook {
  const steps = new Map(record.map((step) => [stepKey(step.step, step.path), step]))
  const values = new Map<string, Value>()
  const entries = given instanceof Map ? [...given] : Object.entries(given ?? {})
  for (const [index, value] of entries) {
    const step = record[Number(index)]
    values.set(step === undefined ? '' : stepKey(step.step, step.path), value as Value)
  }
  return {
    find: (key) => steps.get(key),
    given: (key) => values.get(key),
    reusable: (step) => step.index < from,
  }
}

/** True when two values are the same to every tool: pictures by content and frame. */
export function sameValue(a: Value, b: Value): boolean {
  if (a === b) return true
  if (isImage(a) && isImage(b) && a.hash !== b.hash) return false
  return canonicalJson(valueToJson(a)) === canonicalJson(valueToJson(b))
}

/** True when a call has the arguments of a recorded one. */
export function sameArgs(a: readonly ArgTrace[], b: readonly ArgTrace[]): boolean {
  return (
    a.length === b.length &&
    a.every((arg, i) => {
      const other = b[i]
      return other !== undefined && arg.name === other.name && sameValue(arg.value, other.value)
    })
  )
}
