import type { Json } from '../base/index.ts'
import { valueToJson } from '../program/index.ts'
import type { Verdict } from '../reflection/index.ts'

/** A verdict as a lesson keeps it: JSON, pictures by reference, requests by their number. */
export function verdictJson({ by, blames, calls }: Verdict): Json {
  return {
    by,
    calls: calls.length,
    blames: blames.map(({ expected, ...blame }) => ({
      ...(blame as unknown as Readonly<Record<string, Json>>),
      ...(expected === undefined ? {} : { expected: valueToJson(expected) as unknown as Json }),
    })),
  }
}
