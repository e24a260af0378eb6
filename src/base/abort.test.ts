import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadline, isAbort, orAbort } from './abort.ts'

test('work that ends first gives its value, and its failure', async () => {
  const { signal } = new AbortController()
  assert.equal(await orAbort(Promise.resolve(3), signal), 3)
  await assert.rejects(orAbort(Promise.reject(new Error('broken')), signal), /broken/)
})

test('a signal that fires rejects with its own reason, and late failures are not unhandled', async () => {
  const controller = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const waiting = orAbort(promise, controller.signal)
  const reason = new Error('enough')
  controller.abort(reason)
  await assert.rejects(waiting, (error) => error === reason)
  reject(new Error('late'))
  await assert.rejects(orAbort(Promise.reject(new Error('later')), controller.signal), /enough/)
})

test('a deadline fires with its parent and is told apart as cancellation', () => {
  const parent = new AbortController()
  const signal = deadline(60_000, parent.signal)
  parent.abort()
  assert.equal(signal.aborted, true)
  assert.equal(isAbort(signal.reason), true)
  assert.equal(isAbort(new Error('other')), false)
})
