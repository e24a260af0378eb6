import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Exemplar } from '../memory/index.ts'
import { createLearnt } from '../memory/index.ts'
import { learntCases } from '../memory/learnt.cases.ts'
import { countingClock } from './cases.ts'
import type { Db } from './db.ts'
import { openDb } from './db.ts'
import { learntStore } from './learnt-store.ts'
import { migrate } from './migrations.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-learnt-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const server = process.env.PUPIL_TEST_POSTGRES
const skip = server === undefined ? 'no server: set PUPIL_TEST_POSTGRES' : undefined

async function ready(db: Db) {
  await migrate(db, countingClock())
  return { rows: learntStore(db, 'home'), close: () => db.close() }
}

learntCases('sqlite', async () => ready(await openDb(':memory:')))
learntCases('postgres', async (title) => ready(await freshSchema(title)), skip)

async function freshSchema(title: string): Promise<Db> {
  const hash = createHash('sha256').update(`stores/learnt/${title}`).digest('hex').slice(0, 16)
  const schema = `test_${hash}`
  const door = await openDb(server as string)
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(door.read)
  await door.close()
  return openDb(server as string, { schema })
}

test('a lesson never acts in another space, and is there after the file is opened again', async () => {
  const path = join(folder, 'pupil.db')
  const exemplar: Exemplar = {
    ...{ id: 'e1', kind: 'thing', concept: 'glove', positive: true, encoder: 'test' },
    ...{ feature: Float32Array.of(1, 2), picture: 'p', lesson: 'l1', author: 'me', createdAt: 1 },
  }
  const first = await openDb(path)
  await migrate(first, countingClock())
  const mine = createLearnt(learntStore(first, 'mine'))
  await mine.add(
    {
      ...{ id: 'l1', version: 1, tool: 'LOC', concept: 'glove', status: 'applied' },
      ...{ feedback: null, source: null, author: 'me', verdict: null, examples: ['e1'] },
      ...{ prompts: [], demonstrations: [], validation: null, effect: null, createdAt: 1 },
    },
    { exemplars: [exemplar], prompts: [], demonstrations: [] },
  )
  await first.close()
  const second = await openDb(path)
  const [again, others] = ['mine', 'yours'].map((space) => createLearnt(learntStore(second, space)))
  assert.deepEqual(await again?.exemplars(), [exemplar])
  assert.deepEqual(await others?.exemplars(), [])
  assert.deepEqual(await others?.lessons(), [])
  await second.close()
})
