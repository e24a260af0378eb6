import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable, UserFault } from '../base/index.ts'
import { fakeClock } from '../testing/index.ts'
import type { ModelRequest } from './model.ts'
import { collect } from './reply.ts'
import { scriptedModel } from './scripted.ts'
import { withRetry } from './with-retry.ts'

const ask: ModelRequest = { messages: [{ role: 'user', content: 'x' }] }
const down = (options: { retryAfter?: number; fields?: object } = {}): Unavailable =>
  new Unavailable('T_LLM', 'down', options as object)

test('a model that does not answer is asked again, with growing pauses', async () => {
  const clock = fakeClock({ jump: true })
  const inner = scriptedModel([down(), down(), 'up'])
  assert.equal((await withRetry(inner, { clock }).generate(ask)).text, 'up')
  assert.deepEqual(clock.slept, [1000, 2000])
})

test('it is asked at most three times, and the last error is told', async () => {
  const clock = fakeClock({ jump: true })
  const inner = scriptedModel([down(), down(), down(), 'too late'])
  await assert.rejects(withRetry(inner, { clock }).generate(ask), { code: 'T_LLM' })
  assert.equal(inner.calls.length, 3)
})

test('the pause is as long as the server says', async () => {
  const clock = fakeClock({ jump: true })
  const inner = scriptedModel([down({ retryAfter: 7500 }), 'up'])
  await withRetry(inner, { clock }).generate(ask)
  assert.deepEqual(clock.slept, [7500])
})

test('a server that asks for a very long pause is told at once', async () => {
  const clock = fakeClock({ jump: true })
  const inner = scriptedModel([down({ retryAfter: 3_600_000 })])
  await assert.rejects(withRetry(inner, { clock }).generate(ask), { retryAfter: 3_600_000 })
  assert.deepEqual(clock.slept, [])
})

test('what another try cannot help is not tried again', async () => {
  const clock = fakeClock({ jump: true })
  const hopeless = scriptedModel([down({ fields: { retry: false } })])
  await assert.rejects(withRetry(hopeless, { clock }).generate(ask), { code: 'T_LLM' })
  const refused = scriptedModel([new UserFault('E_MODEL_KEY', 'no')])
  await assert.rejects(withRetry(refused, { clock }).generate(ask), { code: 'E_MODEL_KEY' })
  assert.deepEqual(clock.slept, [])
})

test('a stream is asked again until its first part was seen, and not after', async () => {
  const clock = fakeClock({ jump: true })
  const early = withRetry(scriptedModel([down(), 'up']), { clock })
  assert.equal((await collect(early.stream(ask))).text, 'up')
  const inner = scriptedModel([{ chunks: ['half'], error: down() }, 'up'])
  const late = withRetry(inner, { clock })
  await assert.rejects(collect(late.stream(ask)), { code: 'T_LLM' })
  assert.equal(inner.calls.length, 1)
})

test('a signal ends the pause with its own reason', async () => {
  const clock = fakeClock()
  const stop = new AbortController()
  const reply = withRetry(scriptedModel([down()]), { clock }).generate(ask, { signal: stop.signal })
  const refused = assert.rejects(reply, /enough/)
  await clock.advance(10)
  stop.abort(new Error('enough'))
  await refused
})
