import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocks } from './tiny-encoder.ts'
import { tinyAnswerer } from './tiny-answerer.ts'
import { tuneAnswerer } from './tune-answerer.ts'

const HERE = { thread: 'here', threads: 1 } as const
const picture = blocks([255, 60, 20], 1)
const ask = (question: string, answer: string) => ({ image: picture, question, answer })

test('a learnt answer changes the answer to that question and nothing that was right (trap 9)', async () => {
  const wrong = [ask('what colour is it?', 'red')]
  const tuned = await tuneAnswerer(tinyAnswerer(), wrong, [], { session: HERE, rate: 0.3 })
  assert.deepEqual(tuned.discarded, [])
  assert.equal(tuned.kept.length, 1)
  assert.deepEqual(tuned.kept[0]?.shape, [1, 16, 16])
  assert.deepEqual([tuned.scores.plain, tuned.scores.tuned], [0, 1])
  assert.equal(tuned.against, undefined)
  assert.ok(tuned.steps > 1, 'it was wrong at first')
  assert.ok(tuned.steps < 100, 'it stops as soon as the answer is right')
})

test('a prompt that does not get there within its steps is discarded with its reason', async () => {
  const wrong = [ask('what colour is it?', 'red')]
  const tuned = await tuneAnswerer(tinyAnswerer(), wrong, [], { session: HERE, steps: 2 })
  assert.match(tuned.discarded[0]?.reason ?? '', /still answered wrongly/)
  assert.match(tuned.against ?? '', /No prompt passed/)
  assert.deepEqual(tuned.kept, [])
})

test('stored right cases enter with zero vectors, so that they hold their place in the mixture', async () => {
  const right = [ask('how many are there?', 'two')]
  const wrong = [ask('what colour is it?', 'red')]
  const tuned = await tuneAnswerer(tinyAnswerer(), wrong, right, { session: HERE, rate: 0.3 })
  assert.equal(tuned.kept.length, 2)
  assert.ok(tuned.kept[0]?.values.some((value) => value !== 0))
  assert.ok(tuned.kept[1]?.values.every((value) => value === 0))
  assert.notDeepEqual(tuned.kept[1]?.feature, tuned.kept[0]?.feature)
})
