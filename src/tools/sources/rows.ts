import type { z } from 'zod'
import { sourceFault } from './provider.ts'

/**
 * The rows of a list that are as they must be; others are left out and counted.
 *
 * Lenient with what services send: unknown fields are ignored. A missing list, or a list of which nothing is
 * left, is a bad response.
 *
 * @throws Unavailable `E_TOOL` `bad-response`
 */
export function readRows<T>(
  id: string,
  list: unknown,
  schema: z.ZodType<T>,
): { readonly rows: readonly T[]; readonly dropped: number } {
  if (!Array.isArray(list)) {
    throw sourceFault(id, 'bad-response', 'the list of results is missing')
  }
  const rows = list.flatMap((row) => {
    const read = schema.safeParse(row)
    return read.success ? [read.data] : []
  })
  const dropped = list.length - rows.length
  if (rows.length === 0 && dropped > 0) {
    throw sourceFault(id, 'bad-response', `none of ${dropped} results is as it must be`)
  }
  return { rows, dropped }
}

/** A field behind names, or undefined. */
export function field(value: unknown, ...names: readonly string[]): unknown {
  let at: unknown = value
  for (const name of names) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

/** Marks of search results taken out, entities read: what is left is plain text. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]{0,500}>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_all, name: string) => ENTITIES[name] ?? ' ')
    .trim()
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' },
}
