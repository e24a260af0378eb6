import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_BACKENDS } from './backends.ts'
import type { Lister } from './backends.ts'
import { list, parseList } from './list.ts'
import { testContext } from './scripted.ts'

test('G15: numbering, bullets and repeated items go, the order stays', () => {
  assert.deepEqual(parseList('1. Owl\n2) owl\n- Kite, Heron', 2), ['Owl', 'Kite'])
  assert.deepEqual(parseList('* a\r\n• b\n(3) c\n\n , ', 20), ['a', 'b', 'c'])
  assert.deepEqual(parseList('7 dwarfs, 101 dalmatians', 20), ['7 dwarfs', '101 dalmatians'])
})

const says = (text: string): Lister => ({
  name: 'scripted',
  models: () => [],
  can: [],
  cannot: [],
  list: async () => ({ known: true, text, notices: [] }),
})
const cannot: Lister = {
  ...says(''),
  list: async () => ({ known: false, would: 'A model would.' }),
}

const run = (...listers: readonly Lister[]) =>
  list({ ...NO_BACKENDS, listers }).run({ query: 'birds', max: 20 }, testContext())

test('an empty list is told, a list that nobody has is an error', async () => {
  const empty = await run(says(' \n'))
  assert.deepEqual(empty.value, [])
  assert.equal(empty.notices?.[0]?.code, 'N_SHORT_LIST')
  assert.deepEqual((await run(cannot, says('owl'))).value, ['owl'])
  await assert.rejects(run(cannot), { code: 'T_UNAVAILABLE', cure: 'A model would.' })
  await assert.rejects(run(), { code: 'T_UNAVAILABLE' })
})
