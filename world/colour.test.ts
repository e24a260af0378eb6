import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COLOUR_CELLS, colourFact, colourOfPixel, fromHsv, toHsv } from './colour.ts'

test('hue, saturation and value turn back into the colour, to within rounding', () => {
  for (let r = 0; r < 256; r += 15) {
    for (let g = 0; g < 256; g += 15) {
      for (let b = 0; b < 256; b += 15) {
        const back = fromHsv(...toHsv(r, g, b))
        const off = Math.max(...[r, g, b].map((c, i) => Math.abs(c - (back[i] ?? 0))))
        assert.ok(off <= 3, `${r},${g},${b} became ${back}`)
      }
    }
  }
})

test('plain colours lie in their cells, doubtful ones in a gap', () => {
  const cells: readonly (readonly [string | null, number, number, number])[] = [
    ['red', 220, 20, 30],
    ['orange', 250, 140, 20],
    ['yellow', 250, 220, 40],
    ['green', 30, 160, 60],
    ['blue', 40, 90, 220],
    ['purple', 130, 60, 200],
    ['pink', 250, 120, 190],
    ['brown', 120, 72, 40],
    ['black', 12, 12, 12],
    ['white', 250, 250, 250],
    ['grey', 128, 128, 128],
    [null, 255, 240, 200],
    [null, 250, 205, 170],
    [null, 120, 125, 40],
    [null, 40, 170, 170],
  ]
  for (const [word, r, g, b] of cells) assert.equal(colourOfPixel(r, g, b), word, `${r},${g},${b}`)
})

test('no two words share a cell', () => {
  const overlap = (a: readonly [number, number], b: readonly [number, number]): boolean =>
    a[0] <= b[1] && b[0] <= a[1]
  for (const [i, a] of COLOUR_CELLS.entries()) {
    for (const b of COLOUR_CELLS.slice(i + 1)) {
      if (a.word === b.word || a.hue === undefined || b.hue === undefined) continue
      if (a.hue[0] > a.hue[1] || b.hue[0] > b.hue[1]) continue
      const both =
        overlap(a.hue, b.hue) && overlap(a.saturation, b.saturation) && overlap(a.value, b.value)
      assert.ok(!both, `${a.word} and ${b.word}`)
    }
  }
})

test('71 % is the colour, 64 % unclear, 8 % not it (W9)', () => {
  assert.deepEqual(
    [71, 64, 8].map((share) => colourFact(share, 100)),
    ['yes', 'unclear', 'no'],
  )
})
