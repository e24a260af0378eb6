import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatDocument, ChatPartDocument } from '../../../app/index.ts'
import { json, openDoor, PICTURE } from '../open-door.cases.ts'
import { liveTurns } from '../live-turns.ts'

const eventsOf = (text: string) =>
  [...text.matchAll(/^event: (.+)\nid: (\d+)\ndata: (.+)$/gm)].map(([, name, id, data]) => ({
    ...{ name, id: Number(id) },
    data: JSON.parse(data ?? '') as ChatPartDocument,
  }))

test('a conversation is opened, shown a picture, gone on with, corrected and removed', async () => {
  const { ask, post, close } = await openDoor()
  const opened = await post('/v1/chats')
  assert.equal(opened.status, 201)
  const { id } = await json<ChatDocument>(opened)
  assert.equal(opened.headers.get('location'), `/v1/chats/${id}`)
  const shown = await json<ChatDocument>(
    await post(`/v1/chats/${id}/pictures`, { picture: PICTURE }),
  )
  assert.deepEqual([shown.pictures[0]?.width, shown.pictures[0]?.height], [100, 80])
  const image = await ask(`/v1/blobs/${shown.pictures[0]?.image}`)
  assert.equal(image.status, 200)
  const after = await json<ChatDocument>(
    await post(`/v1/chats/${id}/turns?wait=true`, { text: 'What size is the picture?' }),
  )
  assert.deepEqual(after.said.map(({ role }) => role).slice(0, 2), ['user', 'assistant'])
  assert.equal(after.title, 'What size is the picture?')
  const right = await json<ChatDocument>(
    await post(`/v1/chats/${id}/corrections`, { value: 'One hundred by eighty.' }),
  )
  assert.equal(right.said.at(-1)?.corrected, 'One hundred by eighty.')
  assert.deepEqual(await json(await ask(`/v1/chats/${id}`)), right)
  const { skills } = await json<{ skills: { name: string }[] }>(await ask(`/v1/chats/${id}/skills`))
  assert.ok(skills.length > 3)
  assert.equal((await ask(`/v1/chats/${id}`, { method: 'DELETE' })).status, 204)
  for (const path of ['', '/events', '/skills']) {
    assert.equal((await ask(`/v1/chats/${id}${path}`)).status, 404, path)
  }
  assert.equal((await post(`/v1/chats/${id}/turns`, { text: 'Hello' })).status, 404)
  await close()
})

test('a turn is listened to from its beginning or from where one was, and its run is kept', async () => {
  const { ask, post, close } = await openDoor()
  const { id } = await json<ChatDocument>(await post('/v1/chats'))
  assert.equal((await ask(`/v1/chats/${id}/events`)).status, 204)
  const made = await post(`/v1/chats/${id}/turns`, { text: 'Hello' })
  assert.equal(made.status, 202)
  const { events } = await json<{ events: string }>(made)
  const all = eventsOf(await (await ask(events)).text())
  assert.deepEqual(
    all.map((one) => one.id),
    all.map((_, at) => at + 1),
  )
  const last = all.at(-1)
  assert.equal(last?.name, 'finish')
  const run = last?.data.type === 'finish' ? last.data.run.run : ''
  assert.equal((await ask(`/v1/runs/${run}`)).status, 200)
  const rest = await (await ask(events, { headers: { 'last-event-id': '1' } })).text()
  assert.deepEqual(eventsOf(rest), all.slice(1))
  await close()
})

test('conversations are listed page by page, those last gone on with first', async () => {
  const { ask, post, close } = await openDoor()
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await json<ChatDocument>(await post('/v1/chats'))).id)
  const seen: string[] = []
  let next: string | undefined = '/v1/chats?limit=2'
  while (next !== undefined) {
    const page: { chats: { id: string }[]; next?: string } = await json(await ask(next))
    seen.push(...page.chats.map(({ id }) => id))
    next = page.next
  }
  assert.deepEqual(seen.toSorted(), ids.toSorted())
  assert.equal((await ask('/v1/chats?before=yesterday')).status, 400)
  await close()
})

const note = (text: string): ChatPartDocument => ({ type: 'note', text })
const never = new AbortController().signal

test('one turn goes on at a time; one that is stopped says so to whoever listens', async () => {
  const turns = liveTurns()
  const turn = turns.start('c', async function* (signal) {
    yield note('one')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
  })
  assert.throws(() => turns.start('c', async function* () {}), { code: 'E_BUSY' })
  const names = []
  for await (const { event, id } of turn.events(0, never)) {
    names.push(`${id} ${event}`)
    if (event === 'note') void turns.cancel('c')
  }
  assert.deepEqual(names, ['1 note', '2 failed'])
  assert.equal((turn.failed() as Error).message, 'You stopped it.')
  const next = turns.start('c', async function* () {
    yield note('two')
  })
  await next.ended
  assert.equal(turns.get('c'), next)
  await turns.close()
})

test('of many conversations only the newest turns are kept', async () => {
  const turns = liveTurns()
  for (let n = 0; n < 60; n++) await turns.start(`c${n}`, async function* () {}).ended
  assert.equal(turns.get('c0'), undefined)
  assert.notEqual(turns.get('c59'), undefined)
})
