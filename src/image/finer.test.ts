import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodePicture } from './codec.ts'
import { encodePicture } from './encode.ts'
import { finerImage } from './finer.ts'
import { convertBox } from './frame.ts'
import { createImage, cropImage, editedImage, pixelAt } from './image.ts'
import { loadSharp } from './native.ts'

/** Black, with one white line of two pixels at x = 600. */
async function file(turn = 1): Promise<Uint8Array> {
  const data = new Uint8Array(800 * 400 * 3)
  for (let y = 0; y < 400; y++) data.fill(255, (y * 800 + 600) * 3, (y * 800 + 602) * 3)
  const png = await encodePicture(createImage(data, 800, 400), 'png')
  const sharp = await loadSharp()
  return sharp(png).withMetadata({ orientation: turn }).jpeg({ quality: 100 }).toBuffer()
}

test('a reduced picture and its parts are seen again with the pixels of the file', async () => {
  const { image } = await decodePicture(await file(), { maxSide: 100 })
  const fine = await finerImage(image, { maxSide: 400 })
  assert.deepEqual([fine.width, fine.height], [400, 200])
  const part = cropImage(image, [70, 10, 80, 20])
  const finePart = await finerImage(part, { maxSide: 400 })
  assert.deepEqual([finePart.width, finePart.height], [80, 80])
  // The line stands at 600 of the file, so at 40 of the part that begins at 560.
  assert.ok(pixelAt(finePart, 40, 40)[0] > 200 && pixelAt(finePart, 30, 40)[0] < 50)
  assert.deepEqual(convertBox([40, 0, 48, 80], finePart.frame, part.frame), [5, 0, 6, 10])
  assert.deepEqual(convertBox([40, 0, 48, 80], finePart.frame, image.frame), [75, 10, 76, 20])
})

test('a picture that the camera turned is cut after the turn', async () => {
  const { image } = await decodePicture(await file(6), { maxSide: 100 })
  assert.deepEqual([image.width, image.height], [50, 100])
  const part = await finerImage(cropImage(image, [0, 70, 20, 80]), { maxSide: 400 })
  assert.deepEqual([part.width, part.height], [160, 80])
  assert.ok(pixelAt(part, 80, 40)[0] > 200 && pixelAt(part, 80, 60)[0] < 50)
})

test('what was not reduced, or was edited, has nothing finer', async () => {
  const { image: whole } = await decodePicture(await file())
  assert.equal(await finerImage(whole, { maxSide: 2000 }), whole)
  const { image } = await decodePicture(await file(), { maxSide: 100 })
  const edited = editedImage(
    image,
    image.data.map((value) => 255 - value),
  )
  assert.equal(await finerImage(edited, { maxSide: 400 }), edited)
  assert.equal(
    await finerImage(cropImage(edited, [0, 0, 5, 5]), { maxSide: 400 }).then((x) => x.width),
    5,
  )
})
