import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument } from '../../../app/index.ts'
import { json, openDoor, RUN } from '../open-door.cases.ts'
import { createPurse } from './purse.ts'

type Spending = Awaited<ReturnType<Parameters<typeof createPurse>[0]['tokens']['spent']>>
const NOTHING: Spending = { calls: 0, tokens: 0, pictures: 0, seconds: 0, money: 0 }

function purseOf(budget: Partial<Spending>, usual: Partial<Spending> = {}) {
  let spent = NOTHING
  const purse = createPurse({
    ...{ token: 'token_1', budget, usual },
    clock: { now: () => 86_400_000 * 3 + 1000, tick: () => 0, sleep: async () => {} },
    tokens: {
      spent: async () => spent,
      spend: async (_id, cost) => {
        const keys = Object.keys(spent) as (keyof Spending)[]
        spent = Object.fromEntries(keys.map((key) => [key, spent[key] + cost[key]])) as never
      },
    },
  })
  return { purse, spent: () => spent }
}

test('work gets what it asks for, but no more than is left today', async () => {
  const { purse, spent } = purseOf({ calls: 10, money: 1 }, { money: 0.25 })
  const first = await purse.promise({ calls: 4, tokens: 50 })
  assert.deepEqual(first.limits, { calls: 4, tokens: 50, money: 0.25 })
  await first.settle({ calls: 3, tokens: 40 })
  assert.deepEqual(spent(), { ...NOTHING, calls: 3, tokens: 40 })
  const second = await purse.promise({ calls: 100, money: 5 })
  assert.deepEqual(second.limits, { calls: 7, money: 1 })
})

test('work that goes on at once cannot be promised the same twice', async () => {
  const { purse } = purseOf({ calls: 5 })
  const first = await purse.promise({ calls: 3 })
  const second = await purse.promise()
  assert.deepEqual(second.limits, { calls: 2 })
  await assert.rejects(purse.promise(), { code: 'E_TOKEN_BUDGET', retryAfter: 86_400_000 - 1000 })
  await first.settle({ calls: 1 })
  assert.deepEqual((await purse.promise()).limits, { calls: 2 })
})

test('work that broke off counts as what it was promised, once', async () => {
  const { purse, spent } = purseOf({ calls: 5 })
  const broke = await purse.promise({ calls: 3 })
  await broke.settle()
  await broke.settle({ calls: 2 })
  assert.equal(spent().calls, 3)
})

test('a token whose budget is used up gets 429, what its space knows it still reads', async () => {
  const { pupil, post, ask, close } = await openDoor({ options: { tokens: true } })
  const { token, record } = await pupil.tokens.add({ name: 'phone', budget: { seconds: 60 } })
  const headers = { authorization: `Bearer ${token}` }
  const run = await json<RunDocument>(await post('/v1/runs?wait=true', RUN, headers))
  assert.equal(run.answer, '3')
  const { seconds } = await pupil.tokens.spent(record.id)
  assert.ok(seconds > 0 && seconds < 60)
  await pupil.tokens.spend(record.id, { ...NOTHING, seconds: 60 })
  for (const [path, body] of [
    ['/v1/runs', RUN],
    ['/v1/seek', { picture: RUN.pictures[0], question: 'What is this?' }],
    ['/v1/chat/completions', completion()],
  ] as const) {
    const response = await post(path, body, headers)
    assert.equal(response.status, 429, path)
    assert.ok(Number(response.headers.get('retry-after')) > 0)
  }
  assert.equal((await ask(`/v1/runs/${run.run}`, { headers })).status, 200)
  const { id } = await json<{ id: string }>(await post('/v1/chats', {}, headers))
  const said = await post(`/v1/chats/${id}/turns?wait=true`, { text: 'Hello' }, headers)
  assert.equal(said.status, 429)
  await close()
})

function completion(): object {
  const url = `data:image/png;base64,${RUN.pictures[0]?.base64}`
  const content = [
    { type: 'text', text: 'x' },
    { type: 'image_url', image_url: { url } },
  ]
  return { model: 'pupil-ask', messages: [{ role: 'user', content }] }
}
