import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { box } from './box.ts'
import { maskFromRings, maskOutlines, ringArea, simplifyRing } from './polygon.ts'
import type { Ring } from './polygon.ts'
import {
  emptyMask,
  maskArea,
  maskFromBitmap,
  maskFromBox,
  maskIou,
  subtractMask,
  unionMasks,
} from './rle.ts'

const H = 8
const W = 11
const mask = fc
  .array(fc.integer({ min: 0, max: 1 }), { minLength: H * W, maxLength: H * W })
  .map((bits) => maskFromBitmap(bits, H, W))

function disc(radius: number): ReturnType<typeof maskFromBitmap> {
  const side = 2 * radius + 10
  const c = side / 2
  const bits = Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) + 0.5 - c, Math.floor(i / side) + 0.5 - c]
    return x * x + y * y <= radius * radius ? 1 : 0
  })
  return maskFromBitmap(bits, side, side)
}

test('outlines give any mask back exactly, holes and corner touches included', () => {
  fc.assert(
    fc.property(mask, (a) => {
      const rings = maskOutlines(a).map((one) => one.ring)
      assert.deepEqual(maskFromRings(rings, H, W), a)
      assert.equal(
        rings.reduce((sum, ring) => sum + ringArea(ring), 0),
        maskArea(a),
      )
    }),
    { numRuns: 300 },
  )
})

test('a box has four corners, clockwise', () => {
  const outlines = maskOutlines(maskFromBox(box(2, 1, 6, 4), H, W))
  assert.equal(outlines.length, 1)
  assert.equal(outlines[0]?.hole, false)
  assert.deepEqual(new Set(outlines[0]?.ring.map(String)), new Set(['2,1', '6,1', '6,4', '2,4']))
  assert.ok(ringArea(outlines[0]?.ring ?? []) > 0)
})

test('a frame has an outer ring and a hole', () => {
  const frame = subtractMask(maskFromBox(box(1, 1, 9, 7), H, W), maskFromBox(box(3, 3, 6, 5), H, W))
  assert.deepEqual(
    maskOutlines(frame).map(({ hole, ring }) => [hole, ringArea(ring)]),
    [
      [false, 48],
      [true, -6],
    ],
  )
})

test('largest outline first; none for an empty mask', () => {
  const two = unionMasks(maskFromBox(box(0, 0, 2, 2), H, W), maskFromBox(box(4, 2, 9, 7), H, W))
  assert.deepEqual(
    maskOutlines(two).map(({ ring }) => ringArea(ring)),
    [25, 4],
  )
  assert.deepEqual(maskOutlines(emptyMask(H, W)), [])
  assert.deepEqual(maskFromRings([], H, W), emptyMask(H, W))
})

test('a polygon takes the pixels whose centres it holds', () => {
  const triangle: Ring = [
    [0, 0],
    [8, 0],
    [0, 8],
  ]
  // Centres with x + y < 8: in row y those are 8 - y - 1 plus the one on the slanted edge, half-open.
  assert.ok(Math.abs(maskArea(maskFromRings([triangle], 8, 11)) - 32) <= 4)
  const outside: Ring = [
    [-50, -50],
    [100, -50],
    [100, 100],
    [-50, 100],
  ]
  assert.equal(maskArea(maskFromRings([outside], H, W)), H * W)
})

test('simplifying keeps the shape with far fewer points', () => {
  const round = disc(60)
  const [outline] = maskOutlines(round)
  assert.ok(outline)
  const simple = simplifyRing(outline.ring, 1)
  assert.ok(simple.length < outline.ring.length / 4, `${simple.length} of ${outline.ring.length}`)
  const [height, width] = round.size
  assert.ok(maskIou(maskFromRings([simple], height, width), round) > 0.98)
})

test('every point of a simplified ring is one of the ring', () => {
  const [outline] = maskOutlines(disc(25))
  assert.ok(outline)
  const all = new Set(outline.ring.map(String))
  assert.ok(simplifyRing(outline.ring, 0.8).every((point) => all.has(String(point))))
})
