import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pupil } from '../../../app/index.ts'
import { ADDRESS, json, openDoor, PNG, PROGRAM, RUN } from '../open-door.cases.ts'

const key = (name: string) => ({ 'idempotency-key': name })
interface Problem {
  readonly code: string
}

test('a request that comes twice with its key is carried out once, and gets its first reply', async () => {
  const { ask, post, close } = await openDoor()
  const first = await post('/v1/runs', RUN, key('a'))
  const made = await json<{ run: string }>(first)
  const second = await post('/v1/runs', RUN, key('a'))
  assert.equal(second.status, 202)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal(second.headers.get('location'), first.headers.get('location'))
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.deepEqual(await json(second), made)
  const other = await json<{ run: string }>(await post('/v1/runs', RUN, key('b')))
  assert.notEqual(other.run, made.run)
  const { runs } = await json<{ runs: unknown[] }>(await ask('/v1/runs'))
  assert.equal(runs.length, 2)
  await close()
})

test('a key belongs to one request: another address, query or body is refused', async () => {
  const { post, close } = await openDoor()
  await post('/v1/runs?wait=true', RUN, key('a'))
  for (const [path, body] of [
    ['/v1/runs?wait=true', { ...RUN, seed: 2 }],
    ['/v1/runs', RUN],
    ['/v1/chats', {}],
  ] as const) {
    const response = await post(path, body, key('a'))
    assert.deepEqual(
      [response.status, (await json<Problem>(response)).code],
      [409, 'E_IDEMPOTENCY'],
    )
  }
  for (const bad of ['', 'x'.repeat(201)]) {
    assert.equal((await post('/v1/runs', RUN, key(bad))).status, 400)
  }
  await close()
})

test('a request that failed gives its key back', async () => {
  const { post, close } = await openDoor()
  assert.equal((await post('/v1/runs', { ...RUN, family: 'nope' }, key('a'))).status, 400)
  assert.equal((await post('/v1/runs', RUN, key('a'))).status, 202)
  await close()
})

test('a form is the same request whatever its boundary, and another when a file differs', async () => {
  const { ask, close } = await openDoor()
  const send = (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData()
    form.append('picture', new File([bytes], 'blue.png', { type: 'image/png' }))
    form.set('program', PROGRAM)
    return ask('/v1/runs', { method: 'POST', body: form, headers: key('f') })
  }
  const first = await json<{ run: string }>(await send(PNG))
  assert.deepEqual(await json(await send(PNG)), first)
  assert.equal((await send(Buffer.concat([PNG, Buffer.from([0])]))).status, 409)
  await close()
})

test('while a request is carried out, its key is taken', async () => {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const change = (pupil: Pupil): Pupil => ({
    ...pupil,
    chats: {
      ...pupil.chats,
      open: async () => {
        begun.resolve()
        await gate.promise
        return pupil.chats.open()
      },
    },
  })
  const { post, close } = await openDoor({ change })
  const first = post('/v1/chats', {}, key('a'))
  await begun.promise
  const second = await post('/v1/chats', {}, key('a'))
  assert.deepEqual([second.status, (await json<Problem>(second)).code], [409, 'E_BUSY'])
  gate.resolve()
  assert.equal((await first).status, 201)
  assert.equal((await post('/v1/chats', {}, key('a'))).headers.get('idempotency-replayed'), 'true')
  await close()
})

test('what was done before the server was killed is not done again after it', async () => {
  const one = await openDoor()
  const made = await json<{ id: string }>(await one.post('/v1/chats', {}, key('a')))
  await one.door.close()
  // Another door on the same store, as after a restart.
  const { createDoor } = await import('../door.ts')
  const again = createDoor(one.pupil, { hosts: null })
  const response = await again.handle(
    new Request(`${ADDRESS}/v1/chats`, {
      ...{ method: 'POST', body: '{}' },
      headers: { 'content-type': 'application/json', ...key('a') },
    }),
  )
  assert.deepEqual(((await response.json()) as { id: string }).id, made.id)
  await again.close()
  await one.close()
})
