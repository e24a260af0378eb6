import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const LOOK = `
  const before = new Set(process.moduleLoadList)
  const face = await import(process.argv[1])
  const loaded = process.moduleLoadList.filter((name) => !before.has(name))
  const natives = process.report.getReport().sharedObjects.filter((name) => name.endsWith('.node'))
  console.log(JSON.stringify({ names: Object.keys(face), loaded, natives }))
`

test('the front page of the library loads no native add-on and starts no process', () => {
  const face = new URL('./index.ts', import.meta.url).href
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', LOOK, face], {
    encoding: 'utf8',
  })
  const { names, loaded, natives } = JSON.parse(out) as Record<
    'names' | 'loaded' | 'natives',
    string[]
  >
  assert.deepEqual(natives, [])
  assert.deepEqual(
    loaded.filter((name) => /child_process|worker_threads|sqlite/.test(name)),
    [],
  )
  assert.deepEqual(names, [
    'createPupil',
    'defineConfig',
    'openExternalTools',
    'openPupil',
    'resolveConfig',
    'runDocument',
    'version',
  ])
})
