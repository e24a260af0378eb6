import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxAbout, boxAfterKey, boxAt, boxBetween } from './draw-box.ts'

const size = { width: 200, height: 100 }

test('a drag in any direction is a box of whole pixels inside the picture', () => {
  assert.deepEqual(boxBetween({ x: 10.4, y: 20 }, { x: 60, y: 70.6 }, size), [10, 20, 60, 71])
  assert.deepEqual(boxBetween({ x: 60, y: 70 }, { x: 10, y: 20 }, size), [10, 20, 60, 70])
  assert.deepEqual(boxBetween({ x: 150, y: 50 }, { x: 400, y: -30 }, size), [150, 0, 200, 50])
  assert.equal(boxBetween({ x: 10, y: 10 }, { x: 11, y: 10.5 }, size), undefined, 'a tap is none')
})

test('a tap puts a square down that stays inside the picture', () => {
  assert.deepEqual(boxAbout({ x: 100, y: 50 }, size), [88, 38, 113, 63])
  assert.deepEqual(boxAbout({ x: 0, y: 99 }, size), [0, 75, 25, 100])
})

test('under a point lies the smallest box', () => {
  const boxes = [
    [0, 0, 100, 100],
    [10, 10, 30, 30],
  ] as const
  assert.equal(boxAt(boxes, { x: 20, y: 20 }), 1)
  assert.equal(boxAt(boxes, { x: 60, y: 60 }), 0)
  assert.equal(boxAt(boxes, { x: 150, y: 60 }), undefined)
})

test('arrows move a box, with shift its corner, and never out of the picture', () => {
  const key = (box: readonly [number, number, number, number], name: string, shift = false) =>
    boxAfterKey(box, { key: name, shift, fine: false }, size)
  assert.deepEqual(key([10, 10, 30, 30], 'ArrowRight'), [12, 10, 32, 30])
  assert.deepEqual(key([10, 10, 30, 30], 'ArrowDown', true), [10, 10, 30, 32])
  assert.deepEqual(key([1, 10, 30, 30], 'ArrowLeft'), [0, 10, 29, 30])
  assert.deepEqual(key([10, 10, 12, 12], 'ArrowUp', true), [10, 10, 12, 12])
  assert.deepEqual(key([10, 10, 199, 30], 'ArrowRight', true), [10, 10, 200, 30])
  assert.equal(key([10, 10, 30, 30], 'Enter'), undefined)
  const fine = boxAfterKey([10, 10, 30, 30], { key: 'ArrowUp', shift: false, fine: true }, size)
  assert.deepEqual(fine, [10, 9, 30, 29])
})
