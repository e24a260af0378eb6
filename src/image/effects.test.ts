import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../base/index.ts'
import { box } from './box.ts'
import { growMask, inwardWeights, squaredDistances } from './distance.ts'
import {
  blurBackground,
  blurImage,
  colourPop,
  compositeInside,
  grayscale,
  tintInside,
} from './effects.ts'
import { createImage, pixelAt, solidImage } from './image.ts'
import { pasteRgba, renderSvg } from './rgba.ts'
import { inMask, maskArea, maskFromBox, maskToBitmap, unionMasks } from './rle.ts'
import type { Image, MaskRle } from './types.ts'

const W = 60
const H = 40

function noise(seed: number): Image {
  const random = seededRandom(seed)
  const data = Uint8Array.from({ length: W * H * 3 }, () => Math.floor(random.next() * 256))
  return createImage(data, W, H)
}

const photo = noise(1)
const mask = unionMasks(maskFromBox(box(10, 8, 30, 28), H, W), maskFromBox(box(40, 0, 60, 9), H, W))

/** The largest difference of a channel inside and outside the mask. */
function differences(a: Image, b: Image, within: MaskRle): { inside: number; outside: number } {
  const bits = maskToBitmap(within)
  const most = { inside: 0, outside: 0 }
  for (let i = 0; i < a.data.length; i++) {
    const off = Math.abs((a.data[i] ?? 0) - (b.data[i] ?? 0))
    const where = bits[Math.floor(i / 3)] === 1 ? 'inside' : 'outside'
    most[where] = Math.max(most[where], off)
  }
  return most
}

function spread(image: Image): number {
  const mean = image.data.reduce((sum, v) => sum + v, 0) / image.data.length
  return image.data.reduce((sum, v) => sum + (v - mean) ** 2, 0) / image.data.length
}

test('G14: colour inside bit-identical, grey outside', () => {
  const popped = colourPop(photo, mask)
  assert.equal(differences(photo, popped, mask).inside, 0)
  for (let y = 0; y < H; y++) {
    for (let x = 0; x < W; x++) {
      if (inMask(mask, x, y)) continue
      const [r, g, b] = pixelAt(photo, x, y)
      const grey = Math.round(0.299 * r + 0.587 * g + 0.114 * b)
      assert.deepEqual(pixelAt(popped, x, y), [grey, grey, grey])
    }
  }
  assert.equal(popped.frame, photo.frame)
})

test('grey weighs green most', () => {
  const grey = (r: number, g: number, b: number): number =>
    pixelAt(grayscale(solidImage({ width: 1, height: 1 }, [r, g, b])), 0, 0)[0]
  assert.deepEqual([grey(255, 0, 0), grey(0, 255, 0), grey(0, 0, 255)], [76, 150, 29])
  assert.equal(grey(255, 255, 255), 255)
})

test('a blurred background leaves the mask bit-identical', async () => {
  const blurred = await blurBackground(photo, mask)
  const { inside, outside } = differences(photo, blurred, mask)
  assert.equal(inside, 0)
  assert.ok(outside > 40)
})

test('far from the mask the background is the Gaussian blur itself', async () => {
  const small = maskFromBox(box(0, 0, 4, 4), H, W)
  const [mixed, plain] = await Promise.all([blurBackground(photo, small), blurImage(photo, 2)])
  for (const [x, y] of [
    [40, 30],
    [55, 5],
    [30, 38],
  ] as const) {
    assert.deepEqual(pixelAt(mixed, x, y), pixelAt(plain, x, y))
  }
})

test('a Gaussian spreads a point as its formula says and keeps flat pictures', async () => {
  const point = solidImage({ width: 31, height: 31 }, [0, 0, 0])
  const data = Uint8Array.from(point.data)
  for (let y = 14; y < 17; y++)
    for (let x = 14; x < 17; x++) data.fill(255, (y * 31 + x) * 3, (y * 31 + x) * 3 + 3)
  const blurred = await blurImage(createImage(data, 31, 31), 3)
  const formula = (x: number, y: number): number => {
    let sum = 0
    for (let v = -1; v <= 1; v++) {
      for (let u = -1; u <= 1; u++) {
        sum += Math.exp(-((x - 15 - u) ** 2 + (y - 15 - v) ** 2) / 18) / (18 * Math.PI)
      }
    }
    return sum * 255
  }
  for (const [x, y] of [
    [15, 15],
    [18, 15],
    [15, 20],
    [12, 12],
  ] as const) {
    assert.ok(Math.abs(pixelAt(blurred, x, y)[0] - formula(x, y)) < 1.6, `${x},${y}`)
  }
  const flat = solidImage({ width: 20, height: 20 }, [10, 100, 200])
  assert.deepEqual((await blurImage(flat, 4)).data, flat.data)
  assert.ok(spread(await blurImage(photo, 2)) < spread(photo) / 10)
})

test('a composite is bit-identical outside the mask, whatever the feather', () => {
  const over = noise(2)
  for (const feather of [0, 1, 4]) {
    const made = compositeInside(photo, over, mask, { feather })
    assert.equal(differences(photo, made, mask).outside, 0)
  }
  assert.equal(differences(over, compositeInside(photo, over, mask), mask).inside, 0)
})

test('the feather rises inwards from the edge and the picture border is no edge', () => {
  const inward = inwardWeights(mask, 3)
  assert.ok(inward)
  const [x1, y1, x2] = inward.part
  const at = (x: number, y: number): number => inward.weights[(y - y1) * (x2 - x1) + x - x1] ?? -1
  assert.equal(at(9, 15), 0)
  assert.deepEqual([at(10, 15), at(11, 15), at(12, 15), at(13, 15)], [0.25, 0.5, 0.75, 1])
  assert.equal(at(50, 0), 1)
})

test('distances are exact', () => {
  const bits = new Uint8Array(12 * 9)
  for (const i of [5, 40, 77]) bits[i] = 1
  const got = squaredDistances(bits, 12, 9)
  for (let y = 0; y < 9; y++) {
    for (let x = 0; x < 12; x++) {
      const all = [5, 40, 77].map((i) => (x - (i % 12)) ** 2 + (y - Math.floor(i / 12)) ** 2)
      assert.equal(got[y * 12 + x], Math.min(...all))
    }
  }
})

test('growing and shrinking by a disc', () => {
  const dot = maskFromBox(box(20, 20, 21, 21), H, W)
  assert.equal(maskArea(growMask(dot, 1)), 5)
  assert.equal(maskArea(growMask(dot, 2)), 13)
  const square = maskFromBox(box(10, 10, 20, 20), H, W)
  assert.deepEqual(growMask(square, -2), maskFromBox(box(12, 12, 18, 18), H, W))
  assert.equal(growMask(square, 0), square)
})

test('a tint moves the inside towards the colour only', () => {
  const tinted = tintInside(photo, mask, [255, 0, 0], 1)
  assert.equal(differences(photo, tinted, mask).outside, 0)
  assert.deepEqual(pixelAt(tinted, 15, 15), [255, 0, 0])
})

test('masks of another size are refused', () => {
  assert.throws(() => colourPop(photo, maskFromBox(box(0, 0, 1, 1), 5, 5)), { code: 'E_ARGUMENT' })
})

test('a sticker is drawn, laid over, and cut at the border', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#f00"/></svg>'
  const dot = await renderSvg(svg, 64)
  assert.deepEqual([dot.width, dot.height], [64, 64])
  const made = await pasteRgba(photo, dot, box(50, 10, 70, 30))
  assert.deepEqual(pixelAt(made, 59, 20), [255, 0, 0])
  assert.deepEqual(pixelAt(made, 50, 10), pixelAt(photo, 50, 10))
  const outside = differences(photo, made, maskFromBox(box(50, 10, 60, 30), H, W)).outside
  assert.equal(outside, 0)
  assert.equal(await pasteRgba(photo, dot, box(100, 0, 110, 10)), photo)
})
