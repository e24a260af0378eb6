import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maskArea } from './rle.ts'
import type { Point } from './matrix.ts'
import { convexHull, fillHoles, findBlobs, growRect, largestBlobs, minAreaRect } from './shapes.ts'

const point = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }))
const points = fc.array(point, { minLength: 3, maxLength: 25 })

function draw(
  width: number,
  height: number,
  inside: (x: number, y: number) => boolean,
): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, i) =>
    inside(i % width, Math.floor(i / width)) ? 1 : 0,
  )
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by)
}

test('the hull holds every point and only turns clockwise', () => {
  fc.assert(
    fc.property(points, (all) => {
      const hull = convexHull(all)
      if (hull.length < 3) return
      hull.forEach(([ax, ay], i) => {
        const [bx, by] = hull[(i + 1) % hull.length] ?? [0, 0]
        for (const [x, y] of all) {
          assert.ok((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0)
        }
      })
    }),
  )
})

test('the smallest rectangle is no larger than one at any of 180 angles, and holds all points', () => {
  fc.assert(
    fc.property(points, (all) => {
      const rect = minAreaRect(all)
      assert.ok(rect)
      for (let degrees = 0; degrees < 180; degrees++) {
        const a = (degrees * Math.PI) / 180
        const u = all.map(([x, y]) => x * Math.cos(a) + y * Math.sin(a))
        const v = all.map(([x, y]) => y * Math.cos(a) - x * Math.sin(a))
        const area = (Math.max(...u) - Math.min(...u)) * (Math.max(...v) - Math.min(...v))
        assert.ok(rect.width * rect.height <= area + 1e-6)
      }
    }),
    { numRuns: 40 },
  )
})

test('corners run top left, top right, bottom right, bottom left; the upper edge is near level', () => {
  for (const degrees of [-44, -20, 0, 13, 44]) {
    const a = (degrees * Math.PI) / 180
    const turned = (x: number, y: number): Point => [
      100 + x * Math.cos(a) - y * Math.sin(a),
      100 + x * Math.sin(a) + y * Math.cos(a),
    ]
    const want = [turned(-40, -10), turned(40, -10), turned(40, 10), turned(-40, 10)]
    const rect = minAreaRect([...want, turned(3, 4), turned(0, 0)])
    assert.ok(rect)
    rect.corners.forEach((corner, i) => {
      assert.ok(distance(corner, want[i] ?? [0, 0]) < 1e-6, `${degrees}°: corner ${i}`)
    })
    assert.ok(Math.abs(rect.width - 80) < 1e-6 && Math.abs(rect.height - 20) < 1e-6)
  }
})

test('one point and a line have rectangles too', () => {
  assert.deepEqual(minAreaRect([]), undefined)
  assert.equal(minAreaRect([[5, 5]])?.width, 0)
  const line = minAreaRect([
    [0, 0],
    [3, 3],
    [6, 6],
  ])
  assert.ok(line && Math.abs(Math.max(line.width, line.height) - Math.hypot(6, 6)) < 1e-9)
})

test('a grown rectangle keeps its middle and turn', () => {
  const rect = minAreaRect([
    [10, 10],
    [30, 10],
    [30, 20],
    [10, 20],
  ])
  assert.ok(rect)
  const grown = growRect(rect, 3)
  assert.deepEqual(grown.corners, [
    [7, 7],
    [33, 7],
    [33, 23],
    [7, 23],
  ])
  assert.deepEqual([grown.width, grown.height], [26, 16])
})

test('blobs joined at corners are one; small ones are left out', () => {
  const bits = draw(
    20,
    12,
    (x, y) => (x < 3 && y < 3) || (x >= 3 && x < 6 && y >= 3 && y < 6) || (x === 15 && y === 9),
  )
  const blobs = findBlobs(bits, 20, 12)
  assert.deepEqual(
    blobs.map(({ area, box }) => [area, box]),
    [
      [18, [0, 0, 6, 6]],
      [1, [15, 9, 16, 10]],
    ],
  )
  assert.equal(findBlobs(bits, 20, 12, { least: 2 }).length, 1)
})

test("a blob's points give the hull of all its pixels", () => {
  const bits = draw(40, 40, (x, y) => (x - 20) ** 2 + (y - 18) ** 2 < 150)
  const [blob] = findBlobs(bits, 40, 40)
  assert.ok(blob)
  const all: Point[] = []
  bits.forEach((bit, i) => {
    const [x, y] = [i % 40, Math.floor(i / 40)]
    if (bit === 1) all.push([x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1])
  })
  assert.deepEqual(convexHull(blob.points), convexHull(all))
})

test('small holes are filled, large ones and bays stay', () => {
  const holed = (x: number, y: number): boolean =>
    (x === 5 && y === 5) || (x > 9 && x < 15 && y > 3 && y < 9) || (x === 8 && y < 3)
  const bits = draw(20, 12, (x, y) => !holed(x, y))
  fillHoles(bits, { width: 20, height: 12 }, 0.02)
  assert.deepEqual([bits[5 * 20 + 5], bits[5 * 20 + 12], bits[8]], [1, 0, 0])
})

test('only the largest blob, or those of a share of it', () => {
  const bits = draw(30, 10, (x, y) => y < 4 && (x < 4 || (x > 8 && x < 18) || x > 27))
  assert.equal(maskArea(largestBlobs(bits, 30, 10)), 36)
  assert.equal(maskArea(largestBlobs(bits, 30, 10, { keep: [29] })), 44)
  assert.equal(maskArea(largestBlobs(bits, 30, 10, { share: 0.4 })), 52)
})
