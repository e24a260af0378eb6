import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPlace, inRelation, placeWords } from './relations.ts'

const at = (x1: number, y1: number, x2: number, y2: number) => ({ box: [x1, y1, x2, y2] as const })
const picture = { width: 300, height: 300 }

test('sides and heights go by the middles of boxes', () => {
  const [left, right] = [at(0, 0, 40, 40), at(100, 100, 140, 140)]
  assert.ok(inRelation(left, 'left of', [[right]]))
  assert.ok(!inRelation(right, 'left of', [[left]]))
  assert.ok(inRelation(left, 'above', [[right]]))
  assert.ok(inRelation(right, 'below', [[left]]))
})

test('a thing stands on another when its foot is within it and most of it over it', () => {
  const table = at(0, 100, 200, 200)
  assert.ok(inRelation(at(50, 60, 80, 120), 'on', [[table]]))
  assert.ok(!inRelation(at(50, 10, 80, 60), 'on', [[table]]))
  assert.ok(!inRelation(at(220, 60, 250, 120), 'on', [[table]]))
})

test('inside, next to and between', () => {
  const bowl = at(100, 100, 200, 200)
  assert.ok(inRelation(at(120, 120, 150, 150), 'in', [[bowl]]))
  assert.ok(!inRelation(at(180, 120, 260, 150), 'in', [[bowl]]))
  assert.ok(inRelation(at(210, 120, 280, 190), 'next to', [[bowl]]))
  assert.ok(!inRelation(at(290, 120, 299, 129), 'next to', [[bowl]]))
  const [a, b] = [at(0, 0, 20, 20), at(100, 0, 120, 20)]
  assert.ok(inRelation(at(50, 0, 70, 20), 'between', [[a], [b]]))
  assert.ok(!inRelation(at(150, 0, 170, 20), 'between', [[a], [b]]))
})

test('a thing is in no relation to itself', () => {
  const one = at(0, 0, 20, 20)
  assert.ok(!inRelation(one, 'next to', [[one]]))
})

test('places are halves of the picture, and thirds in words', () => {
  assert.ok(inPlace(at(0, 0, 20, 20), 'left', picture))
  assert.ok(!inPlace(at(140, 0, 162, 20), 'left', picture))
  assert.equal(placeWords(at(0, 0, 20, 20), picture), 'top left')
  assert.equal(placeWords(at(140, 140, 160, 160), picture), 'middle')
  assert.equal(placeWords(at(280, 140, 300, 160), picture), 'right')
})
