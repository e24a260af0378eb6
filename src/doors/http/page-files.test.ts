import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { folderPage } from './page-files.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-page-'))
after(() => rmSync(root, { recursive: true, force: true }))

test('files of the folder are read by type, and nothing outside it', async () => {
  mkdirSync(join(root, 'page/assets'), { recursive: true })
  writeFileSync(join(root, 'page/index.html'), 'page')
  writeFileSync(join(root, 'page/assets/a.js'), 'code')
  writeFileSync(join(root, 'page/secret.key'), 'no type of ours')
  writeFileSync(join(root, 'secret.js'), 'secret')
  const page = folderPage(join(root, 'page'))
  assert.equal((await page.read('/index.html'))?.type, 'text/html; charset=utf-8')
  assert.equal(String((await page.read('/assets/a.js'))?.bytes), 'code')
  for (const path of [
    '/secret.key',
    '/../secret.js',
    '/%2e%2e/secret.js',
    '/assets/../../secret.js',
    '/%',
    '/gone.js',
    '/..%2fsecret.js',
  ]) {
    assert.equal(await page.read(path), undefined, path)
  }
})
