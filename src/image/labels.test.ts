import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { box, clipBox, intersectBoxes } from './box.ts'
import { placeLabels } from './labels.ts'
import type { LabelPlace } from './labels.ts'

const picture = { width: 400, height: 300 }
const forms = [
  { width: 60, height: 16 },
  { width: 18, height: 16 },
]
const anchor = fc
  .tuple(
    fc.nat(380),
    fc.nat(280),
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: 150 }),
  )
  .map(([x, y, w, h]) => box(x, y, Math.min(400, x + w), Math.min(300, y + h)))

function only(place: LabelPlace | undefined): LabelPlace {
  assert.ok(place)
  return place
}

test('labels never cover each other and never leave the picture', () => {
  fc.assert(
    fc.property(fc.array(anchor, { maxLength: 60 }), (anchors) => {
      const places = placeLabels(
        anchors.map((one) => ({ anchor: one, forms })),
        picture,
      )
      const boxes = places.flatMap((place) => (place === undefined ? [] : [place.box]))
      boxes.forEach((a, i) => {
        assert.deepEqual(clipBox(a, picture), a)
        for (const b of boxes.slice(i + 1)) assert.equal(intersectBoxes(a, b), undefined)
      })
    }),
    { numRuns: 60 },
  )
})

test('alone, a label stands on the upper left corner of its box', () => {
  const [place] = placeLabels([{ anchor: box(100, 100, 200, 200), forms }], picture)
  assert.deepEqual(only(place), { box: [100, 84, 160, 100], form: 0, apart: false })
})

test('at the upper border it goes below or inside, at the right border it is moved in', () => {
  const [top] = placeLabels([{ anchor: box(100, 0, 200, 100), forms }], picture)
  assert.ok(only(top).box[1] >= 0)
  const [right] = placeLabels([{ anchor: box(390, 100, 400, 200), forms }], picture)
  assert.ok(only(right).box[2] <= 400)
})

test('the whole picture as a box has its label inside', () => {
  const [place] = placeLabels([{ anchor: box(0, 0, 400, 300), forms }], picture)
  assert.deepEqual(clipBox(only(place).box, picture), only(place).box)
})

test('a crowd falls back to numbers when labels cover enough', () => {
  const crowd = Array.from({ length: 200 }, (_, i) => ({
    anchor: box(
      (i % 20) * 20,
      Math.floor(i / 20) * 30,
      (i % 20) * 20 + 15,
      Math.floor(i / 20) * 30 + 20,
    ),
    forms,
  }))
  const places = placeLabels(crowd, picture, { most: 0.1 })
  assert.equal(only(places[0]).form, 0)
  const whole = places.filter((place) => place?.form === 0)
  assert.ok(whole.length * 60 * 16 <= 0.1 * 400 * 300 + 60 * 16)
  assert.ok(places.filter((place) => place?.form === 1).length > 50)
})

test('a label larger than the picture has no place', () => {
  const wide = [{ width: 500, height: 16 }]
  assert.deepEqual(placeLabels([{ anchor: box(0, 0, 9, 9), forms: wide }], picture), [undefined])
  assert.deepEqual(placeLabels([{ anchor: box(0, 0, 9, 9), forms: [] }], picture), [undefined])
})
