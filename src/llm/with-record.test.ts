import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import { promptText } from './messages.ts'
import type { Message, ModelRequest } from './model.ts'
import { collect } from './reply.ts'
import { scriptedModel } from './scripted.ts'
import { withLog } from './with-log.ts'
import type { RecordedCall } from './with-record.ts'
import { replayModel, withRecord } from './with-record.ts'

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] })

test('a recorded run repeats without any model, in any order of its steps', async () => {
  const record: RecordedCall[] = []
  const model = withRecord(scriptedModel(['plan', 'program', 'program 2']), (call) =>
    record.push(call),
  )
  await model.generate(ask('a'))
  await collect(model.stream(ask('b')))
  await model.generate(ask('b'))

  const again = replayModel(JSON.parse(JSON.stringify(record)) as RecordedCall[])
  assert.equal((await again.generate(ask('b'))).text, 'program')
  assert.equal((await again.generate(ask('a'))).text, 'plan')
  const last = await collect(again.stream(ask('b')))
  assert.deepEqual([last.text, last.cached], ['program 2', true])
})

test('a replay that asks something new, or once too often, is told', async () => {
  const call = { model: 'm/n', prompt: promptText(ask('a')), reply: 'x', ms: 1, cached: false }
  const model = replayModel([call])
  await assert.rejects(model.generate(ask('other')), { code: 'E_REPLAY', message: /does not have/ })
  await model.generate(ask('a'))
  await assert.rejects(model.generate(ask('a')), { code: 'E_REPLAY', message: /once more/ })
})

test('calls of tools and their usage are repeated too', async () => {
  const record: RecordedCall[] = []
  const toolCalls = [{ id: '1', name: 'LOC', args: { object: 'dog' } }]
  const usage = { inputTokens: 1, outputTokens: 2 }
  const model = withRecord(scriptedModel([{ toolCalls, usage }]), (call) => record.push(call))
  await model.generate(ask('a'))
  const reply = await replayModel(record).generate(ask('a'))
  assert.deepEqual([reply.toolCalls, reply.finish, reply.usage], [toolCalls, 'tool-calls', usage])
})

test('the text of a prompt shows every turn, pictures by size and hash', () => {
  const image = solidImage({ width: 4, height: 2 }, [9, 9, 9])
  const messages: Message[] = [
    { role: 'system', content: 'Be short.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What?' },
        { type: 'image', image },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me see.',
      toolCalls: [{ id: '1', name: 'LOC', args: { b: 1, a: 2 } }],
    },
    { role: 'tool', callId: '1', name: 'LOC', content: 'a dog', pictures: [image] },
  ]
  assert.equal(
    promptText({ messages }),
    [
      '## system\nBe short.',
      `## user\nWhat?\n[picture 4x2 ${image.hash}]`,
      '## assistant\nLet me see.\n[calls LOC {"a":2,"b":1}]',
      `## tool LOC\na dog\n[picture 4x2 ${image.hash}]`,
    ].join('\n\n'),
  )
})

test('the log has sizes and tokens, and no text of prompt or reply', async () => {
  const lines: string[] = []
  const note = (message: string, fields?: object): void =>
    void lines.push(message + JSON.stringify(fields))
  const log = { debug: note, info: note, warn: note }
  const model = withLog(scriptedModel(['a secret reply', 'a secret reply']), log)
  await model.generate(ask('a secret prompt'))
  await collect(model.stream(ask('a secret prompt')))
  assert.equal(lines.length, 4)
  assert.doesNotMatch(lines.join('\n'), /secret/)
})
