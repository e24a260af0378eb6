import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pan, pointIn, wholeView, zoom } from './view.ts'

test('the point that is zoomed at stays where it is', () => {
  const at = { x: 0.3, y: 0.7 }
  const near = zoom(zoom(wholeView, 2, at), 1.5, at)
  const there = pointIn(near, at)
  assert.ok(Math.abs(there.x - at.x) < 1e-9 && Math.abs(there.y - at.y) < 1e-9)
})

test('the frame is never left partly empty', () => {
  const near = zoom(wholeView, 3)
  for (const [x, y] of [
    [9, 9],
    [-9, -9],
  ] as const) {
    const moved = pan(near, x, y)
    assert.ok(moved.x <= 0 && moved.x >= 1 - moved.scale)
    assert.ok(moved.y <= 0 && moved.y >= 1 - moved.scale)
  }
})

test('no further out than the whole picture, no nearer than eight times', () => {
  assert.deepEqual(zoom(zoom(wholeView, 4), 0.01), wholeView)
  assert.equal(zoom(wholeView, 100).scale, 8)
})
