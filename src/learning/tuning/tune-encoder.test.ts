import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againstScores } from './tuning.ts'
import type { TuningExample } from './tuning.ts'
import { splitExamples } from './split-examples.ts'
import { blocks, tinyEncoder } from './tiny-encoder.ts'
import { tuneEncoder } from './tune-encoder.ts'

const RED = [255, 60, 20] as const
const BLUE = [40, 80, 255] as const
const HERE = { thread: 'here', threads: 1 } as const
/** The plain encoder takes every picture for `other`; prompts can tell red from blue. */
const encoder = tinyEncoder({
  gizmo: [-0.09, 0.22, 0.06, 0, 0.18, 0.59, 0.34, -0.19, 0.14, 0.13, 0.09, 0.13],
  other: [-0.26, 0.8, 0.15, -0.52, 0.28, 0.98, 0.91, -0.69, 0.54, 0.35, -0.01, 0.01],
})

const shows = (image: TuningExample['image']): TuningExample => ({
  ...{ positive: true, name: 'gizmo', image },
})
const isNot = (image: TuningExample['image']): TuningExample => ({
  ...{ positive: false, name: 'other', image },
})
const several = (colour: typeof RED | typeof BLUE, from: number, count: number) =>
  Array.from({ length: count }, (_, i) => blocks(colour, from + i))

test('prompts that pass validation are kept, one a picture, and beat the plain encoder', async () => {
  const examples = [...several(RED, 0, 6).map(shows), ...several(BLUE, 10, 6).map(isNot)]
  const tuned = await tuneEncoder(encoder, 'gizmo', examples, { session: HERE, most: 2 })
  assert.deepEqual([tuned.kept.length, tuned.discarded.length], [2, 0])
  assert.deepEqual(tuned.heldOut, { positives: 1, negatives: 1 })
  assert.equal(new Set(tuned.kept.map(({ picture }) => picture)).size, 2)
  assert.deepEqual(tuned.kept[0]?.shape, [2, 8, 16])
  assert.equal(tuned.kept[0]?.values.length, 2 * 8 * 16)
  assert.equal(tuned.scores.plain, 0.5)
  assert.ok((tuned.scores.tuned ?? 0) > 0.5)
  // Here the nearest neighbour is never wrong: prompts that are no better are not applied.
  assert.equal(tuned.scores.exemplars, 1)
  assert.match(tuned.against ?? '', /examples alone get 100 %/)
})

test('prompts are applied where they beat the nearest example', async () => {
  // Pictures of another thing that look like the concept mislead the nearest neighbour.
  const decoys = several(RED, 60, 2).map(isNot)
  const examples = [...several(RED, 0, 6).map(shows), ...several(BLUE, 10, 6).map(isNot), ...decoys]
  const tuned = await tuneEncoder(encoder, 'gizmo', examples, { session: HERE, most: 3 })
  assert.ok((tuned.scores.exemplars ?? 1) < (tuned.scores.tuned ?? 0))
  assert.equal(tuned.against, undefined)
  assert.ok(tuned.kept.length >= 1)
})

test('a picture with a false label gives no prompt, and the reason is told (vector L10)', async () => {
  const [wrong] = several(BLUE, 40, 1)
  assert.ok(wrong)
  const examples = [wrong, ...several(RED, 0, 4)].map(shows)
  const all = [...examples, ...several(BLUE, 10, 6).map(isNot)]
  const tuned = await tuneEncoder(encoder, 'gizmo', all, { session: HERE, most: 2 })
  const told = tuned.discarded.find(({ picture }) => picture === wrong.hash)
  assert.match(told?.reason ?? '', /resembles the pictures of other things/)
  assert.ok(tuned.kept.every(({ picture }) => picture !== wrong.hash))
  assert.ok(tuned.kept.length > 0)
})

test('without validation everything is kept, whatever it does', async () => {
  const [wrong] = several(BLUE, 40, 1)
  assert.ok(wrong)
  const examples = [
    ...[wrong, ...several(RED, 0, 3)].map(shows),
    ...several(BLUE, 10, 3).map(isNot),
  ]
  const options = { session: HERE, most: 4, steps: 4, validate: false }
  const tuned = await tuneEncoder(encoder, 'gizmo', examples, options)
  assert.equal(tuned.discarded.length, 0)
  assert.equal(tuned.kept.length, 3)
  assert.equal(tuned.against, undefined)
})

test('too few pictures are said, not tuned on', async () => {
  const few = [...several(RED, 0, 2).map(shows), ...several(BLUE, 10, 3).map(isNot)]
  await assert.rejects(tuneEncoder(encoder, 'gizmo', few, { session: HERE }), {
    code: 'E_EXAMPLES',
    message: /Only 2 different pictures/,
  })
  const onlyRight = several(RED, 0, 4).map(shows)
  await assert.rejects(tuneEncoder(encoder, 'gizmo', onlyRight, { session: HERE }), {
    code: 'E_EXAMPLES',
    message: /what "gizmo" is not/,
  })
})

test('the same seed learns the same prompts', async () => {
  const examples = [...several(RED, 0, 3).map(shows), ...several(BLUE, 10, 3).map(isNot)]
  const learn = (seed: number) =>
    tuneEncoder(encoder, 'gizmo', examples, { session: HERE, steps: 3, validate: false, seed })
  const [one, two, other] = [await learn(1), await learn(1), await learn(2)]
  assert.deepEqual(one, two)
  assert.notDeepEqual(one.kept[0]?.values, other.kept[0]?.values)
})

test('no picture is both trained on and checked with, and copies are folded first', async () => {
  const [red] = several(RED, 0, 1)
  assert.ok(red)
  const darker = blocks([235, 55, 18], 0)
  const all = [
    ...[red, darker, ...several(RED, 1, 5)].map(shows),
    ...several(BLUE, 10, 10).map(isNot),
  ]
  const { training, heldOut, folded } = await splitExamples(all)
  assert.equal(folded, 1)
  assert.deepEqual(
    [heldOut.filter((one) => one.positive).length, heldOut.filter((one) => !one.positive).length],
    [1, 2],
  )
  const trained = new Set(training.map(({ image }) => image.hash))
  assert.ok(heldOut.every(({ image }) => !trained.has(image.hash)))
  assert.deepEqual(await splitExamples(all), { training, heldOut, folded })
})

test('prompts must beat the tool as it was, and the examples', () => {
  assert.match(againstScores({ plain: 0, exemplars: 0, tuned: null }) ?? '', /No prompt passed/)
  assert.match(againstScores({ plain: 0.5, exemplars: 0, tuned: 0.5 }) ?? '', /as it was 50 %/)
  assert.match(againstScores({ plain: 0.5, exemplars: 0.9, tuned: 0.9 }) ?? '', /examples alone/)
  assert.equal(againstScores({ plain: 0.5, exemplars: null, tuned: 0.6 }), undefined)
})
