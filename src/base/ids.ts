import { randomBytes } from 'node:crypto'

/** Makes identifiers; passed in, so that tests and replays get the same ones. */
export interface Ids {
  /** A new id such as `run_3f9c…`; `prefix` says what it names. */
  next(prefix: string): string
}

/** Random ids: 60 bits, lower-case base 32. */
export const randomIds: Ids = {
  next: (prefix) => `${prefix}_${base32(randomBytes(8)).slice(0, 12)}`,
}

/** Ids that count from 1: `run_1`, `run_2`. */
export function countingIds(): Ids {
  const seen = new Map<string, number>()
  return {
    next: (prefix) => {
      const n = (seen.get(prefix) ?? 0) + 1
      seen.set(prefix, n)
      return `${prefix}_${n}`
    },
  }
}

function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijkmnpqrstuvwxyz23456789'[parseInt(five, 2)])
    .join('')
}
