import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  besideBox,
  box,
  boxArea,
  boxCentre,
  clipBox,
  coveredShare,
  fromXywh,
  halfBox,
  inBox,
  intersectBoxes,
  iou,
  pixelBox,
  roundOutward,
  scaleAboutCentre,
  toXywh,
} from './box.ts'
import type { Box } from './types.ts'

const size = { width: 100, height: 80 }
const sides = ['TOP', 'BOTTOM', 'LEFT', 'RIGHT'] as const
const besides = ['leftof', 'rightof', 'above', 'below'] as const

const someBox = fc
  .tuple(fc.nat(30), fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }))
  .map(fromXywh)

/** Counts pixels: slow, and plainly right. */
function pixelIou(a: Box, b: Box): number {
  let [both, any] = [0, 0]
  for (let y = 0; y < 45; y++) {
    for (let x = 0; x < 45; x++) {
      const [inA, inB] = [inBox(a, x, y), inBox(b, x, y)]
      if (inA && inB) both++
      if (inA || inB) any++
    }
  }
  return both / any
}

test('G1: halves of 100 x 80 and 101 x 81', () => {
  assert.deepEqual(halfBox('TOP', size), [0, 0, 100, 40])
  assert.deepEqual(halfBox('RIGHT', size), [50, 0, 100, 80])
  const odd = { width: 101, height: 81 }
  assert.deepEqual(halfBox('TOP', odd), [0, 0, 101, 41])
  assert.deepEqual(halfBox('RIGHT', odd), [50, 0, 101, 81])
  assert.deepEqual(halfBox('BOTTOM', odd), [0, 40, 101, 81])
  assert.deepEqual(halfBox('LEFT', odd), [0, 0, 51, 81])
})

test('G2: in a 1 x 1 picture every half and every part beside a box is that pixel', () => {
  const one = { width: 1, height: 1 }
  for (const side of sides) assert.deepEqual(halfBox(side, one), [0, 0, 1, 1])
  for (const where of besides) {
    assert.deepEqual(besideBox(where, box(0, 0, 1, 1), one), [0, 0, 1, 1])
  }
})

test('G3, G4: a part beside a box at the border keeps one pixel', () => {
  const right = box(98, 10, 100, 50)
  assert.deepEqual(besideBox('rightof', right, size), [99, 0, 100, 80])
  assert.deepEqual(besideBox('leftof', right, size), [0, 0, 99, 80])
  const corner = box(0, 0, 1, 1)
  assert.deepEqual(besideBox('leftof', corner, size), [0, 0, 1, 80])
  assert.deepEqual(besideBox('above', corner, size), [0, 0, 100, 1])
})

test('G5: the whole picture as box gives its halves', () => {
  const whole = box(0, 0, 100, 80)
  assert.deepEqual(besideBox('leftof', whole, size), [0, 0, 50, 80])
  assert.deepEqual(besideBox('rightof', whole, size), [50, 0, 100, 80])
  assert.deepEqual(besideBox('above', whole, size), [0, 0, 100, 40])
  assert.deepEqual(besideBox('below', whole, size), [0, 40, 100, 80])
})

test('a part beside a box always lies inside and holds a pixel', () => {
  fc.assert(
    fc.property(someBox, fc.constantFrom(...besides), (a, where) => {
      const part = besideBox(where, a, { width: 45, height: 45 })
      assert.ok(boxArea(part) >= 1)
      assert.deepEqual(clipBox(part, { width: 45, height: 45 }), part)
    }),
  )
})

test('G8: a raw box is rounded outward and clipped', () => {
  const small = { width: 20, height: 10 }
  assert.deepEqual(pixelBox(box(-3.2, 1.5, 20.01, 9), small), [0, 1, 20, 9])
  assert.equal(pixelBox(box(20, 0, 25, 5), small), undefined)
  assert.equal(pixelBox(box(NaN, 0, 5, 5), small), undefined)
  assert.deepEqual(roundOutward(box(0.1, 0.9, 1.1, 1.9)), [0, 0, 2, 2])
})

test('IoU agrees with counting pixels', () => {
  fc.assert(
    fc.property(someBox, someBox, (a, b) => {
      assert.ok(Math.abs(iou(a, b) - pixelIou(a, b)) < 1e-12)
      assert.equal(iou(a, b), iou(b, a))
      assert.equal(iou(a, a), 1)
    }),
    { numRuns: 40 },
  )
})

test('boxes that touch share nothing', () => {
  assert.equal(iou(box(0, 0, 5, 5), box(5, 0, 10, 5)), 0)
  assert.equal(intersectBoxes(box(0, 0, 5, 5), box(5, 0, 10, 5)), undefined)
  assert.equal(coveredShare(box(0, 0, 4, 4), box(2, 0, 9, 9)), 0.5)
})

test('scaling about the centre keeps the centre', () => {
  assert.deepEqual(scaleAboutCentre(box(10, 10, 20, 30), 1.5), [7.5, 5, 22.5, 35])
  fc.assert(
    fc.property(someBox, fc.double({ min: 0.1, max: 4, noNaN: true }), (a, factor) => {
      const [cx, cy] = boxCentre(scaleAboutCentre(a, factor))
      assert.ok(Math.abs(cx - boxCentre(a)[0]) < 1e-9 && Math.abs(cy - boxCentre(a)[1]) < 1e-9)
    }),
  )
})

test('corner and size go both ways', () => {
  fc.assert(fc.property(someBox, (a) => assert.deepEqual(fromXywh(toXywh(a)), a)))
})
