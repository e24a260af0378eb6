import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Box } from '../../image/index.ts'
import { square, tinyDetector, tinyFiller, tinySegmenter } from './tiny-models.ts'
import { tuneDetector } from './tune-detector.ts'
import { tuneFiller } from './tune-filler.ts'
import { tuneSegmenter } from './tune-segmenter.ts'
import type { TuningExample } from './tuning.ts'

const RED = [230, 40, 30] as const
const HERE = { thread: 'here', threads: 1 } as const
const BOX: Box = [4, 6, 18, 20]

const shows = (box: Box, number: number): TuningExample => ({
  ...{ positive: true, name: 'gizmo', image: square(RED, box, number), box },
})
const apart = (
  [
    [2, 2, 14, 14],
    [16, 4, 28, 16],
    [4, 16, 16, 28],
    [15, 15, 29, 29],
  ] as const
).map(shows)
const alike = [0, 1, 2, 3].map((i) => shows(BOX, i))

test('a detector learns a concept where its prompts hold on pictures that it was not shown', async () => {
  const options = { session: HERE, rate: 3e-2, most: 2, absent: ['fork', 'owl', 'boat'] }
  const tuned = await tuneDetector(tinyDetector(), 'gizmo', alike, options)
  assert.deepEqual([tuned.kept.length, tuned.discarded.length], [2, 0])
  assert.deepEqual(tuned.kept[0]?.shape, [1, 12, 16])
  assert.equal(tuned.heldOut.positives, 1)
  assert.deepEqual([tuned.scores.plain, tuned.scores.exemplars], [0, null])
  assert.ok((tuned.scores.tuned ?? 0) > 0)
  assert.equal(tuned.against, undefined)
})

test('a prompt that its own picture is right with, and no other, is thrown away', async () => {
  const tuned = await tuneDetector(tinyDetector(), 'gizmo', apart, {
    session: HERE,
    rate: 3e-2,
    most: 1,
  })
  assert.match(tuned.discarded[0]?.reason ?? '', /held-out pictures come out no better/)
  assert.match(tuned.against ?? '', /No prompt passed/)
})

test('what the examples alone find must be beaten', async () => {
  const options = { session: HERE, rate: 3e-2, most: 2, exemplars: async () => [BOX] }
  const tuned = await tuneDetector(tinyDetector(), 'gizmo', alike, options)
  assert.equal(tuned.scores.exemplars, 1)
  assert.match(tuned.against ?? '', /examples alone get 100 %/)
})

test('a segmenter learns the masks of a concept, measured by overlap on pictures it did not see', async () => {
  const tuned = await tuneSegmenter(tinySegmenter(), alike, { session: HERE, most: 2, steps: 40 })
  assert.equal(tuned.heldOut.positives, 1)
  assert.deepEqual([tuned.kept.length, tuned.discarded.length], [1, 1])
  assert.match(tuned.discarded[0]?.reason ?? '', /overlap by 0\.\d\d, below 0\.5/)
  assert.ok((tuned.scores.tuned ?? 0) >= 0.5 && tuned.scores.plain < 0.2)
  assert.equal(tuned.against, undefined)
})

test('a filler learns the vector of a concept, kept as it denoises held-out pictures better', async () => {
  const colours = apart.map(({ image }) => ({ positive: true, name: 'gizmo', image }))
  const options = { session: HERE, steps: 120, checkEvery: 40, rate: 3e-2 }
  const tuned = await tuneFiller(tinyFiller(), 'gizmo', colours, options)
  assert.equal(tuned.kept.length, 1)
  assert.deepEqual(tuned.kept[0]?.shape, [1, 1, 8])
  assert.ok((tuned.scores.tuned ?? 0) > 0.2, `error falls by ${tuned.scores.tuned}`)
  assert.equal(tuned.against, undefined)
})
