/**
 * A value as Python's reader sees it: a whole number is a `bigint`, any other number a `number`, so that
 * `1` and `1.0` stay apart and no digit is lost; a dict keeps its order.
 */
export type PythonValue = null | boolean | string | bigint | number | PythonList | PythonDict

export interface PythonList extends ReadonlyArray<PythonValue> {}
export interface PythonDict extends ReadonlyMap<string, PythonValue> {}

export function isList(value: PythonValue | undefined): value is PythonList {
  return Array.isArray(value)
}

export function isDict(value: PythonValue | undefined): value is PythonDict {
  return value instanceof Map
}

/** A dict from entries or a plain object, whose values may be plain too. */
export function dict(entries: Readonly<Record<string, unknown>>): PythonDict {
  return new Map(Object.entries(entries).map(([key, value]) => [key, pythonOf(value)]))
}

/**
 * A plain value for Python: numbers that are whole become whole numbers; say `asFloat` for those that
 * must stay floats.
 */
export function pythonOf(value: unknown): PythonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint') {
    return value
  }
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return value.map(pythonOf)
  if (value instanceof Map) return new Map([...value].map(([k, v]) => [String(k), pythonOf(v)]))
  return dict(value as Record<string, unknown>)
}

class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Marks numbers that Python must write with a point, whole or not; lists and objects inside too. */
export function asFloat(value: number): unknown {
  return new Float(value)
}

/** As plain JavaScript: big whole numbers lose digits, dicts become objects without a prototype's keys. */
export function plainOf(value: PythonValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (isList(value)) return value.map(plainOf)
  if (!isDict(value)) return value
  const object: Record<string, unknown> = {}
  for (const [key, one] of value) {
    Object.defineProperty(object, key, {
      ...{ value: plainOf(one), enumerable: true, configurable: true, writable: true },
    })
  }
  return object
}

/** The number behind a Python number, or undefined. */
export function numberOf(value: PythonValue | undefined): number | undefined {
  return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : undefined
}
