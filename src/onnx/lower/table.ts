import type { Lowering } from './lower.ts'

/** A lowering for each operator by `lowerKey`. */
export const lowerings: Readonly<Record<string, Lowering>> = {}
