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

const metrics = apiRoute({
  ...{ method: 'get', path: '/metrics', tag: 'about', scope: 'read' },
  about: "Counts and durations of requests, runs that go on, memory; Prometheus' text format.",
  reply: { about: 'the numbers', media: 'text/plain' },
  handle: ({ c, context }) => {
    const { rss, heapUsed } = process.memoryUsage()
    const text = context.metrics.text([
      {
        ...{ name: 'pupil_build_info', about: 'The version that runs.', value: 1 },
        labels: { version },
      },
      { name: 'pupil_runs_live', about: 'Runs that go on.', value: context.live.count() },
      { name: 'process_resident_memory_bytes', about: 'Memory of the process.', value: rss },
      { name: 'nodejs_heap_size_used_bytes', about: 'JavaScript heap in use.', value: heapUsed },
    ])
    return c.text(text, 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  },
})

/** What the API says of itself and of all routes given. */
export function aboutRoutes(others: readonly ApiRoute[]): readonly ApiRoute[] {
  const all: ApiRoute[] = [...others, health, metrics]
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
  return [health, metrics, json, page]
}
