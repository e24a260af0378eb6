import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { box } from './box.ts'
import { maskFromString, maskToString } from './rle-string.ts'
import {
  createMask,
  cropMask,
  emptyMask,
  inMask,
  intersectMasks,
  invertMask,
  maskArea,
  maskBox,
  maskFromBitmap,
  maskFromBox,
  maskIou,
  maskToBitmap,
  placeMask,
  resizeMask,
  subtractMask,
  unionMasks,
} from './rle.ts'

const H = 7
const W = 9
const bits = fc
  .array(fc.integer({ min: 0, max: 1 }), { minLength: H * W, maxLength: H * W })
  .map((list) => Uint8Array.from(list))
const mask = bits.map((bitmap) => maskFromBitmap(bitmap, H, W))

test('runs go down the columns and begin with zeros', () => {
  const drawn = maskFromBitmap([0, 1, 0, 1, 1, 0], 2, 3)
  assert.deepEqual(drawn, { size: [2, 3], counts: [1, 3, 2] })
  assert.deepEqual(maskFromBitmap([1, 1], 1, 2).counts, [0, 2])
})

test('a bitmap comes back as it was', () => {
  fc.assert(
    fc.property(bits, (bitmap) => {
      const drawn = maskFromBitmap(bitmap, H, W)
      assert.deepEqual(maskToBitmap(drawn), bitmap)
      assert.deepEqual(createMask(H, W, drawn.counts), drawn)
      assert.equal(
        maskArea(drawn),
        bitmap.reduce((sum, bit) => sum + bit, 0),
      )
    }),
  )
})

test('set operations agree with bits', () => {
  fc.assert(
    fc.property(mask, mask, (a, b) => {
      const [x, y] = [maskToBitmap(a), maskToBitmap(b)]
      const expectBits = (f: (p: number, q: number) => number): unknown =>
        maskFromBitmap(
          x.map((p, i) => f(p, y[i] ?? 0)),
          H,
          W,
        )
      assert.deepEqual(
        unionMasks(a, b),
        expectBits((p, q) => p | q),
      )
      assert.deepEqual(
        intersectMasks(a, b),
        expectBits((p, q) => p & q),
      )
      assert.deepEqual(
        subtractMask(a, b),
        expectBits((p, q) => p & ~q),
      )
      assert.deepEqual(
        invertMask(a),
        expectBits((p) => 1 - p),
      )
    }),
  )
})

test('the tight box holds every pixel and touches all four sides', () => {
  fc.assert(
    fc.property(mask, (a) => {
      const tight = maskBox(a)
      if (tight === undefined) return assert.equal(maskArea(a), 0)
      const part = cropMask(a, tight)
      assert.equal(maskArea(part), maskArea(a))
      assert.deepEqual(maskBox(part), [0, 0, tight[2] - tight[0], tight[3] - tight[1]])
    }),
  )
})

test('a mask placed elsewhere is the shifted bitmap', () => {
  fc.assert(
    fc.property(
      mask,
      fc.integer({ min: -9, max: 9 }),
      fc.integer({ min: -7, max: 7 }),
      (a, dx, dy) => {
        const placed = placeMask(a, 6, 8, dx, dy)
        for (let y = 0; y < 8; y++) {
          for (let x = 0; x < 6; x++) {
            assert.equal(inMask(placed, x, y), inMask(a, x - dx, y - dy))
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('a box becomes its filled mask, clipped', () => {
  const drawn = maskFromBox(box(2, 1, 5, 4), H, W)
  assert.equal(maskArea(drawn), 9)
  assert.deepEqual(maskBox(drawn), [2, 1, 5, 4])
  assert.deepEqual(maskBox(maskFromBox(box(-3, -3, 2, 50), H, W)), [0, 0, 2, 7])
  assert.deepEqual(maskFromBox(box(20, 20, 30, 30), H, W), emptyMask(H, W))
  assert.deepEqual(maskFromBox(box(0, 0, W, H), H, W).counts, [0, 63])
})

test('resizing by a whole factor keeps the share of the area', () => {
  fc.assert(
    fc.property(mask, (a) => {
      const large = resizeMask(a, W * 3, H * 2)
      assert.equal(maskArea(large), maskArea(a) * 6)
      assert.deepEqual(resizeMask(large, W, H), a)
    }),
    { numRuns: 50 },
  )
})

test('IoU of masks', () => {
  const a = maskFromBox(box(0, 0, 4, 4), H, W)
  assert.equal(maskIou(a, a), 1)
  assert.equal(maskIou(a, maskFromBox(box(0, 0, 4, 2), H, W)), 0.5)
  assert.equal(maskIou(emptyMask(H, W), emptyMask(H, W)), 0)
})

test('the compressed text comes back as it was', () => {
  fc.assert(fc.property(mask, (a) => assert.deepEqual(maskFromString(maskToString(a), H, W), a)))
  const large = maskFromBox(box(900, 400, 2900, 2500), 3000, 4000)
  assert.deepEqual(maskFromString(maskToString(large), 3000, 4000), large)
})

test('the compressed text is what pycocotools writes', () => {
  assert.equal(maskToString(maskFromBox(box(2, 1, 5, 4), 5, 6)), ';320004')
  const frame = maskFromBox(box(20, 10, 70, 90), 100, 100)
  const holed = subtractMask(frame, maskFromBox(box(30, 30, 40, 40), 100, 100))
  const zeros = (n: number): string => '0'.repeat(n)
  assert.equal(
    maskToString(holed),
    `jn1\`2d${zeros(19)}TNFn0:R${'OFn0:R'.repeat(8)}OFn0:n${zeros(59)}^m2`,
  )
})

test('damaged masks are told', () => {
  assert.throws(() => createMask(2, 2, [1, 1]), { name: 'UserFault', code: 'E_MASK' })
  assert.throws(() => createMask(2, 2, [5, -1]), { code: 'E_ARGUMENT' })
  assert.throws(() => maskFromString(' !', 2, 2), { code: 'E_MASK' })
  assert.throws(() => maskFromString('oooooooooooo', 2, 2), { code: 'E_MASK' })
  assert.throws(() => unionMasks(emptyMask(2, 2), emptyMask(3, 2)), { code: 'E_ARGUMENT' })
})

test('masks are frozen', () => {
  const a = maskFromBox(box(0, 0, 1, 1), H, W)
  assert.ok(Object.isFrozen(a) && Object.isFrozen(a.counts) && Object.isFrozen(a.size))
})
