import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { storeCases } from './cases.ts'
import { openDb } from './db.ts'

const server = process.env.PUPIL_TEST_POSTGRES
const skip = server === undefined ? 'no server: set PUPIL_TEST_POSTGRES' : undefined

storeCases('postgres', async (title) => fresh(title), skip)

/** A schema named by the hash of file and title, emptied when the test begins. */
async function fresh(title: string) {
  const hash = createHash('sha256').update(`stores/postgres/${title}`).digest('hex').slice(0, 16)
  const schema = `test_${hash}`
  const door = await openDb(server as string)
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(door.read)
  await door.close()
  return openDb(server as string, { schema })
}

test('a server that does not answer is said without its password', async () => {
  await assert.rejects(openDb('postgres://me:secret@127.0.0.1:1/db'), (error: Error) => {
    assert.match(error.message, /127\.0\.0\.1:1\/db does not answer/)
    assert.ok(!error.message.includes('secret'))
    return true
  })
})
