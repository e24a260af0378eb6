import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision } from './decision.ts'
import { memoryDecisions } from './decision.ts'
import type { Label } from './label.ts'
import { memoryLabels } from './label.ts'
import type { PromptEntry } from './prompt-pool.ts'
import { memoryPrompts } from './prompt-pool.ts'

const label = (id: string, more: Partial<Label> = {}): Label => ({
  id,
  subject: 'face:1',
  field: 'name',
  value: 'Anna',
  tombstone: false,
  author: 'me',
  at: Number(id),
  ...more,
})

test('a newer label replaces the older, tombstones add up', async () => {
  const labels = memoryLabels()
  await labels.put(label('1', { tombstone: true, value: 'Eva' }))
  await labels.put(label('2'))
  await labels.put(label('3', { value: 'Ben' }))
  assert.deepEqual(
    (await labels.about('face:1')).map(({ id }) => id),
    ['1', '3'],
  )
  await labels.put(label('4', { value: 'Eva' }))
  assert.deepEqual(
    (await labels.about('face:1')).map(({ id }) => id),
    ['4'],
    'naming what was rejected lifts the tombstone and replaces the name',
  )
})

test('prompts of a lesson are taken out together and come back for undo', async () => {
  const entry: PromptEntry = {
    id: 'p1',
    tool: 'LOC',
    concept: 'glove',
    feature: new Float32Array([1, 0]),
    prompt: new Float32Array([2]),
    shape: [1],
    lesson: 'l1',
    model: { name: 'm', hash: 'h' },
    createdAt: 1,
  }
  const pool = memoryPrompts([entry, { ...entry, id: 'p2', lesson: 'l2' }])
  const gone = await pool.removeLesson('l1')
  assert.deepEqual(
    (await pool.list('LOC', 'glove')).map(({ id }) => id),
    ['p2'],
  )
  await pool.put(gone)
  assert.equal((await pool.list('LOC', 'glove')).length, 2)
  assert.deepEqual(await pool.concepts('LOC'), ['glove'])
  assert.deepEqual(await pool.list('LOC', 'gloves'), [])
})

test('decisions without consent are not kept, and forgetting is complete', async () => {
  const decision = { v: 1, runId: 'r1', picture: 'sha256:a', consent: true } as Decision
  const book = memoryDecisions()
  assert.equal(await book.append({ ...decision, consent: false }), false)
  assert.equal(await book.append(decision), true)
  await book.append({ ...decision, runId: 'r2' })
  assert.equal(await book.forget({ runId: 'r1' }), 1)
  assert.deepEqual(
    (await book.list()).map(({ runId }) => runId),
    ['r2'],
  )
})
