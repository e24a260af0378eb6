import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest, ReplyPart } from './model.ts'
import { collect } from './reply.ts'
import { scriptedModel } from './scripted.ts'

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] })

test('a scripted model replies in order and records its calls', async () => {
  const model = scriptedModel(['one', { text: 'two', finish: 'length' }])
  assert.equal((await model.generate(ask('a'))).text, 'one')
  assert.equal((await model.generate(ask('b'))).finish, 'length')
  assert.deepEqual(model.calls, [ask('a'), ask('b')])
  assert.equal(model.remaining(), 0)
})

test('a line with a matcher answers every request that matches, before the lines in order', async () => {
  const model = scriptedModel(['in order', { when: /plan/, reply: 'a plan' }])
  assert.equal((await model.generate(ask('a plan please'))).text, 'a plan')
  assert.equal((await model.generate(ask('another plan'))).text, 'a plan')
  assert.equal(model.remaining(), 1)
  assert.equal((await model.generate(ask('else'))).text, 'in order')
})

test('what was not scripted throws and quotes the request', async () => {
  const model = scriptedModel([{ when: 'cat', reply: 'meow' }])
  await assert.rejects(model.generate(ask('a dog')), { code: 'E_NOT_SCRIPTED', message: /"a dog"/ })
  assert.equal(model.calls.length, 1)
})

test('a reply can be made from the request', async () => {
  const model = scriptedModel([(request) => `${request.messages.length} message`])
  assert.equal((await model.generate(ask('x'))).text, '1 message')
})

test('a scripted error is thrown, and the next line follows', async () => {
  const model = scriptedModel([new Error('down'), 'up'])
  await assert.rejects(model.generate(ask('x')), /down/)
  assert.equal((await model.generate(ask('x'))).text, 'up')
})

test('streaming gives the text in pieces, then the calls, then the whole reply', async () => {
  const call = { id: '1', name: 'LOC', args: { object: 'dog' } }
  const model = scriptedModel([{ text: 'a b  c', toolCalls: [call] }])
  const parts: ReplyPart[] = []
  for await (const part of model.stream(ask('x'))) parts.push(part)
  assert.deepEqual(
    parts.map((part) => part.type),
    ['text-delta', 'text-delta', 'text-delta', 'tool-call', 'finish'],
  )
  const texts = parts.map((part) => (part.type === 'text-delta' ? part.text : ''))
  assert.equal(texts.join(''), 'a b  c')
})

test('a stream that breaks gives its first chunks and then the error', async () => {
  const model = scriptedModel([{ chunks: ['half '], error: new Error('reset') }])
  const seen: string[] = []
  await assert.rejects(async () => {
    for await (const part of model.stream(ask('x'))) seen.push(part.type)
  }, /reset/)
  assert.deepEqual(seen, ['text-delta'])
})

test('a late reply is dropped with the reason of the signal', async () => {
  const stop = new AbortController()
  const model = scriptedModel([() => new Promise<string>(() => {})])
  const reply = model.generate(ask('x'), { signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(reply, /enough/)
})

test('a stream without an end is a fault of the model', async () => {
  async function* nothing(): AsyncGenerator<never> {}
  await assert.rejects(collect(nothing()), { code: 'E_MODEL_REPLY' })
})
