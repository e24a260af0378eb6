import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import type { ObjectRecord } from '../image/index.ts'
import { makeObject } from './args.ts'
import { NO_BACKENDS } from './backends.ts'
import type { Matcher } from './backends.ts'
import { classify } from './classify.ts'
import { scriptedMatcher, testContext } from './scripted.ts'

const context = testContext()
const image = solidImage({ width: 100, height: 80 }, [5, 5, 5])
const objects = [0, 20, 40].map((x) =>
  makeObject({ box: [x, 0, x + 10, 10], category: 'face', score: 0.9 }, image, context),
)
const [a, b, c] = objects as [ObjectRecord, ObjectRecord, ObjectRecord]

async function run(
  categories: string | readonly string[],
  matcher: Matcher,
  given: readonly ObjectRecord[] = objects,
) {
  const tool = classify({ ...NO_BACKENDS, matchers: [matcher] })
  const result = await tool.run({ image, object: given, categories }, context)
  const value = result.value as readonly ObjectRecord[]
  return {
    classes: value.map((one) => [one.id, one.class, one.classScore]),
    codes: (result.notices ?? []).map((notice) => notice.code),
    concepts: result.concepts,
  }
}

test('each object gets its best class, each class keeps its best object, in the order of the classes', async () => {
  const matcher = scriptedMatcher({
    ann: [0.3, 0.9, 0.2],
    bob: [0.2, 0.1, 0.256],
    cleo: [0.31, 0, 0],
  })
  const { classes, concepts } = await run('bob, ann, cleo', matcher)
  assert.deepEqual(classes, [
    [c.id, 'bob', 25.6],
    [b.id, 'ann', 90],
    [a.id, 'cleo', 31],
  ])
  assert.deepEqual(concepts, ['bob', 'ann', 'cleo'])
})

test('ties go to the earlier class and the earlier object', async () => {
  const matcher = scriptedMatcher({ ann: [0.5, 0.5, 0.5], bob: [0.5, 0.5, 0.5] })
  assert.deepEqual((await run('ann, bob', matcher)).classes, [[a.id, 'ann', 50]])
})

test('a single class keeps every object nearer to it than to the neutral text', async () => {
  const matcher = scriptedMatcher(
    { ann: [0.5, 0.2, 0.4], nothing: [0.3, 0.3, 0.4] },
    { text: 'nothing' },
  )
  assert.deepEqual((await run('ann', matcher)).classes, [[a.id, 'ann', 50]])
  const fixed = scriptedMatcher({ ann: [-0.5, 0.31, 0.3] }, { score: 0.3 })
  assert.deepEqual((await run('ann', fixed)).classes, [[b.id, 'ann', 31]])
})

test('scores below zero are no trouble', async () => {
  const matcher = scriptedMatcher({ ann: [-0.5, -0.9, -0.9], bob: [-0.6, -0.1, -0.2] })
  const { classes } = await run('ann, bob', matcher)
  assert.deepEqual(classes, [
    [a.id, 'ann', -50],
    [b.id, 'bob', -10],
  ])
})

test('an unknown class is told and given to nothing; if all are unknown it is an error', async () => {
  const matcher = scriptedMatcher({ ann: [0.5, null, null] })
  const result = await run('ann, heron', matcher)
  assert.deepEqual(result.classes, [[a.id, 'ann', 50]])
  assert.deepEqual(result.codes, ['N_UNKNOWN_CLASS'])
  await assert.rejects(run('heron, egret', matcher), { code: 'T_UNAVAILABLE' })
})

test('no objects give no classes, without asking anything', async () => {
  const matcher = scriptedMatcher({})
  assert.deepEqual((await run('ann, bob', matcher, [])).classes, [])
  assert.deepEqual(matcher.calls, [])
})
