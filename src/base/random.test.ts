import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreRandom, seededRandom } from './random.ts'

test('a seed gives the same numbers again, and its state goes on where it was', () => {
  const a = seededRandom(7)
  const b = seededRandom(7)
  const drawn = Array.from({ length: 50 }, () => a.next())
  assert.deepEqual(
    drawn,
    Array.from({ length: 50 }, () => b.next()),
  )
  const rest = restoreRandom(a.state())
  assert.equal(a.next(), rest.next())
})

test('forks of one seed are independent of how much was drawn before', () => {
  const early = seededRandom('world').fork('layout')
  const parent = seededRandom('world')
  parent.next()
  assert.equal(parent.fork('layout').next(), early.next())
  assert.notEqual(
    seededRandom('world').fork('looks').next(),
    seededRandom('world').fork('layout').next(),
  )
})

test('numbers are spread evenly, and normal ones have mean 0 and deviation 1', () => {
  const random = seededRandom(1)
  const counts = Array.from({ length: 10 }, () => 0)
  for (let i = 0; i < 20_000; i++) counts[random.below(10)]! += 1 // below(10) is an index of counts
  for (const count of counts) assert.ok(Math.abs(count - 2000) < 200, `${count}`)
  const normal = Array.from({ length: 20_000 }, () => random.normal())
  const mean = normal.reduce((a, b) => a + b) / normal.length
  const variance = normal.reduce((a, b) => a + (b - mean) ** 2, 0) / normal.length
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.05)
})
