import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boxFromLetterbox, letterbox, solidImage } from '../../../image/index.ts'
import { decodeBlazeface } from './blazeface-decode.ts'
import { decodeCenternet } from './centernet-decode.ts'
import { decodeCtc } from './ctc-decode.ts'

/** The detector's table [100, 6] with some rows filled. */
function table(...rows: readonly (readonly number[])[]): Float32Array {
  const out = new Float32Array(600)
  rows.forEach((row, i) => out.set(row, i * 6))
  return out
}

test('CenterNet rows become named boxes, best first', () => {
  const found = decodeCenternet(table([10, 20, 110, 220, 0.9, 16], [300, 20, 400, 90, 0.4, 0]))
  assert.deepEqual(
    found.map(({ name, box }) => [name, ...box]),
    [
      ['dog', 10, 20, 110, 220],
      ['person', 300, 20, 400, 90],
    ],
  )
})

test('CenterNet drops doubles within a class at 0.5, across classes only at 0.65', () => {
  // Widths 100 and 100 shifted by 30: IoU 70 / 130 = 0.54.
  const sameClass = table([0, 0, 100, 100, 0.9, 16], [30, 0, 130, 100, 0.8, 16])
  assert.equal(decodeCenternet(sameClass).length, 1)
  const twoClasses = table([0, 0, 100, 100, 0.9, 16], [30, 0, 130, 100, 0.8, 15])
  assert.equal(decodeCenternet(twoClasses).length, 2)
  // Shifted by 20: IoU 80 / 120 = 0.67.
  const twoNames = table([0, 0, 100, 100, 0.9, 16], [20, 0, 120, 100, 0.8, 15])
  assert.deepEqual(
    decodeCenternet(twoNames).map((one) => one.name),
    ['dog'],
  )
})

test('CenterNet drops faint rows, empty boxes and numbers of no class', () => {
  const rows = table([0, 0, 9, 9, 0.05, 1], [9, 9, 9, 20, 0.9, 1], [0, 0, 9, 9, 0.9, 80])
  assert.deepEqual(decodeCenternet(rows), [])
})

test('BlazeFace boxes and points are counted from the middle of their anchor', () => {
  const scores = new Float32Array(896).fill(-10)
  const boxes = new Float32Array(896 * 16)
  // Anchor 35: cell 17 of the 16 x 16 grid, column 1, row 1, so its middle is (24, 24).
  scores[35] = 2
  boxes.set([4, -2, 40, 20, -8, -5, 8, -5, 0, 1, 0, 9, -12, 0, 12, 0], 35 * 16)
  // Anchor 512: the first cell of the 8 x 8 grid, middle (16, 16): far enough not to overlap.
  scores[512 + 6 * 63] = 1
  boxes.set([0, 0, 30, 30], (512 + 6 * 63) * 16)
  const [first, second, ...rest] = decodeBlazeface(scores, boxes, 0.5)
  assert.deepEqual(rest, [])
  assert.deepEqual(first?.box, [8, 12, 48, 32])
  assert.deepEqual(first?.points[0], [16, 19])
  assert.deepEqual(first?.points[3], [24, 33])
  assert.ok(Math.abs((first?.score ?? 0) - 1 / (1 + Math.exp(-2))) < 1e-6)
  assert.deepEqual(second?.box, [225, 225, 255, 255])
})

test('BlazeFace keeps the best of overlapping faces', () => {
  const scores = new Float32Array(896).fill(-10)
  const boxes = new Float32Array(896 * 16)
  for (const anchor of [0, 1]) boxes.set([0, 0, 20, 20], anchor * 16)
  scores[0] = 1
  scores[1] = 3
  const found = decodeBlazeface(scores, boxes, 0.5)
  assert.equal(found.length, 1)
  assert.ok((found[0]?.score ?? 0) > 0.9)
})

test('CTC drops blanks and repeats, and knows the space at the end', () => {
  const characters = ['a', 'b']
  // Blank, a, b, space.
  const row = (best: number, p: number): number[] =>
    [0, 1, 2, 3].map((c) => (c === best ? p : 0.01))
  const steps = [row(1, 0.9), row(1, 0.8), row(0, 0.9), row(1, 0.7), row(3, 0.8), row(2, 1)]
  const reading = decodeCtc(Float32Array.from(steps.flat()), steps.length, characters)
  assert.equal(reading.text, 'aa b')
  assert.ok(Math.abs(reading.score - (0.9 + 0.7 + 0.8 + 1) / 4) < 1e-6)
  assert.deepEqual(decodeCtc(new Float32Array(4), 1, characters), { text: '', score: 0 })
})

test('a box drawn into the letterbox comes back to within a pixel', async () => {
  const sizes = fc.integer({ min: 1, max: 700 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  await fc.assert(
    fc.asyncProperty(
      sizes,
      sizes,
      fc.tuple(share, share, share, share),
      async (width, height, s) => {
        const fitted = await letterbox(solidImage({ width, height }, [0, 0, 0]), {
          width: 256,
          height: 256,
        })
        const box = [s[0] * width, s[1] * height, s[2] * width, s[3] * height] as const
        const [sx, sy] = fitted.scale
        const [dx, dy] = fitted.offset
        const drawn = [
          box[0] * sx + dx,
          box[1] * sy + dy,
          box[2] * sx + dx,
          box[3] * sy + dy,
        ] as const
        boxFromLetterbox(fitted, drawn).forEach((value, i) =>
          assert.ok(Math.abs(value - box[i]!) < 1),
        )
        assert.ok(drawn.every((value) => value >= -1 && value <= 257))
      },
    ),
    { numRuns: 40 },
  )
})
