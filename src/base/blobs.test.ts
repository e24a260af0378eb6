import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { folderBlobs, memoryBlobs } from './blobs.ts'
import type { BlobStore } from './blobs.ts'
import { Unavailable } from './errors.ts'

const bytes = new TextEncoder().encode('a picture')

function blobCases(
  name: string,
  open: () => Promise<{ store: BlobStore; close(): Promise<void> }>,
): void {
  test(`${name}: what is put comes back by its hash, and twice is kept once`, async () => {
    const { store, close } = await open()
    const first = await store.put(bytes, 'image/png')
    const second = await store.put(bytes, 'image/png')
    assert.deepEqual(first, second)
    assert.deepEqual(new Uint8Array(await store.get(first.hash)), bytes)
    assert.equal(await store.has(first.hash), true)
    await store.remove(first.hash)
    assert.equal(await store.has(first.hash), false)
    await assert.rejects(store.get(first.hash), { code: 'E_BLOB_MISSING' })
    await close()
  })

  test(`${name}: a name that is no hash never becomes a path`, async () => {
    const { store, close } = await open()
    await assert.rejects(store.get('../../etc/passwd'), { code: 'E_BLOB_HASH' })
    await close()
  })
}

blobCases('memory', async () => ({ store: memoryBlobs(), close: async () => {} }))
blobCases('folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-blobs-'))
  return { store: folderBlobs(folder), close: () => rm(folder, { recursive: true }) }
})

test('a folder that cannot be written is named, and nothing half-written stays', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-blobs-'))
  const file = join(folder, 'occupied')
  await writeFile(file, '')
  await assert.rejects(folderBlobs(file).put(bytes, 'image/png'), (error: unknown) => {
    return error instanceof Unavailable && error.code === 'E_DATA_FOLDER'
  })
  assert.deepEqual(await readdir(folder), ['occupied'])
  await rm(folder, { recursive: true })
})
