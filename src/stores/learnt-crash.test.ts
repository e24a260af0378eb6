import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createLearnt } from '../memory/index.ts'
import { countingClock } from './cases.ts'
import { openDb } from './db.ts'
import { learntStore } from './learnt-store.ts'
import { migrate } from './migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-crash-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const LABEL = `{ kind: 'label', id: 'a', key: 's', active: true, body: '{"id":"a"}', createdAt: 1 }`

/** Writes a label, then half of a lesson, and hangs in the middle of the transaction. */
const VICTIM = (path: string): string => `
  const { openDb } = await import(${JSON.stringify(new URL('./db.ts', import.meta.url).href)})
  const { learntStore } = await import(${JSON.stringify(new URL('./learnt-store.ts', import.meta.url).href)})
  const rows = learntStore(await openDb(${JSON.stringify(path)}), 'home')
  await rows.write((writer) => writer.put(${LABEL}))
  await rows.write(async (writer) => {
    await writer.put({ ...${LABEL}, kind: 'lesson', id: 'l1' })
    process.stdout.write('half')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })`

test('L12: killed in the middle of a lesson: it is absent, the label is there, and nothing is locked', async () => {
  const path = join(folder, 'pupil.db')
  const db = await openDb(path)
  await migrate(db, countingClock())
  await db.close()
  const child = spawn(process.execPath, ['--input-type=module', '-e', VICTIM(path)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const again = await openDb(path)
  const learnt = createLearnt(learntStore(again, 'home'))
  assert.deepEqual(await learnt.lessons(), [])
  assert.equal((await learnt.labels('s')).length, 1)
  await learnt.set('people', true)
  await again.close()
})
