import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../base/index.ts'
import { LOCAL_SOURCE, sourceFault } from '../tools/index.ts'
import type { SourceOutput, SourceProvider } from '../tools/index.ts'
import { joinedSources } from './joined-sources.ts'

const source = (
  id: string,
  reply: SourceOutput | Error,
  more: Partial<SourceProvider> = {},
): SourceProvider => ({
  ...{ ...LOCAL_SOURCE, id, tool: 'kb_lookup', licence: '', ...more },
  call: async () => {
    if (reply instanceof Error) throw reply
    return reply
  },
})
const call = async (sources: readonly SourceProvider[]) =>
  joinedSources(sources)[0]?.call({ q: 'cat' }, { clock: systemClock })

test('entries come in turn, each with its source; who knows nothing hides nobody', async () => {
  const found = await call([
    source('a', { entries: [] }),
    source('b', { entries: [{ text: 'b1' }, { text: 'b2' }] }),
    source('c', { entries: [{ text: 'c1', source: 'file.md' }] }),
  ])
  assert.deepEqual(found, {
    entries: [
      { text: 'b1', source: 'b' },
      { text: 'c1', source: 'c' },
      { text: 'b2', source: 'b' },
    ],
  })
})

test('one that fails is named; when all fail the first failure is thrown', async () => {
  const broken = source('b', sourceFault('b', 'server', 'status 500'))
  const found = await call([source('a', { entries: [{ text: 'x' }] }), broken])
  assert.deepEqual(found?.failedEngines, ['b: b: status 500'])
  await assert.rejects(call([broken, broken]), { code: 'E_TOOL' })
})

test('it is as remote, as dear and as bound as its parts together', () => {
  const remote = { needsNetwork: true, sends: 'text', price: 0.01, mayStore: false } as const
  const [joined] = joinedSources([source('a', {}), source('b', {}, remote)])
  assert.deepEqual(
    [joined?.id, joined?.needsNetwork, joined?.sends, joined?.price, joined?.mayStore],
    ['a+b', true, 'text', 0.01, false],
  )
  const [unpriced] = joinedSources([source('a', {}), source('b', {}, { price: null })])
  assert.equal(unpriced?.price, null)
  const alone = source('a', {})
  assert.deepEqual([joinedSources([alone]), joinedSources([])], [[alone], []])
})
