import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDb } from './db.ts'
import { demonstrationStore } from './demonstration-store.ts'
import { countingClock } from './cases.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-processes-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const WRITER = `
  const { openDb, migrate, demonstrationStore } = await import(process.argv[1])
  const clock = { now: () => Date.now(), tick: () => 0, sleep: async () => {} }
  const db = await openDb(process.argv[2])
  await migrate(db, clock)
  const pool = demonstrationStore(db, 'home', clock)
  for (let n = 0; n < 25; n++) {
    const id = process.argv[3] + '-' + n
    await pool.put({ id, family: 'gqa', instruction: id, program: 'A=SEG(image=IMAGE)', verdict: 'right', score: 0, origin: 'run' })
  }
  await db.close()
`

test('four processes open a fresh store at once and none of their writes is lost', async () => {
  const path = join(folder, 'shared.db')
  const face = new URL('./index.ts', import.meta.url).href
  const ends = ['a', 'b', 'c', 'd'].map((name) => run(['-e', WRITER, face, path, name]))
  for (const end of await Promise.all(ends)) assert.deepEqual(end, { code: 0, stderr: '' })
  const db = await openDb(path)
  const pool = demonstrationStore(db, 'home', countingClock())
  assert.equal((await pool.list('gqa')).length, 100)
  assert.equal(await pool.version(), 100)
  await db.close()
})

function run(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, ['--input-type=module', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })))
}
