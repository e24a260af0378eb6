import type { Config } from '../../app/index.ts'

/** Longest request that is read: two pictures in base64, and some text. */
export function requestBytes({ bytes }: Config['limits']): number {
  return Math.ceil(bytes * 2.75) + 64 * 1024
}
