import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import { fakeClock } from '../testing/index.ts'
import type { ModelRequest } from './model.ts'
import { collect } from './reply.ts'
import { folderReplies, memoryReplies, replyKey } from './reply-cache.ts'
import { scriptedModel } from './scripted.ts'
import { withCache } from './with-cache.ts'

const ask = (content: string): ModelRequest => ({ messages: [{ role: 'user', content }] })
const clock = fakeClock()

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-replies-'))
  await work(folder).finally(() => rm(folder, { recursive: true }))
}

for (const kind of ['memory', 'folder'] as const) {
  test(`${kind}: the same request is asked once, plain or streamed`, () =>
    inFolder(async (folder) => {
      const cache = kind === 'memory' ? memoryReplies() : folderReplies(folder)
      const usage = { inputTokens: 7, outputTokens: 3, cost: 0.5 }
      const inner = scriptedModel([{ text: 'once', usage }, 'other'])
      const model = withCache(inner, cache, { clock })
      assert.equal((await model.generate(ask('a'))).cached, false)
      const again = await model.generate(ask('a'))
      assert.deepEqual([again.text, again.cached], ['once', true])
      assert.deepEqual(again.usage, { inputTokens: 7, outputTokens: 3, cost: 0 })
      assert.equal((await collect(model.stream(ask('a')))).text, 'once')
      assert.equal((await collect(model.stream(ask('b')))).text, 'other')
      assert.equal((await model.generate(ask('b'))).cached, true)
      assert.equal(inner.calls.length, 2)
    }))
}

test('a filtered reply and a failure are not kept', async () => {
  const inner = scriptedModel([{ finish: 'content-filter' }, new Error('down'), 'good'])
  const model = withCache(inner, memoryReplies(), { clock })
  await model.generate(ask('a'))
  await assert.rejects(model.generate(ask('a')), /down/)
  assert.equal((await model.generate(ask('a'))).text, 'good')
})

test('a damaged file counts as missing and is written anew', () =>
  inFolder(async (folder) => {
    const cache = folderReplies(folder)
    const key = replyKey('scripted/model', ask('a'))
    await withCache(scriptedModel(['first']), cache, { clock }).generate(ask('a'))
    await writeFile(join(folder, key.slice(0, 2), `${key}.json`), '{"text": "fir')
    const model = withCache(scriptedModel(['second']), cache, { clock })
    assert.equal((await model.generate(ask('a'))).text, 'second')
    assert.equal((await cache.get(key))?.text, 'second')
  }))

test('the key depends on model, settings and pixels, not on the order of fields', () => {
  const base = { ...ask('a'), temperature: 0, seed: 1 }
  assert.equal(replyKey('m', base), replyKey('m', { seed: 1, temperature: 0, ...ask('a') }))
  assert.notEqual(replyKey('m', base), replyKey('n', base))
  assert.notEqual(replyKey('m', base), replyKey('m', { ...base, seed: 2 }))
  const seen = (red: number): ModelRequest => {
    const image = solidImage({ width: 2, height: 2 }, [red, 0, 0])
    return { messages: [{ role: 'user', content: [{ type: 'image', image }] }] }
  }
  assert.equal(replyKey('m', seen(1)), replyKey('m', seen(1)))
  assert.notEqual(replyKey('m', seen(1)), replyKey('m', seen(2)))
})
