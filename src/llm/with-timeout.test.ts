import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeClock } from '../testing/index.ts'
import type { LanguageModel, ModelRequest } from './model.ts'
import { replyOf } from './reply.ts'
import { scriptedModel } from './scripted.ts'
import { withTimeout } from './with-timeout.ts'

const ask: ModelRequest = { messages: [{ role: 'user', content: 'x' }] }
const never = (): Promise<string> => new Promise(() => {})

test('a model that is silent for two minutes is given up', async () => {
  const clock = fakeClock()
  const reply = withTimeout(scriptedModel([never]), { clock }).generate(ask)
  const refused = assert.rejects(reply, {
    code: 'T_LLM',
    message: 'scripted/model did not answer within 120 seconds.',
  })
  await clock.advance(119_999)
  await clock.advance(1)
  await refused
})

test('a reply in time is passed on and stops the clock', async () => {
  const clock = fakeClock()
  assert.equal((await withTimeout(scriptedModel(['x']), { clock }).generate(ask)).text, 'x')
})

test('a stream may take long as long as parts keep coming', async () => {
  const clock = fakeClock()
  const seen: string[] = []
  for await (const part of withTimeout(slow(clock, 3), { ms: 1000, clock }).stream(ask)) {
    seen.push(part.type)
  }
  assert.deepEqual(seen, ['text-delta', 'text-delta', 'text-delta', 'finish'])
  assert.equal(clock.tick(), 2700)
})

test("the caller's signal wins with its own reason", async () => {
  const stop = new AbortController()
  const model = withTimeout(scriptedModel([never]), { clock: fakeClock() })
  const reply = model.generate(ask, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(reply, /enough/)
})

/** A model that lets 900 ms pass before each of its parts. */
function slow(clock: ReturnType<typeof fakeClock>, parts: number): LanguageModel {
  return {
    ...scriptedModel([]),
    async *stream() {
      for (let i = 0; i < parts; i++) {
        await clock.advance(900)
        yield { type: 'text-delta', text: 'x' }
      }
      yield { type: 'finish', reply: replyOf({ model: 'scripted/model' }) }
    },
  }
}
