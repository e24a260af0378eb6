import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskPixels } from './mask.ts'

test('run lengths go down the columns and begin with what is clear', () => {
  // 3 wide, 2 high: the middle column and the lower right pixel are set.
  const pixels = maskPixels({ size: [2, 3], counts: [2, 2, 1, 1] }, [9, 8, 7, 6])
  const set = Array.from({ length: 6 }, (_, i) => pixels[i * 4 + 3] === 6)
  assert.deepEqual(set, [false, true, false, false, true, true])
  assert.deepEqual([...pixels.slice(4, 8)], [9, 8, 7, 6])
})
