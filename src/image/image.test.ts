import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { box } from './box.ts'
import { convertBox, fromOriginal, originalFrame, toOriginal } from './frame.ts'
import { createImage, cropImage, editedImage, isImage, pixelAt, solidImage } from './image.ts'
import { resizeImage, reduce } from './resize.ts'
import type { Image } from './types.ts'

/** Each pixel says where it is: red its column, green its row. */
function rulers(width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) data.set([x, y, 7], i)
  }
  return createImage(data, width, height)
}

test('a picture is frozen and names its pixels', () => {
  const image = rulers(20, 10)
  assert.ok(Object.isFrozen(image) && Object.isFrozen(image.frame))
  assert.match(image.hash, /^[0-9a-f]{64}$/)
  assert.equal(image.hash, rulers(20, 10).hash)
  assert.notEqual(image.hash, rulers(10, 20).hash)
  assert.ok(isImage(image) && !isImage({ type: 'image' }) && !isImage(null))
})

test('the hash tells pictures of the same bytes and another shape apart', () => {
  const grey = (w: number, h: number): string => solidImage({ width: w, height: h }, [9, 9, 9]).hash
  assert.notEqual(grey(2, 8), grey(8, 2))
})

test('size and bytes must agree', () => {
  assert.throws(() => createImage(new Uint8Array(5), 1, 2), { code: 'E_ARGUMENT' })
  assert.throws(() => createImage(new Uint8Array(0), 0, 2), { code: 'E_ARGUMENT' })
})

test('a crop shows its part and remembers where it was', () => {
  const image = rulers(20, 10)
  const part = cropImage(image, box(5, 2, 9, 6))
  assert.deepEqual([part.width, part.height], [4, 4])
  assert.deepEqual(pixelAt(part, 1, 3), [6, 5, 7])
  assert.equal(part.parent, image.hash)
  const deeper = cropImage(part, box(1, 1, 3, 4))
  assert.deepEqual([deeper.frame.x, deeper.frame.y], [6, 3])
  assert.deepEqual(pixelAt(deeper, 0, 0), [6, 3, 7])
})

test('a crop is clipped; all of the picture is the picture itself', () => {
  const image = rulers(20, 10)
  assert.equal(cropImage(image, box(-5, -5, 90, 90)), image)
  assert.deepEqual(cropImage(image, box(15, 5, 90, 90)).frame.width, 5)
  assert.throws(() => cropImage(image, box(20, 0, 25, 5)), { code: 'T_INPUT' })
  assert.throws(() => cropImage(image, box(0.5, 0, 3, 3)), { code: 'T_INPUT' })
})

test('the same crop of the same picture is the same frame', () => {
  const image = rulers(20, 10)
  const twice = cropImage(cropImage(image, box(2, 2, 18, 9)), box(3, 0, 7, 4))
  assert.equal(twice.frame.id, cropImage(image, box(5, 2, 9, 6)).frame.id)
})

test('G9: a box found in a crop with offset (30,10) is shifted by it on the original', () => {
  const image = rulers(100, 80)
  const part = cropImage(image, box(30, 10, 90, 70))
  assert.deepEqual(convertBox(box(1, 2, 11, 22), part.frame, image.frame), [31, 12, 41, 32])
})

test('G10: frames of two pictures cannot be converted', () => {
  const left = solidImage({ width: 9, height: 9 }, [1, 1, 1])
  const right = solidImage({ width: 9, height: 9 }, [2, 2, 2])
  assert.throws(() => convertBox(box(0, 0, 1, 1), left.frame, right.frame), {
    name: 'UserFault',
    code: 'T_FRAME',
  })
})

test('an edit keeps its frame and names its parent', () => {
  const image = rulers(8, 8)
  const edit = editedImage(image, new Uint8Array(192))
  assert.equal(edit.frame, image.frame)
  assert.equal(edit.parent, image.hash)
})

test('boxes survive the way through reduced pictures, crops and resized crops', async () => {
  const frame = originalFrame('photo', { width: 100, height: 50 }, [4, 4])
  const image = createImage(new Uint8Array(15_000), 100, 50, { frame })
  const part = cropImage(image, box(20, 10, 60, 40))
  const large = await resizeImage(part, { width: 80, height: 90 })
  assert.deepEqual(toOriginal(box(0, 0, 80, 90), large.frame), [80, 40, 240, 160])
  assert.deepEqual(toOriginal(box(0, 0, 40, 30), part.frame), [80, 40, 240, 160])
  assert.deepEqual(fromOriginal(box(80, 40, 240, 160), large.frame), [0, 0, 80, 90])
  assert.deepEqual(convertBox(box(2, 3, 80, 90), large.frame, image.frame), [21, 11, 60, 40])
})

test('a frame converts there and back', () => {
  const image = rulers(60, 40)
  fc.assert(
    fc.property(fc.nat(20), fc.nat(20), fc.nat(10), fc.nat(10), (x, y, bx, by) => {
      const part = cropImage(image, box(x, y, x + 15, y + 15))
      const inside = box(bx, by, bx + 3, by + 2)
      const there = convertBox(inside, part.frame, image.frame)
      assert.deepEqual(convertBox(there, image.frame, part.frame), inside)
    }),
  )
})

test('resizing keeps what is seen and never enlarges by reduce', async () => {
  const image = rulers(100, 40)
  const small = await reduce(image, 50)
  assert.deepEqual([small.width, small.height, small.frame.scale], [50, 20, [2, 2]])
  const [x, y] = pixelAt(small, 25, 10)
  assert.ok(Math.abs(x - 50) <= 2 && Math.abs(y - 20) <= 2)
  assert.equal(await reduce(image, 500), image)
})
