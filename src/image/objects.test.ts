import assert from 'node:assert/strict'
import { test } from 'node:test'
import { box } from './box.ts'
import { cropImage, solidImage } from './image.ts'
import { createObject, maskOrBox, objectsMask, toFrame, withMask } from './objects.ts'
import { maskArea, maskBox, maskFromBox } from './rle.ts'
import type { Box, Image, ObjectRecord } from './types.ts'

const photo = solidImage({ width: 100, height: 80 }, [10, 20, 30])
const other = solidImage({ width: 100, height: 80 }, [30, 20, 10])

function object(id: string, at: Box, image: Image = photo, mask = false): ObjectRecord {
  const made = createObject(
    {
      id,
      box: at,
      category: id,
      score: 0.5,
      mask: mask ? maskFromBox(at, image.height, image.width) : null,
    },
    image,
  )
  assert.ok(made)
  return made
}

test('an object takes the frame of its picture; its box is rounded outward and clipped', () => {
  const dog = object('dog', box(-2.5, 3.2, 10.1, 9))
  assert.deepEqual(dog.box, [0, 3, 11, 9])
  assert.equal(dog.frame, photo.frame)
  assert.equal(createObject({ id: 'x', box: box(200, 0, 210, 5), category: 'x' }, photo), undefined)
})

test('G9: objects of a crop are shifted when used on the original', () => {
  const part = cropImage(photo, box(30, 10, 90, 70))
  const found = object('cup', box(5, 5, 20, 25), part, true)
  const { objects, notices } = toFrame([found], photo)
  assert.deepEqual(objects[0]?.box, [35, 15, 50, 35])
  assert.equal(objects[0]?.frame, photo.frame)
  assert.deepEqual(objects[0]?.mask, maskFromBox(box(35, 15, 50, 35), 80, 100))
  assert.deepEqual(notices, [])
})

test('objects that fall outside a crop are dropped and told; cut ones are clipped', () => {
  const part = cropImage(photo, box(30, 10, 90, 70))
  const out = object('bird', box(0, 0, 10, 10))
  const cut = object('tree', box(20, 0, 40, 30), photo, true)
  const { objects, dropped, notices } = toFrame([out, cut], part)
  assert.deepEqual(
    objects.map((one) => one.box),
    [[0, 0, 10, 20]],
  )
  assert.equal(maskArea(maskOrBox(objects[0] ?? out)), 200)
  assert.deepEqual(dropped, [out])
  assert.deepEqual(notices, [
    {
      code: 'N_OUT_OF_FRAME',
      message: '1 object lies outside this picture and left out: bird.',
      fields: { ids: ['bird'] },
    },
  ])
})

test('a box that is looser than its mask is only cut', () => {
  const loose = {
    ...object('cat', box(20, 0, 60, 40)),
    mask: maskFromBox(box(35, 15, 50, 30), 80, 100),
  }
  const part = cropImage(photo, box(30, 10, 90, 70))
  const { objects } = toFrame([loose], part)
  assert.deepEqual(objects[0]?.box, [0, 0, 30, 30])
})

test('G10: objects of another picture are a fault, not a guess', () => {
  assert.throws(() => toFrame([object('dog', box(0, 0, 5, 5))], other), {
    name: 'UserFault',
    code: 'T_FRAME',
  })
})

test('objects already in the frame are passed on as they are', () => {
  const dog = object('dog', box(0, 0, 5, 5))
  assert.equal(toFrame([dog], photo).objects[0], dog)
})

test('masks of several objects unite; a box stands in for a missing mask', () => {
  const dog = object('dog', box(0, 0, 5, 5))
  const cat = object('cat', box(3, 0, 8, 5), photo, true)
  assert.equal(maskArea(objectsMask([dog, cat], photo)), 40)
  assert.equal(maskArea(objectsMask([], photo)), 0)
})

test('a new mask draws the box tight', () => {
  const dog = object('dog', box(0, 0, 50, 50))
  const cut = withMask(dog, maskFromBox(box(10, 10, 20, 30), 80, 100))
  assert.deepEqual(cut?.box, [10, 10, 20, 30])
  assert.deepEqual(maskBox(cut?.mask ?? maskOrBox(dog)), cut?.box)
})
