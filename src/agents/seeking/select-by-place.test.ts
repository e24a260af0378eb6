import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FoundBox } from '../../tools/index.ts'
import { selectByPlace } from './select-by-place.ts'

const box = (id: string, label: string, x: number, y: number): FoundBox => ({
  ...{ id, label, score: 0.9, box: [x, y, x + 10, y + 10] },
})
const tent = box('b1', 'tent', 50, 50)
const owl = box('b2', 'owl', 10, 52)
const cup = box('b3', 'cup', 90, 48)
const kite = box('b4', 'kite', 48, 5)
const all = [tent, owl, cup, kite]

const chosen = (question: string, boxes = all, left = boxes): string | undefined =>
  selectByPlace(question, boxes, left)?.box.id

test('the object on the side that is told is chosen, as seen from the one with the name', () => {
  assert.equal(chosen('Which thing is to the left of the tent?'), 'b2')
  assert.equal(chosen('Which thing is right of the tent?'), 'b3')
  assert.equal(chosen('Which thing is above the tent?'), 'b4')
  assert.equal(chosen('Which thing is below the kite?'), 'b1')
})

test('without the anchor, the outermost on that side is chosen', () => {
  const rest = [owl, cup, kite]
  assert.equal(chosen('Which thing is left of the tent?', rest), 'b2')
  assert.equal(chosen('Which thing is below the tent?', rest), 'b2')
})

test('what it is seen from is never chosen while there is anything else', () => {
  assert.equal(chosen('Which thing is left of the owl?', [owl, cup]), 'b3')
  assert.equal(chosen('Which thing is left of the owl?', [owl]), undefined)
})

test('a question that tells no place chooses nothing', () => {
  assert.equal(chosen('Which thing is this?'), undefined)
})
