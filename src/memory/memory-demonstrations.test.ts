import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Demonstration } from './demonstration.ts'
import { memoryDemonstrations } from './memory-demonstrations.ts'

const one: Demonstration = {
  id: 'b',
  family: 'gqa',
  instruction: 'How many dogs?',
  program: 'R=RESULT(var=IMAGE)',
  verdict: 'right',
  score: 0,
  origin: 'run',
}

test('an equal right demonstration is not stored twice, an equal id replaces', async () => {
  const pool = memoryDemonstrations([one])
  await pool.put({ ...one, id: 'c', instruction: ' how many dogs? ' })
  assert.equal((await pool.list('gqa')).length, 1)
  await pool.put({ ...one, score: 7 })
  assert.equal((await pool.get('b'))?.score, 7)
})

test('wrong demonstrations with one text may have several critiques', async () => {
  const pool = memoryDemonstrations()
  await pool.put({ ...one, id: 'a', verdict: 'wrong', critique: 'x' })
  await pool.put({ ...one, id: 'c', verdict: 'wrong', critique: 'y' })
  assert.equal((await pool.list('gqa')).length, 2)
})

test('lists are in order of id, and every write changes the version', async () => {
  const pool = memoryDemonstrations([one])
  const before = await pool.version()
  await pool.put({ ...one, id: 'a', instruction: 'other' })
  assert.notEqual(await pool.version(), before)
  assert.deepEqual(
    (await pool.list('gqa')).map(({ id }) => id),
    ['a', 'b'],
  )
  await pool.remove('a')
  await pool.put({ ...one, id: 'd', instruction: 'other' })
  assert.deepEqual(
    (await pool.list('gqa')).map(({ id }) => id),
    ['b', 'd'],
  )
})

test('what is stored is frozen', async () => {
  const pool = memoryDemonstrations([one])
  assert.ok(Object.isFrozen(await pool.get('b')))
})
