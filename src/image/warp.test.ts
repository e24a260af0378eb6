import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createImage } from './image.ts'
import { solveHomography, transform } from './matrix.ts'
import type { Point } from './matrix.ts'
import { cropTurned, quarterTurn, warpQuad } from './warp.ts'
import type { Pixels } from './letterbox.ts'

/** A smooth picture: red grows to the right, green downwards. */
function slope(width: number, height: number): Pixels {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) data.set([2 * x, 2 * y, 50], i)
  }
  return createImage(data, width, height)
}

function at({ data, width }: Pixels, x: number, y: number): number[] {
  const i = (y * width + x) * 3
  return [...data.subarray(i, i + 3)]
}

function near(got: number[], want: number[], by = 2): void {
  assert.ok(
    got.every((v, i) => Math.abs(v - (want[i] ?? 0)) <= by),
    `${got.join(' ')} is not ${want.join(' ')}`,
  )
}

test('a perspective map takes its four points where they belong', () => {
  const from: Point[] = [
    [0, 0],
    [10, 0],
    [10, 5],
    [0, 5],
  ]
  const number = fc.double({ min: -20, max: 20, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 4, maxLength: 4 }), (jitter) => {
      const corners: Point[] = from.map(([x, y], i) => [
        x * 20 + (jitter[i]?.[0] ?? 0),
        y * 20 + (jitter[i]?.[1] ?? 0),
      ])
      const map = solveHomography(from, corners)
      assert.ok(map)
      from.forEach(([x, y], i) => {
        const [u, v] = transform(map, x, y)
        const [wu, wv] = corners[i] ?? [0, 0]
        assert.ok(Math.hypot(u - wu, v - wv) < 1e-6)
      })
    }),
  )
})

test('corners on a line have no map', () => {
  const line: Point[] = [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]
  const square: Point[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
  assert.equal(solveHomography(line, square), undefined)
  assert.throws(
    () =>
      warpQuad(slope(5, 5), line as unknown as [Point, Point, Point, Point], {
        width: 2,
        height: 2,
      }),
    { code: 'E_ARGUMENT' },
  )
})

for (const sampling of ['linear', 'cubic'] as const) {
  test(`an upright quadrilateral is a crop (${sampling})`, () => {
    const source = slope(100, 80)
    const cut = warpQuad(
      source,
      [
        [20, 10],
        [60, 10],
        [60, 40],
        [20, 40],
      ],
      { width: 40, height: 30 },
      { sampling },
    )
    for (const [x, y] of [
      [0, 0],
      [39, 29],
      [17, 8],
    ] as const) {
      near(at(cut, x, y), at(source, x + 20, y + 10), 1)
    }
  })
}

test('a turned quadrilateral reads along its upper edge', () => {
  const source = slope(100, 100)
  // A quarter turn: the text runs downwards.
  const cut = warpQuad(
    source,
    [
      [60, 10],
      [60, 90],
      [40, 90],
      [40, 10],
    ],
    { width: 80, height: 20 },
  )
  near(at(cut, 0, 0), [119, 20, 50], 2)
  near(at(cut, 79, 0), [119, 178, 50], 2)
  near(at(cut, 0, 19), [81, 20, 50], 2)
})

test('a turned square is upright afterwards, also when it is reduced', () => {
  const source = slope(120, 120)
  const angle = Math.PI / 6
  const cut = cropTurned(source, { centre: [60, 60], side: 60, angle }, 20)
  near(at(cut, 9, 9), [116, 116, 50], 5)
  // The middle of the upper edge lies 30 above the centre, turned with the square.
  const [x, y] = [60 + 28.5 * Math.sin(angle), 60 - 28.5 * Math.cos(angle)]
  near(at(cut, 10, 0), [2 * x, 2 * y, 50], 4)
})

test('beyond the border the border goes on', () => {
  const cut = cropTurned(slope(40, 40), { centre: [0, 0], side: 20, angle: 0 }, 20)
  near(at(cut, 0, 0), [0, 0, 50], 1)
})

test('quarter turns go clockwise and four are none', () => {
  const source = slope(7, 4)
  const once = quarterTurn(source, 1)
  assert.deepEqual([once.width, once.height], [4, 7])
  assert.deepEqual(at(once, 3, 0), at(source, 0, 0))
  assert.deepEqual(quarterTurn(quarterTurn(source, 2), 2).data, source.data)
  assert.deepEqual(quarterTurn(once, 3).data, source.data)
})
