import assert from 'node:assert/strict'
import { test } from 'node:test'
import { json, openDoor, PROGRAM, RUN } from '../open-door.cases.ts'
import { apiRoutes } from '../routes/index.ts'
import { openApi } from './openapi.ts'
import { pageOf } from './paging.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly { name: string; in: string; schema: object }[]
  readonly requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  readonly responses: Record<string, unknown>
}

test('every route is described, once, with its parameters, its answer and its problems', async () => {
  const { ask, close } = await openDoor()
  const api = await json<{ openapi: string; paths: Record<string, Record<string, Operation>> }>(
    await ask('/openapi.json'),
  )
  assert.equal(api.openapi, '3.1.0')
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method, one })),
  )
  assert.deepEqual(
    operations.map(({ path, method }) => `${method} ${path}`).sort(),
    apiRoutes()
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
      .sort(),
  )
  assert.equal(new Set(operations.map(({ one }) => one.operationId)).size, operations.length)
  for (const { path, method, one } of operations) {
    const named = (one.parameters ?? [])
      .filter((each) => each.in === 'path')
      .map(({ name }) => name)
    assert.deepEqual(
      named,
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      path,
    )
    assert.match(one.summary, /^[A-Z].*\.$/, `${method} ${path}`)
    assert.ok('default' in one.responses)
    assert.equal(Object.keys(one.responses).length, 2)
  }
  const made = api.paths['/v1/runs']?.post?.requestBody?.content
  assert.deepEqual(Object.keys(made ?? {}), ['application/json', 'multipart/form-data'])
  assert.deepEqual(made?.['application/json']?.schema.required, ['pictures'])
  await close()
})

test('the page of the API names every address, runs no script and loads nothing', async () => {
  const { ask, close } = await openDoor()
  const response = await ask('/api/docs')
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  const html = await response.text()
  for (const { method, path } of apiRoutes()) {
    const shown = path.replaceAll(/:(\w+)/g, '{$1}')
    assert.ok(html.includes(`${method.toUpperCase()} ${shown}</code>`), shown)
  }
  assert.doesNotMatch(html, /<script|<link|<img|src=|https?:|url\(/i)
  await close()
})

test('a description that holds markup is shown as text', async () => {
  const { docsPage } = await import('./docs-page.ts')
  const [route] = apiRoutes()
  assert.ok(route)
  const html = docsPage(openApi([{ ...route, about: 'A <b>bold</b> "claim" & more.' }], '1'))
  assert.ok(html.includes('A &lt;b&gt;bold&lt;/b&gt; &quot;claim&quot; &amp; more.'))
})

test('what a query says is checked by the schema that describes it', async () => {
  const { ask, close } = await openDoor()
  for (const [query, place] of [
    ['limit=0', 'limit'],
    ['limit=many', 'limit'],
    ['limt=5', 'the query'],
  ] as const) {
    const response = await ask(`/v1/runs?${query}`)
    const { code, fields } = await json<{ code: string; fields: { path: string } }>(response)
    assert.deepEqual([response.status, code, fields.path], [400, 'E_ARGUMENT', place])
  }
  await close()
})

test('lists come page by page, and an unknown place is refused', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
  const list = { idOf: ({ id }: { id: string }) => id, address: '/v1/things?kind=x' }
  const first = pageOf(all, { limit: 2 }, list)
  assert.deepEqual(first, {
    items: [{ id: 'a' }, { id: 'b' }],
    next: '/v1/things?kind=x&limit=2&after=b',
  })
  assert.deepEqual(pageOf(all, { limit: 3, after: 'b' }, list), { items: all.slice(2) })
  assert.deepEqual(pageOf([], { limit: 3 }, list), { items: [] })
  assert.throws(() => pageOf(all, { limit: 3, after: 'z' }, list), /nothing with the id "z"/)
})

test('demonstrations are added with a program that holds, listed by page, and removed', async () => {
  const { ask, post, close } = await openDoor()
  const given = { family: 'gqa', instruction: 'What is one and two?', program: PROGRAM }
  const wrong = await post('/v1/demonstrations', { ...given, program: 'R=NOPE()' })
  assert.deepEqual(
    [wrong.status, (await json<{ code: string }>(wrong)).code],
    [400, 'E_DEMONSTRATION'],
  )
  const made = await post('/v1/demonstrations', given)
  assert.equal(made.status, 201)
  const { id } = await json<{ id: string }>(made)
  const page = await json<{ demonstrations: { id: string }[]; next: string }>(
    await ask('/v1/demonstrations?family=gqa&limit=1'),
  )
  assert.equal(page.demonstrations.length, 1)
  const rest = await json<{ demonstrations: { id: string }[] }>(
    await ask(page.next.replace('limit=1', 'limit=1000')),
  )
  assert.ok([...page.demonstrations, ...rest.demonstrations].some((one) => one.id === id))
  assert.equal((await ask(`/v1/demonstrations/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await ask(`/v1/demonstrations/${id}`, { method: 'DELETE' })).status, 400)
  await close()
})

test('a run is replayed from its record, as a run of its own', async () => {
  const { ask, post, close } = await openDoor()
  const { run } = await json<{ run: string }>(await post('/v1/runs?wait=true', RUN))
  const response = await ask(`/v1/runs/${run}/replay`, { method: 'POST' })
  assert.equal(response.status, 201)
  const again = await json<{ run: string; answer: string; program: string }>(response)
  assert.notEqual(again.run, run)
  assert.equal(again.answer, '3')
  assert.equal(response.headers.get('location'), `/v1/runs/${again.run}`)
  assert.equal((await post('/v1/runs/run_x/replay')).status, 404)
  await close()
})

test('what people decided in searches is listed, and the graph that it makes', async () => {
  const { ask, close } = await openDoor()
  assert.deepEqual(await json(await ask('/v1/decisions')), { decisions: [] })
  const graph = await json<{ edges: { from: string; tool: string }[] }>(
    await ask('/v1/decisions/graph'),
  )
  assert.ok(graph.edges.length > 5)
  await close()
})

test('a picture is not told of to who only knows its name', async () => {
  const { ask, close } = await openDoor()
  const hash = 'b'.repeat(64)
  const response = await ask(`/v1/blobs/${hash}`, { headers: { 'if-none-match': `"${hash}"` } })
  assert.equal(response.status, 404)
  await close()
})
