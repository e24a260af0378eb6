import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazy } from './lazy.ts'

test('it is made once, when first asked for', async () => {
  let made = 0
  const one = lazy(async () => ++made)
  assert.equal(await one.made(), undefined)
  assert.equal(made, 0)
  assert.deepEqual(await Promise.all([one(), one(), one.made()]), [1, 1, 1])
})

test('a failure is told and the next call tries again', async () => {
  let tries = 0
  const one = lazy(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  await assert.rejects(one(), /not yet/)
  assert.equal(await one.made(), undefined)
  assert.equal(await one(), 2)
})
