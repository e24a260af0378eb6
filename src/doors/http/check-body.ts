import type { z } from 'zod'
import { shown, UserFault } from '../../base/index.ts'

/**
 * The JSON body of a request, checked.
 *
 * @throws UserFault `E_ARGUMENT` naming the place and what was found there, `E_MEDIA_TYPE`
 */
export async function checkBody<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/json\b/i.test(type)) {
    throw new UserFault('E_MEDIA_TYPE', `Expected application/json but got "${type}".`, {
      fields: { type },
    })
  }
  let value: unknown
  try {
    value = await request.json()
  } catch (cause) {
    throw new UserFault('E_ARGUMENT', 'The body is not JSON.', { cause })
  }
  return checkValue(value, schema, 'the body')
}

/**
 * A value of a request, checked.
 *
 * @param whole  what it is called when no part of it is to blame
 * @throws UserFault `E_ARGUMENT` naming the place and what was found there
 */
export function checkValue<T>(value: unknown, schema: z.ZodType<T>, whole: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue // a failure has at least one
  const path = issue.path.join('.') || whole
  const got = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  )
  throw new UserFault('E_ARGUMENT', `${path}: ${issue.message}; got ${shown(got)}.`, {
    fields: { path, got: shown(got) },
  })
}
