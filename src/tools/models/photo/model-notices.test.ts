import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { MODEL_NOTICES } from './model-notices.ts'

const root = new URL('../../../../', import.meta.url)

test('every notice names a package as it is pinned, and files that are in it', async () => {
  const { dependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  for (const notice of MODEL_NOTICES) {
    assert.equal(dependencies[notice.package], notice.version, notice.package)
    for (const file of notice.files) {
      const found = await stat(new URL(`node_modules/${notice.package}/${file}`, root))
      assert.ok(found.size > 1000, `${notice.package}/${file}`)
    }
  }
})
