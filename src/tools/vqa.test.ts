import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import { NO_BACKENDS } from './backends.ts'
import type { Answer, Answerer } from './backends.ts'
import { scriptedAnswerer, testContext } from './scripted.ts'
import { polishAnswer, vqa } from './vqa.ts'

const image = solidImage({ width: 4, height: 4 }, [1, 2, 3])
const question = 'q?'
const cannot: Answer = { outcome: 'unavailable', reason: 'Not this.', would: 'That would.' }

const ask = (...answerers: readonly Answerer[]) =>
  vqa({ ...NO_BACKENDS, answerers }).run({ image, question }, testContext())

test('answers are short and lower case, the raw one stays in the trace', async () => {
  const answer = { outcome: 'answered', answer: ' A  Red Car. ', score: 0.7 } as const
  const result = await ask(scriptedAnswerer({ [question]: answer }))
  assert.equal(result.value, 'a red car')
  assert.equal(result.raw, ' A  Red Car. ')
  assert.equal(result.score, 0.7)
  assert.deepEqual(result.concepts, [])
  assert.equal(polishAnswer('St. Ives.'), 'st. ives')
})

test('no answer is the text "unknown" with a notice', async () => {
  const result = await ask(
    scriptedAnswerer({ [question]: { outcome: 'unknown', how: 'No dog was found.' } }),
  )
  assert.equal(result.value, 'unknown')
  assert.deepEqual(result.notices, [{ code: 'N_UNKNOWN_ANSWER', message: 'No dog was found.' }])
  const empty = await ask(
    scriptedAnswerer({ [question]: { outcome: 'answered', answer: ' . ', score: null } }),
  )
  assert.equal(empty.value, 'unknown')
})

test('a question that one back end cannot answer goes to the next, else says what could', async () => {
  const first = scriptedAnswerer({ [question]: cannot })
  const second = scriptedAnswerer({
    [question]: { outcome: 'answered', answer: 'yes', score: null },
  })
  assert.equal((await ask(first, second)).value, 'yes')
  await assert.rejects(ask(first), {
    code: 'T_UNAVAILABLE',
    message: 'Not this.',
    cure: 'That would.',
  })
  await assert.rejects(ask(), { code: 'T_UNAVAILABLE' })
})
