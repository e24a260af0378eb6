import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box } from './box.ts'
import { suppress } from './suppress.ts'

test('G6: an overlap of exactly the limit is suppressed, a smaller one kept', () => {
  const first = { box: box(0, 0, 10, 10), score: 0.9 }
  const second = { box: box(0, 0, 10, 5), score: 0.8 }
  const third = { box: box(0, 0, 10, 4), score: 0.7 }
  assert.deepEqual(suppress([third, second, first]), [first, third])
})

test('ties of score go to the upper, then the left box', () => {
  const low = { box: box(0, 9, 5, 14), score: 0.5 }
  const right = { box: box(50, 0, 55, 5), score: 0.5 }
  const left = { box: box(20, 0, 25, 5), score: 0.5 }
  assert.deepEqual(suppress([low, right, left]), [left, right, low])
})

test('a suppressed box suppresses nothing itself', () => {
  const best = { box: box(0, 0, 10, 10), score: 0.9 }
  const middle = { box: box(3, 0, 13, 10), score: 0.8 }
  const last = { box: box(6, 0, 16, 10), score: 0.7 }
  assert.deepEqual(suppress([best, middle, last]), [best, last])
})

test('within a label only', () => {
  const dog = { box: box(0, 0, 10, 10), score: 0.9, label: 'dog' }
  const cat = { box: box(0, 0, 10, 10), score: 0.8, label: 'cat' }
  assert.equal(suppress([dog, cat]).length, 1)
  assert.equal(suppress([dog, cat], { within: (one) => one.label }).length, 2)
})
