import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument } from '../../app/index.ts'
import { cardView, overlap, reviewBody, reviewCards } from './review.ts'

/** A run whose one step found things in a picture of 200 × 100 that it saw at half its size. */
const runOf = (
  id: string,
  things: readonly { box: readonly number[]; label: string; score: number | null }[],
): RunDocument =>
  ({
    run: id,
    inputs: {
      IMAGE: { image: 'f00d', width: 100, height: 50, original: { width: 200, height: 100 } },
    },
    steps: [
      {
        ...{ index: 0, tool: 'LOC', notices: [], result: things },
        args: { image: { image: 'f00d', width: 100, height: 50, box: [0, 0, 200, 100] } },
      },
    ],
  }) as unknown as RunDocument

const cup = { box: [20, 20, 60, 60], label: 'cup', score: 0.9 }
const spoon = { box: [100, 20, 140, 60], label: 'spoon', score: 0.45 }
const plate = { box: [100, 60, 190, 95], label: 'plate', score: null }

test('the most uncertain thing comes first', () => {
  const cards = reviewCards([{ run: runOf('run_1', [cup, spoon, plate]), judged: [] }])
  assert.deepEqual(
    cards.map(({ label }) => label),
    ['plate', 'spoon', 'cup'],
  )
})

test('the same thing found twice is looked at once', () => {
  const again = { ...cup, box: [22, 20, 62, 60] }
  const cards = reviewCards([
    { run: runOf('run_2', [cup]), judged: [] },
    { run: runOf('run_1', [again, spoon]), judged: [] },
  ])
  assert.deepEqual(
    cards.map(({ label, alike, run }) => [label, alike, run]),
    [
      ['spoon', 0, 'run_1'],
      ['cup', 1, 'run_2'],
    ],
  )
})

test('what a person has judged is left out, also where another run found it', () => {
  const [card] = reviewCards([{ run: runOf('run_1', [cup]), judged: [] }])
  assert.ok(card)
  const { target } = card
  assert.deepEqual(target.kind === 'region' && target.box, [10, 10, 30, 30])
  const cards = reviewCards([
    { run: runOf('run_2', [cup]), judged: [] },
    { run: runOf('run_1', [cup, spoon]), judged: [{ target }] },
  ])
  assert.deepEqual(
    cards.map(({ label }) => label),
    ['spoon'],
  )
})

test('same is a label and different a rejection', () => {
  const [card] = reviewCards([{ run: runOf('run_1', [cup]), judged: [] }])
  assert.ok(card)
  assert.deepEqual(reviewBody(card, 'same').expected, { label: 'cup' })
  assert.deepEqual(reviewBody(card, 'different').expected, { rejected: true })
})

test('a thing is shown with what is around it, inside the picture', () => {
  const [card] = reviewCards([
    { run: runOf('run_1', [{ ...cup, box: [0, 60, 40, 100] }]), judged: [] },
  ])
  assert.ok(card)
  assert.deepEqual(cardView(card), [0, 46, 54, 100])
  assert.equal(overlap([0, 0, 10, 10], [10, 0, 20, 10]), 0)
})
