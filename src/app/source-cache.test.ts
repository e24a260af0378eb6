import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderSourceCache } from './source-cache.ts'

test('answers of sources are kept between processes until their time is over', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'sources-'))
  t.after(() => rm(folder, { recursive: true }))
  await folderSourceCache(folder).put('abcdef', { text: 'kept' }, { now: 1000, ttlMs: 500 })
  const again = folderSourceCache(folder)
  assert.deepEqual(await again.get('abcdef', 1499), { text: 'kept' })
  assert.equal(await again.get('abcdef', 1500), undefined)
  assert.equal(await again.get('other', 0), undefined)
  await writeFile(join(folder, 'ab', 'abcdef.json'), '{"until":')
  assert.equal(await again.get('abcdef', 1200), undefined)
})
