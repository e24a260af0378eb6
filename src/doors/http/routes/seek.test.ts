import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument } from '../../../app/index.ts'
import { json, openDoor, PICTURE } from '../open-door.cases.ts'

const ASKED = { picture: PICTURE, question: 'What is this?', offline: true }

test('a search is a run: waited for, watched step by step, listed and read', async () => {
  const { ask, post, close } = await openDoor()
  const made = await post('/v1/seek?wait=true', { ...ASKED, maxSteps: 2 })
  assert.equal(made.status, 200)
  const run = await json<RunDocument>(made)
  assert.deepEqual([run.agent, run.instruction], ['seeking', 'What is this?'])
  assert.equal(made.headers.get('location'), `/v1/runs/${run.run}`)
  const stream = await (await ask(`/v1/runs/${run.run}/events`)).text()
  assert.match(stream, /^event: finish$/m)
  assert.match(stream, /^event: plan$/m)
  const { runs } = await json<{ runs: { id: string; family: string }[] }>(
    await ask('/v1/runs?family=seek'),
  )
  assert.deepEqual(
    runs.map(({ id }) => id),
    [run.run],
  )
  await close()
})

test('a search without a question or a picture is refused, naming the place', async () => {
  const { post, close } = await openDoor()
  for (const [body, place] of [
    [{ ...ASKED, question: ' ' }, 'question'],
    [{ question: 'x' }, 'picture'],
    [{ ...ASKED, graph: '/etc/passwd' }, 'the body'],
  ] as const) {
    const response = await post('/v1/seek', body)
    const { fields } = await json<{ fields: { path: string } }>(response)
    assert.deepEqual([response.status, fields.path], [400, place])
  }
  await close()
})
