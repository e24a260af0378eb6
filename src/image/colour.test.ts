import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../base/index.ts'
import { box } from './box.ts'
import { colourWord, dominantColour } from './colour.ts'
import type { ColourWord } from './colour.ts'
import { createImage, solidImage } from './image.ts'
import { maskFromBox } from './rle.ts'

/** CSS names whose everyday word nobody doubts; the values are the CSS standard's. */
const NAMED: Readonly<Record<ColourWord, readonly string[]>> = {
  red: ['ff0000', 'dc143c', 'b22222', '8b0000', 'a01010', 'e34234'],
  orange: ['ffa500', 'ff8c00', 'ff7f50', 'ff7518'],
  yellow: ['ffff00', 'ffd700', 'f0e68c', 'ffeb3b', 'e6d200'],
  green: ['008000', '00ff00', '228b22', '2e8b57', '556b2f', '90ee90', '32cd32', '006400', '808000'],
  blue: ['0000ff', '000080', '4169e1', '4682b4', '87ceeb', '1e90ff', '191970', 'add8e6', '00008b'],
  purple: ['800080', '9400d3', '9370db', '4b0082', '8a2be2', '663399'],
  pink: ['ffc0cb', 'ff69b4', 'ff1493', 'ffb6c1', 'f4a6b8', 'ff00ff'],
  brown: ['8b4513', 'a0522d', '654321', 'd2b48c', '7b3f00', '5c4033', 'd2691e'],
  black: ['000000', '101010', '1a1a1e', '2a2a2a'],
  white: ['ffffff', 'fafafa', 'f5f5f5', 'f8f4f0', 'e6e6ea'],
  grey: ['808080', 'a9a9a9', '696969', '708090', 'b0b4b0', '5a5a5a'],
}

for (const [word, values] of Object.entries(NAMED)) {
  test(`${word} is called ${word}`, () => {
    for (const value of values) {
      const n = parseInt(value, 16)
      assert.equal(colourWord(n >> 16, (n >> 8) & 255, n & 255), word, `#${value}`)
    }
  })
}

/** A bus: red body, dark windows, grey wheels, on a blue and green background. */
function bus(): ReturnType<typeof createImage> {
  const random = seededRandom(7)
  const data = new Uint8Array(120 * 80 * 3)
  for (let y = 0, i = 0; y < 80; y++) {
    for (let x = 0; x < 120; x++, i += 3) {
      const light = random.next() * 30 - 15
      data.set(
        busColour(x, y).map((v) => Math.min(255, Math.max(0, Math.round(v + light)))),
        i,
      )
    }
  }
  return createImage(data, 120, 80)
}

function busColour(x: number, y: number): readonly number[] {
  const body = x >= 20 && x < 100 && y >= 20 && y < 60
  if (!body) return y < 40 ? [120, 170, 230] : [70, 130, 60]
  if (y >= 24 && y < 42 && x % 16 > 2) return [25, 28, 35]
  return y >= 54 ? [90, 90, 92] : [190, 30, 35]
}

test('a red bus with dark windows is red, by its mask and by its box', () => {
  const image = bus()
  const at = box(20, 20, 100, 60)
  assert.equal(dominantColour(image, maskFromBox(at, 80, 120)).colour, 'red')
  const facts = dominantColour(image, at)
  assert.equal(facts.colour, 'red')
  assert.ok(facts.mean[0] > 150 && facts.mean[1] < 80)
  assert.ok(facts.shares.some(({ colour }) => colour === 'black'))
})

test('shares add up to 1 and are exact on a drawn picture', () => {
  const data = new Uint8Array(100 * 3)
  for (let i = 0; i < 100; i++) data.set(i < 30 ? [255, 255, 255] : [0, 0, 255], i * 3)
  const { shares, colour, lead } = dominantColour(createImage(data, 10, 10))
  assert.equal(colour, 'blue')
  assert.ok(lead > 0.5)
  assert.deepEqual(
    shares.map(({ colour: word, share }) => [word, Math.round(share * 1000)]),
    [
      ['blue', 700],
      ['white', 300],
    ],
  )
})

test('a picture of one colour has no second', () => {
  const facts = dominantColour(solidImage({ width: 9, height: 9 }, [128, 0, 128]))
  assert.deepEqual([facts.colour, facts.lead, facts.shares.length], ['purple', 1, 1])
})

test('large pictures are sampled, with the same answer', () => {
  const large = solidImage({ width: 900, height: 700 }, [250, 200, 10])
  assert.equal(dominantColour(large, maskFromBox(box(0, 0, 900, 700), 700, 900)).colour, 'yellow')
  assert.equal(dominantColour(large).colour, 'yellow')
})

test('orange in the shade is orange where the rest is; brown alone stays brown', () => {
  const lit = [240, 130, 30]
  const shade = [165, 82, 30]
  const paint = (share: number): ReturnType<typeof createImage> => {
    const data = new Uint8Array(300)
    for (let i = 0; i < 100; i++) data.set(i < share ? lit : shade, i * 3)
    return createImage(data, 10, 10)
  }
  assert.equal(dominantColour(paint(30)).colour, 'orange')
  assert.deepEqual(dominantColour(paint(30)).shares, [{ colour: 'orange', share: 1 }])
  assert.equal(dominantColour(paint(5)).colour, 'brown')
})
