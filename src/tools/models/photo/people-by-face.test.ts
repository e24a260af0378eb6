import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaceFinding, Finding } from '../../backends.ts'
import { hasFaintPeople, withFaces } from './people-by-face.ts'

const person = (x: number, score: number): Finding => ({
  box: [x, 0, x + 100, 300],
  score,
  name: 'person',
})
const face = (x: number, score = 0.9): FaceFinding => ({
  box: [x + 35, 20, x + 65, 60],
  score,
  points: [],
})

test('a faint person with a face of their own is believed', () => {
  const found = withFaces([person(0, 0.5), person(200, 0.28)], [face(0), face(200)])
  assert.deepEqual(
    found.map((one) => [one.box[0], one.score > 0.3]),
    [
      [200, true],
      [0, true],
    ],
  )
})

test('a face that belongs to a believed person makes no second one', () => {
  const found = withFaces([person(0, 0.6), person(10, 0.2)], [face(5)])
  assert.deepEqual(
    found.map((one) => one.score),
    [0.6, 0.2],
  )
})

test('faces at the feet, faint faces and other things change nothing', () => {
  const low: FaceFinding = { ...face(0), box: [35, 240, 65, 280] }
  const cat: Finding = { ...person(0, 0.2), name: 'cat' }
  assert.deepEqual(withFaces([person(0, 0.2)], [low]), [person(0, 0.2)])
  assert.deepEqual(withFaces([person(0, 0.2)], [face(0, 0.4)]), [person(0, 0.2)])
  assert.deepEqual(withFaces([cat], [face(0)]), [cat])
  assert.equal(hasFaintPeople([cat, person(0, 0.5), person(0, 0.05)]), false)
})
