import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../base/index.ts'
import { patchFill } from './patch-fill.ts'

const WIDTH = 64
const HEIGHT = 48

function draw(colour: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => {
    const p = Math.floor(i / 3)
    return colour(p % WIDTH, Math.floor(p / WIDTH))
  })
}

const hole = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, p) => {
  const [x, y] = [p % WIDTH, Math.floor(p / WIDTH)]
  return x >= 24 && x < 40 && y >= 16 && y < 30 ? 1 : 0
})
const none = new Uint8Array(WIDTH * HEIGHT)
const size = { width: WIDTH, height: HEIGHT }

test('stripes go on as stripes through a hole', () => {
  const stripes = draw((x) => (x % 8 < 4 ? 40 : 210))
  const damaged = stripes.map((value, i) => (hole[Math.floor(i / 3)] === 1 ? 0 : value))
  const filled = patchFill(damaged, { hole, barred: none }, size, seededRandom(1))
  assert.ok(filled !== undefined)
  const errors = stripes.map((value, i) => Math.abs(value - (filled[i] as number)))
  const inHole = errors.filter((_, i) => hole[Math.floor(i / 3)] === 1)
  const mean = inHole.reduce((sum, error) => sum + error, 0) / inHole.length
  assert.ok(mean < 25, `mean error ${mean} of 170 between the stripes`)
})

test('outside the hole every pixel stays, and the same seed gives the same picture', () => {
  const noise = seededRandom(7)
  const picture = draw(() => noise.below(256))
  const once = patchFill(picture, { hole, barred: none }, size, seededRandom(3))
  const again = patchFill(picture, { hole, barred: none }, size, seededRandom(3))
  assert.ok(once !== undefined)
  assert.deepEqual(once, again)
  for (let i = 0; i < picture.length; i++) {
    if (hole[Math.floor(i / 3)] === 0) assert.equal(once[i], picture[i])
  }
})

test('nothing is copied from where it is barred', () => {
  const picture = draw((x) => (x < 20 ? 250 : 90))
  const barred = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, p) => (p % WIDTH < 20 ? 1 : 0))
  const filled = patchFill(picture, { hole, barred }, size, seededRandom(1))
  assert.ok(filled !== undefined)
  const brightest = Math.max(...filled.filter((_, i) => hole[Math.floor(i / 3)] === 1))
  assert.ok(brightest <= 91, `brightest ${brightest}`)
})

test('without a whole patch around the hole there is nothing to fill it with', () => {
  const all = new Uint8Array(WIDTH * HEIGHT).fill(1)
  assert.equal(
    patchFill(
      draw(() => 5),
      { hole, barred: all },
      size,
      seededRandom(1),
    ),
    undefined,
  )
})
