import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodePicture } from './codec.ts'
import { encodePicture } from './encode.ts'
import { createImage } from './image.ts'
import { loadSharp } from './native.ts'
import { readPngText, RUN_KEYWORD, writePngText } from './png-text.ts'
import { encodePng } from './png.ts'

const data = Uint8Array.from({ length: 23 * 17 * 3 }, (_, i) => (i * 31 + (i >> 4)) % 256)

test('our PNG holds the same pixels for every reader', async () => {
  const { image } = await decodePicture(encodePng(data, 23, 17))
  assert.deepEqual(image.data, data)
})

test('with transparency too', async () => {
  const rgba = Uint8Array.from({ length: 8 * 4 * 4 }, (_, i) => (i * 37) % 256)
  const sharp = await loadSharp()
  const read = await sharp(encodePng(rgba, 8, 4))
    .raw()
    .toBuffer()
  assert.deepEqual(Uint8Array.from(read), rgba)
})

test('the same pixels are the same bytes; others are refused', () => {
  assert.deepEqual(encodePng(data, 23, 17), encodePng(Uint8Array.from(data), 23, 17))
  assert.throws(() => encodePng(data, 20, 17), { code: 'E_ARGUMENT' })
})

test('a picture carries its run, and the pixels stay', async () => {
  const image = createImage(data, 23, 17)
  const png = await encodePicture(image, 'png')
  const run = JSON.stringify({ run: 'r1', answer: 'ein Hund 🐶 犬', steps: [1, 2, 3] })
  const carrying = writePngText(png, RUN_KEYWORD, run)
  assert.equal(readPngText(carrying, RUN_KEYWORD), run)
  assert.deepEqual((await decodePicture(carrying)).image.data, data)
  assert.equal(readPngText(png, RUN_KEYWORD), undefined)
})

test('any text comes back; a second one replaces the first', () => {
  const png = encodePng(data, 23, 17)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (first, second) => {
      const once = writePngText(png, 'note', first)
      const twice = writePngText(writePngText(once, RUN_KEYWORD, 'x'), 'note', second)
      assert.equal(readPngText(once, 'note'), Buffer.from(first).toString())
      assert.equal(readPngText(twice, 'note'), Buffer.from(second).toString())
      assert.equal(readPngText(twice, RUN_KEYWORD), 'x')
    }),
    { numRuns: 60 },
  )
})

test('no PNG, a damaged text and a bad keyword are told', () => {
  assert.throws(() => readPngText(Buffer.from('GIF89a'), 'note'), { code: 'E_PICTURE_TYPE' })
  const png = Buffer.from(writePngText(encodePng(data, 23, 17), 'note', 'hello '.repeat(50)))
  png.fill(7, png.indexOf('note') + 12, png.indexOf('note') + 20)
  assert.throws(() => readPngText(png, 'note'), { code: 'E_PICTURE_BROKEN' })
  assert.throws(() => writePngText(png, '', 'x'), { code: 'E_ARGUMENT' })
})

test('a truncated PNG is read as far as it goes', () => {
  const png = writePngText(encodePng(data, 23, 17), 'note', 'hello')
  assert.equal(readPngText(png.subarray(0, png.length - 20), 'note'), undefined)
})

test('exported pictures carry no metadata of their own', async () => {
  const sharp = await loadSharp()
  const image = createImage(data, 23, 17)
  for (const type of ['png', 'jpeg', 'webp'] as const) {
    const header = await sharp(await encodePicture(image, type)).metadata()
    assert.deepEqual([header.exif, header.xmp, header.iptc], [undefined, undefined, undefined])
    assert.deepEqual([header.width, header.height], [23, 17])
  }
})
