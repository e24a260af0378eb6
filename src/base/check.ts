import { UserFault } from './errors.ts'

/** A value as it is shown in an error: short, with its type. */
export function shown(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') {
    return `${JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)} (text)`
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return `an object (${value.constructor?.name ?? 'plain'})`
  return `${String(value)} (${typeof value})`
}

/**
 * The one message form for a bad argument: expected what, for which argument, what came, the way out.
 *
 * @example expected('a number from 0 to 1', 'maxOverlap', 5, 'Give 0.5 for half.')
 */
export function expected(what: string, name: string, got: unknown, cure?: string): UserFault {
  return new UserFault('E_ARGUMENT', `Expected ${what} for ${name} but got ${shown(got)}.`, {
    fields: { argument: name, expected: what, got: shown(got) },
    ...(cure === undefined ? {} : { cure }),
  })
}

/** Throws unless `value` is a finite number in `[min, max]`. */
export function checkNumber(
  value: unknown,
  name: string,
  range: { min?: number; max?: number; integer?: boolean } = {},
): number {
  const { min = -Infinity, max = Infinity, integer = false } = range
  const good =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    value >= min &&
    value <= max &&
    (!integer || Number.isInteger(value))
  if (!good) {
    const kind = integer ? 'a whole number' : 'a number'
    const span =
      min === -Infinity && max === Infinity
        ? ''
        : max === Infinity
          ? ` of at least ${min}`
          : ` from ${min} to ${max}`
    throw expected(`${kind}${span}`, name, value)
  }
  return value as number
}

/** Names of `known` nearest to `word` by edit distance, best first; at most `limit`, within 2 edits or a third of the word. */
export function nearestNames(word: string, known: Iterable<string>, limit = 3): string[] {
  const most = Math.max(2, Math.floor(word.length / 3))
  return [...known]
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .filter((entry) => entry.distance <= most)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map((entry) => entry.name)
}

/** Levenshtein distance in UTF-16 units. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[b.length] ?? 0
}
