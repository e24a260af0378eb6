import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskArea, maskBox, maskFromBitmap, maskIou } from '../src/image/index.ts'
import { miniSprites } from './mini/mini-sprites.ts'
import { paintScene, staysVisible } from './scene.ts'
import { above, inFrontOf, largerThan, leftOf, sceneTruth } from './truth.ts'
import type { Scene } from './types.ts'

const sprites = await miniSprites()
const names = { sprites: 'mini', synset: (id: string) => `${id}%1:00:00::` }

function scenes(count: number, size = 256): Scene[] {
  return Array.from({ length: count }, (_, seed) =>
    sceneTruth(paintScene(seed, { sprites, size }), names),
  )
}

test('left and right are what CROP_LEFTOF and CROP_RIGHTOF give whole (W6)', () => {
  const anchor = [100, 100, 160, 160] as const
  assert.equal(leftOf([40, 90, 120, 150], anchor), 'yes')
  assert.equal(leftOf([90, 90, 150, 150], anchor), 'unclear')
  assert.equal(leftOf([130, 90, 190, 150], anchor), 'no')
  assert.equal(above([90, 40, 150, 130], anchor), 'yes')
  assert.equal(above([90, 130, 150, 190], anchor), 'no')
})

test('larger means one and a half times the area (W8)', () => {
  assert.equal(largerThan(4000, 2500), 'yes')
  assert.equal(largerThan(4000, 3000), 'unclear')
  assert.equal(largerThan(2500, 4000), 'no')
})

test('at most 30 % of an object may be hidden (W10)', () => {
  assert.ok(!staysVisible(2000, 2000 - 640))
  assert.ok(staysVisible(2000, 2000 - 560))
})

test('masks, boxes and areas of every object agree with the painted pixels', () => {
  for (let seed = 0; seed < 12; seed++) {
    const raw = paintScene(seed, { sprites })
    const scene = sceneTruth(raw, names)
    for (const [i, object] of scene.objects.entries()) {
      const bits = raw.top.map((id) => (id === i + 1 ? 1 : 0))
      const seen = maskFromBitmap(bits, raw.width, raw.height)
      assert.equal(maskIou(object.mask, seen), 1)
      assert.deepEqual(maskBox(object.mask), object.box)
      assert.deepEqual(maskBox(object.fullMask), object.fullBox)
      assert.equal(maskArea(object.mask), object.visibleArea)
      assert.equal(maskArea(object.fullMask), object.area)
    }
  }
})

test('nothing leaves the picture and nothing is hidden by more than 30 %', () => {
  for (const scene of [...scenes(25), ...scenes(5, 96), ...scenes(5, 400)]) {
    for (const { fullBox, area, visibleArea } of scene.objects) {
      assert.ok(fullBox[0] >= 0 && fullBox[1] >= 0)
      assert.ok(fullBox[2] <= scene.width && fullBox[3] <= scene.height)
      assert.ok(staysVisible(area, visibleArea), `${visibleArea} of ${area}`)
    }
  }
})

test('relations come in pairs: left and right, above and below, in front and behind', () => {
  const inverse = {
    'to the left of': 'to the right of',
    above: 'below',
    'in front of': 'behind',
  } as const
  let checked = 0
  for (const scene of scenes(30)) {
    const holds = (subject: string, name: string, object: string): boolean =>
      scene.relations.some(
        (one) => one.subject === subject && one.name === name && one.object === object,
      )
    for (const { subject, name, object } of scene.relations) {
      const back = inverse[name as keyof typeof inverse]
      if (back === undefined) continue
      // A lies left of B's middle; B need not lie wholly right of A's, but never left of it.
      assert.ok(!holds(object, name, subject), `${name} both ways`)
      if (name === 'in front of') assert.ok(holds(object, back, subject))
      checked++
    }
  }
  assert.ok(checked > 100)
})

test('in front needs 5 % of the smaller to be shared', () => {
  const strip = (x1: number, x2: number, z: number): Scene['objects'][number] => {
    const bits = new Uint8Array(100 * 10).map((_, i) => (i % 100 >= x1 && i % 100 < x2 ? 1 : 0))
    const mask = maskFromBitmap(bits, 100, 10)
    const area = (x2 - x1) * 10
    return {
      z,
      fullMask: mask,
      fullBox: [x1, 0, x2, 10],
      area,
    } as unknown as Scene['objects'][number]
  }
  const below = strip(0, 50, 0)
  assert.equal(inFrontOf(strip(45, 95, 1), below), 'yes')
  assert.equal(inFrontOf(below, strip(45, 95, 1)), 'no')
  assert.equal(inFrontOf(strip(49, 99, 1), below), 'unclear')
  assert.equal(inFrontOf(strip(50, 99, 1), below), 'no')
})
