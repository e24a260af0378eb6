import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCEPT_BELOW, alignedSquare, ASK_UP_TO, euclidean, nearestPerson } from './identity.ts'

const vector = (first: number): Float32Array => Float32Array.of(first, 0, 0)
const person = (name: string, at: readonly number[], rejected: readonly number[] = []) => ({
  name,
  vectors: at.map(vector),
  tombstones: rejected.map(vector),
})

test('below 0.55 a face is accepted, up to 0.62 it is asked about, above it is nobody', () => {
  const people = [person('Anna', [0])]
  assert.equal(nearestPerson(vector(ACCEPT_BELOW - 0.01), people).outcome, 'known')
  assert.equal(nearestPerson(vector(ACCEPT_BELOW + 0.001), people).outcome, 'ask')
  assert.equal(nearestPerson(vector(ASK_UP_TO + 0.01), people).outcome, 'unknown')
  assert.deepEqual(nearestPerson(vector(0), []), { outcome: 'unknown', distance: null })
})

test('the nearest of all vectors decides', () => {
  const people = [person('Anna', [0, 3]), person('Ben', [2])]
  const found = nearestPerson(vector(2.7), people)
  assert.ok(found.outcome === 'known' && found.person === 'Anna')
})

test('a face near to a rejected one is asked about, never assumed', () => {
  const found = nearestPerson(vector(0.1), [person('Anna', [0], [0.15])])
  assert.ok(found.outcome === 'ask' && found.person === 'Anna')
})

test('the aligned square is upright over an upright face and turns with it', () => {
  const points = [
    [40, 40],
    [60, 40],
    [50, 50],
    [50, 60],
  ] as const
  const upright = alignedSquare(points)
  assert.equal(upright.angle, 0)
  const reach = Math.hypot(10, 20) / 0.4
  assert.ok(Math.abs(upright.side - reach) < 1e-9)
  // The middle of eyes and mouth lies at 0.43 of the height.
  const middle = (40 + 40 + 60) / 3
  assert.ok(Math.abs(middle - (upright.centre[1] - upright.side / 2 + 0.43 * upright.side)) < 1e-9)
  const turned = points.map(([x, y]) => [100 - y, x] as const)
  const quarter = alignedSquare(turned)
  assert.ok(Math.abs(quarter.angle - Math.PI / 2) < 1e-9)
  assert.ok(Math.abs(quarter.centre[0] - (100 - upright.centre[1])) < 1e-9)
  assert.ok(Math.abs(quarter.centre[1] - upright.centre[0]) < 1e-9)
})

test('distances are Euclidean', () => {
  assert.equal(euclidean(Float32Array.of(1, 2), Float32Array.of(4, 6)), 5)
})
