import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'
import { openDoor } from './open-door.cases.ts'

test('requests are counted by method, route and status, their durations in buckets', () => {
  const metrics = createMetrics()
  metrics.answered('GET', '/v1/runs/:id', 200, 0.0015)
  metrics.answered('GET', '/v1/runs/:id', 200, 0.2)
  metrics.answered('GET', '/v1/runs/:id', 404, 60)
  const text = metrics.text([
    { name: 'pupil_x', about: 'X.', value: 3, labels: { name: 'a "b"\nc\\d' } },
  ])
  const has = (line: string): void => assert.ok(text.split('\n').includes(line), line)
  has('pupil_http_requests_total{method="GET",route="/v1/runs/:id",status="200"} 2')
  has('pupil_http_requests_total{method="GET",route="/v1/runs/:id",status="404"} 1')
  has('pupil_http_seconds_bucket{route="/v1/runs/:id",le="0.001"} 0')
  has('pupil_http_seconds_bucket{route="/v1/runs/:id",le="0.002"} 1')
  has('pupil_http_seconds_bucket{route="/v1/runs/:id",le="0.25"} 2')
  has('pupil_http_seconds_bucket{route="/v1/runs/:id",le="+Inf"} 3')
  has('pupil_http_seconds_count{route="/v1/runs/:id"} 3')
  has('pupil_x{name="a \\"b\\"\\nc\\\\d"} 3')
})

test('a server tells what it answered by route, never by what was asked for', async () => {
  const { ask, close } = await openDoor()
  await ask('/v1/runs/secret')
  await ask('/nowhere/secret')
  const response = await ask('/metrics')
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  assert.match(text, /requests_total\{method="GET",route="\/v1\/runs\/:id",status="404"\} 1/)
  assert.match(text, /requests_total\{method="GET",route="other",status="404"\} 1/)
  assert.match(text, /^pupil_runs_live 0$/m)
  assert.doesNotMatch(text, /secret/)
  await close()
})
