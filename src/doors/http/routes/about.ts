import { z } from 'zod'
import { version } from '../../../app/index.ts'
import { DOCS_POLICY, docsPage } from '../api/docs-page.ts'
import { openApi } from '../api/openapi.ts'
import { apiRoute } from '../api/route.ts'
import type { ApiRoute } from '../api/route.ts'

const about = { method: 'get', tag: 'about', scope: null } as const

const health = apiRoute({
  ...{ ...about, path: '/health' },
  about: 'Whether the server answers; touches no store.',
  reply: { about: 'it does', schema: z.object({ status: z.literal('ok'), version: z.string() }) },
  handle: ({ c }) => c.json({ status: 'ok', version }),
})

/** What the API says of itself and of all routes given. */
export function aboutRoutes(others: readonly ApiRoute[]): readonly ApiRoute[] {
  const all: ApiRoute[] = [...others, health]
  // Made when it is first asked for: nobody waits for it at the start.
  let made: ReturnType<typeof openApi> | undefined
  const description = () => (made ??= openApi(all, version))
  const json = apiRoute({
    ...{ ...about, path: '/openapi.json' },
    about: 'This API as an OpenAPI document.',
    reply: { about: 'the document', schema: z.looseObject({ openapi: z.literal('3.1.0') }) },
    handle: ({ c }) => c.json(description()),
  })
  const page = apiRoute({
    ...{ ...about, path: '/api/docs' },
    about: 'This API on one page for people; it loads nothing.',
    reply: { about: 'the page', media: 'text/html' },
    handle: ({ c }) =>
      c.html(docsPage(description()), 200, { 'content-security-policy': DOCS_POLICY }),
  })
  all.push(json, page)
  return [health, json, page]
}
