import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { box, iou } from './box.ts'
import { pixelAt, solidImage } from './image.ts'
import { boxFromLetterbox, letterbox, pixelBoxFromLetterbox } from './letterbox.ts'

const red = solidImage({ width: 200, height: 100 }, [200, 0, 0])

function at(fitted: { data: Uint8Array; width: number }, x: number, y: number): number[] {
  const i = (y * fitted.width + x) * 3
  return [...fitted.data.subarray(i, i + 3)]
}

test('the picture lies in the middle, grey 114 around it', async () => {
  const fitted = await letterbox(red, { width: 512, height: 512 })
  assert.deepEqual(
    [fitted.scale, fitted.offset],
    [
      [2.56, 2.56],
      [0, 128],
    ],
  )
  assert.deepEqual(at(fitted, 10, 127), [114, 114, 114])
  assert.deepEqual(at(fitted, 10, 128), [200, 0, 0])
  assert.deepEqual(at(fitted, 511, 383), [200, 0, 0])
  assert.deepEqual(at(fitted, 10, 384), [114, 114, 114])
})

test('in the corner without enlarging, as text recognition wants it', async () => {
  const fitted = await letterbox(
    red,
    { width: 224, height: 128 },
    { place: 'corner', grey: 0, enlarge: false },
  )
  assert.deepEqual(
    [fitted.scale, fitted.offset],
    [
      [1, 1],
      [0, 0],
    ],
  )
  assert.deepEqual(at(fitted, 199, 99), pixelAt(red, 0, 0))
  assert.deepEqual(at(fitted, 200, 50), [0, 0, 0])
})

test('a box goes into the model and back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 20, max: 300 }),
      fc.integer({ min: 20, max: 300 }),
      fc.nat(9),
      async (width, height, left) => {
        const image = solidImage({ width, height }, [1, 2, 3])
        const fitted = await letterbox(image, { width: 96, height: 96 })
        const [sx, sy] = fitted.scale
        const [dx, dy] = fitted.offset
        const there = box(left * sx + dx, 2 * sy + dy, (left + 8) * sx + dx, 15 * sy + dy)
        assert.ok(iou(boxFromLetterbox(fitted, there), box(left, 2, left + 8, 15)) > 0.999)
      },
    ),
    { numRuns: 20 },
  )
})

test('a box over the border is clipped to the picture', async () => {
  const fitted = await letterbox(red, { width: 512, height: 512 })
  assert.deepEqual(pixelBoxFromLetterbox(fitted, box(-5, 0, 256, 512), red), [0, 0, 100, 100])
  assert.equal(pixelBoxFromLetterbox(fitted, box(0, 0, 512, 100), red), undefined)
})
