import type { Hono } from 'hono'
import type { z } from 'zod'
import { allow } from '../access/callers.ts'
import { checkBody, checkValue } from '../check-body.ts'
import type { DoorEnv } from '../door.ts'
import { once } from './once.ts'
import type { ApiRoute } from './route.ts'

/** Puts routes onto an app: permission, query and body are checked, then the work is done, once for each idempotency key. */
export function mountApi(app: Hono<DoorEnv>, routes: readonly ApiRoute[]): void {
  for (const route of routes) {
    app.on(route.method.toUpperCase(), route.path, async (c) => {
      c.set('route', route.path)
      if (route.scope !== null) allow(c.get('caller'), route.scope)
      const query =
        route.query === undefined ? {} : checkValue(c.req.query(), route.query, 'the query')
      const type = c.req.header('content-type')
      const context = c.get('context')
      const work = async (): Promise<Response> => {
        const body = isJson(route, type) ? await readBody(c.req.raw, type, route.body) : undefined
        const param = (name: string): string => c.req.param(name) ?? ''
        return route.handle({ c, context, query, body, param })
      }
      const key = route.method === 'post' ? c.req.header('idempotency-key') : undefined
      return key === undefined ? work() : once(key, c.req.raw, { context, work })
    })
  }
}

/** A request without any body says as much as an empty object. */
function readBody(request: Request, type: string | undefined, schema: z.ZodType): Promise<unknown> {
  const isEmpty = type === undefined && request.body === null
  return isEmpty ? Promise.resolve(checkValue({}, schema, 'the body')) : checkBody(request, schema)
}

/** Whether the body is to be checked here; of other kinds only those that the route reads itself pass. */
function isJson(
  route: ApiRoute,
  type = '',
): route is ApiRoute & { readonly body: NonNullable<ApiRoute['body']> } {
  if (route.body === undefined) return false
  return !(route.alsoReads ?? []).some((media) => type.toLowerCase().startsWith(media))
}
