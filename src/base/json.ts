/** A value that survives JSON. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** JSON with keys in order: equal values give equal text, so it can be hashed. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
    )
  })
}
