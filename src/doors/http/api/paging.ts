import { z } from 'zod'
import { UserFault } from '../../../base/index.ts'

/** How many things a page holds, and the last one of the page before. */
export const paging = {
  limit: z.coerce.number().int().min(1).max(1000).default(200).describe('at most so many'),
  after: z.string().min(1).max(200).optional().describe('id of the last one of the page before'),
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Address of the next page; absent on the last. */
  readonly next?: string
}

/**
 * One page of what is known as a whole.
 *
 * @param address  of the list, with all of its query but `limit` and `after`
 * @throws UserFault `E_ARGUMENT` when `after` is none of them
 */
export function pageOf<T>(
  all: readonly T[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  { idOf, address }: { readonly idOf: (item: T) => string; readonly address: string },
): Page<T> {
  const from = after === undefined ? 0 : all.findIndex((item) => idOf(item) === after) + 1
  if (after !== undefined && from === 0) {
    throw new UserFault('E_ARGUMENT', `There is nothing with the id "${after}" in this list.`, {
      fields: { path: 'after', got: after },
      cure: 'Begin again without "after".',
    })
  }
  const items = all.slice(from, from + limit)
  const last = items.at(-1)
  if (last === undefined || from + limit >= all.length) return { items }
  return { items, next: nextAddress(address, { limit, after: idOf(last) }) }
}

/** An address with more of a query. */
export function nextAddress(
  address: string,
  query: Readonly<Record<string, string | number | undefined>>,
): string {
  const more = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return `${address}${address.includes('?') ? '&' : '?'}${more.join('&')}`
}
