import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countingClock, storeCases } from './cases.ts'
import { openDb } from './db.ts'
import { migrate } from './migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-stores-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

storeCases('sqlite in memory', () => openDb(':memory:'))
storeCases('sqlite in a file', () => openDb(join(folder, `${files++}.db`)))

test('a folder that cannot be made is said by name, with the way out', async () => {
  const blocked = join(folder, 'plain-file')
  writeFileSync(blocked, '')
  await assert.rejects(openDb(join(blocked, 'pupil.db')), {
    name: 'Unavailable',
    code: 'E_DATA_FOLDER',
    cure: 'Give a folder that can be written, with --data or PUPIL_HOME.',
  })
})

test('a file that is no database is said, and left alone', async () => {
  const path = join(folder, 'letter.db')
  writeFileSync(path, 'Dear database, '.repeat(100))
  await assert.rejects(openDb(path), { code: 'E_DATA_FOLDER', message: /not a SQLite file/ })
})

test('a full disk ends the write with a clear error, and what was there stays', async () => {
  const db = await openDb(join(folder, 'full.db'))
  await migrate(db, countingClock())
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.read)
  await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 4}`).execute(db.read)
  const body = 'x'.repeat(100_000)
  const put = (name: string, text: string) =>
    db.write((writer) =>
      writer
        .insertInto('demonstrations')
        .values({
          ...{ space: 'home', id: name, family: 'gqa', verdict: 'wrong', digest: null },
          ...{ body: text, created_at: 0 },
        })
        .execute(),
    )
  await put('small', '{}')
  await assert.rejects(put('big', body), {
    name: 'Unavailable',
    code: 'E_DATA_FOLDER',
    message: /the disk is full/,
    cure: 'Free some space and try again.',
  })
  const left = await db.read.selectFrom('demonstrations').select('id').execute()
  assert.deepEqual(left, [{ id: 'small' }])
  await db.close()
})

test('an address of another kind is refused', async () => {
  await assert.rejects(openDb('mysql://host/db'), { code: 'E_STORE' })
})
