import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cropImage, solidImage } from '../image/index.ts'
import type { Box, Image } from '../image/index.ts'
import { makeObject } from './args.ts'
import { crop, CROPS } from './crop.ts'
import { testContext } from './scripted.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const context = testContext()

/** A picture whose every pixel is different enough to tell originals apart. */
function picture(width: number, height: number, shade = 1): Image {
  return solidImage({ width, height }, [shade, 2, 3])
}

const objectIn = (image: Image, box: Box) =>
  makeObject({ box, category: 'dog', score: 0.9 }, image, context)

async function place(
  name: string,
  image: Image,
  box: readonly unknown[],
): Promise<{ readonly part: readonly number[]; readonly codes: readonly string[] }> {
  const result = await crop(name, DEFAULT_SETTINGS).run({ image, box: box as never }, context)
  const { frame } = result.value as Image
  const [x, y] = [frame.x - image.frame.x, frame.y - image.frame.y]
  return {
    part: [x, y, x + frame.width, y + frame.height],
    codes: (result.notices ?? []).map((notice) => notice.code),
  }
}

test('G2: in a picture of one pixel every crop is that pixel', async () => {
  const image = picture(1, 1)
  for (const name of CROPS) {
    const { part } = await place(name, image, [objectIn(image, [0, 0, 1, 1])])
    assert.deepEqual(part, [0, 0, 1, 1], name)
  }
})

test('G3, G4: at a border at least one pixel remains', async () => {
  const image = picture(100, 80)
  const right = [objectIn(image, [98, 10, 100, 50])]
  assert.deepEqual((await place('CROP_RIGHTOF', image, right)).part, [99, 0, 100, 80])
  assert.deepEqual((await place('CROP_LEFTOF', image, right)).part, [0, 0, 99, 80])
  const corner = [objectIn(image, [0, 0, 1, 1])]
  assert.deepEqual((await place('CROP_LEFTOF', image, corner)).part, [0, 0, 1, 80])
  assert.deepEqual((await place('CROP_ABOVE', image, corner)).part, [0, 0, 100, 1])
})

test('G5: without a box the half picture is taken, and told', async () => {
  const image = picture(100, 80)
  const wanted = {
    CROP_LEFTOF: [0, 0, 50, 80],
    CROP_RIGHTOF: [50, 0, 100, 80],
    CROP_ABOVE: [0, 0, 100, 40],
    CROP_BELOW: [0, 40, 100, 80],
    CROP: [0, 0, 100, 80],
  }
  for (const [name, part] of Object.entries(wanted)) {
    assert.deepEqual(await place(name, image, []), { part, codes: ['N_EMPTY_BOX'] }, name)
  }
})

test('G9: a box found in a crop is shifted back to the original and clipped', async () => {
  const image = picture(100, 80)
  const inner = cropImage(image, [30, 10, 90, 70])
  const found = objectIn(inner, [5, 6, 20, 30])
  assert.deepEqual((await place('CROP', image, [found])).part, [35, 16, 50, 40])
})

test('G9: an object outside of the crop it is used with is left out, and told', async () => {
  const image = picture(100, 80)
  const inner = cropImage(image, [30, 10, 90, 70])
  const { codes, part } = await place('CROP', inner, [objectIn(image, [0, 0, 10, 10])])
  assert.deepEqual(codes, ['N_OUT_OF_FRAME', 'N_EMPTY_BOX'])
  assert.deepEqual(part, [0, 0, 60, 60])
})

test('G10: objects of another picture are refused', async () => {
  const left = picture(100, 80, 1)
  const right = picture(100, 80, 200)
  await assert.rejects(place('CROP', right, [objectIn(left, [0, 0, 10, 10])]), { code: 'T_FRAME' })
})

test('a literal box and a list of boxes are taken as they are', async () => {
  const image = picture(100, 80)
  assert.deepEqual((await place('CROP', image, [1, 2, 30, 40.5])).part, [1, 2, 30, 41])
  assert.deepEqual((await place('CROP', image, [[1, 2, 30, 40]])).part, [1, 2, 30, 40])
})
