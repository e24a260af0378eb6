import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Run, Step } from '../agents/index.ts'
import type { Clock } from '../base/index.ts'
import type { Demonstration } from '../memory/index.ts'
import { accessCases } from './access.cases.ts'
import type { Db } from './db.ts'
import { demonstrationStore } from './demonstration-store.ts'
import { jobCases } from './job-cases.ts'
import { migrate, migrationCount } from './migrations.ts'
import { pictureStore } from './picture-store.ts'
import { packValue, unpackRun } from './run-json.ts'
import type { Image } from './run-json.ts'
import { runStore } from './run-store.ts'

/** A clock that counts, so that order is certain. */
export function countingClock(): Clock {
  let now = 1_700_000_000_000
  return { now: () => now++, tick: () => now, sleep: async () => {} }
}

/**
 * The suite that every backend passes.
 *
 * @param open  gives a fresh, empty database for the test of that title
 */
export function storeCases(
  name: string,
  open: (title: string) => Promise<Db>,
  skip?: string,
): void {
  const check = (title: string, body: (db: Db) => Promise<void>): void => {
    test(`${name}: ${title}`, skip === undefined ? {} : { skip }, async () => {
      const db = await open(title)
      try {
        await migrate(db, countingClock())
        await body(db)
      } finally {
        await db.close()
      }
    })
  }
  migrationCases(check)
  runCases(check)
  spaceCases(check)
  pictureCases(check)
  demonstrationCases(check)
  jobCases(check)
  accessCases(check)
}

export type Check = (title: string, body: (db: Db) => Promise<void>) => void

function migrationCases(check: Check): void {
  check('migrating twice applies nothing the second time', async (db) => {
    assert.deepEqual(await migrate(db, countingClock()), [])
    const rows = await db.read.selectFrom('migrations').select('number').orderBy('number').execute()
    assert.equal(rows.length, migrationCount)
  })
  check('a store of a later version is refused, not guessed at', async (db) => {
    await db.write(async (writer) => {
      await writer
        .insertInto('migrations')
        .values({ number: 999, name: 'later', applied_at: 0 })
        .execute()
    })
    await assert.rejects(migrate(db, countingClock()), { code: 'E_STORE_NEWER' })
  })
  check('a write that fails leaves nothing behind', async (db) => {
    const store = runStore(db, 'home', countingClock())
    const work = db.write(async (writer) => {
      await sql`insert into counters (space, name, value) values ('home', 'x', 1)`.execute(writer)
      throw new Error('stop')
    })
    await assert.rejects(work, /stop/)
    assert.deepEqual(await db.read.selectFrom('counters').selectAll().execute(), [])
    assert.deepEqual(await store.list(), [])
  })
}

function runCases(check: Check): void {
  check('a run comes back as it was saved, pictures by reference', async (db) => {
    const store = runStore(db, 'home', countingClock())
    const run = sampleRun('run_a')
    await store.save(run)
    const stored = await store.get('run_a')
    assert.ok(stored)
    const { unfinished, ...packed } = stored
    assert.equal(unfinished, undefined)
    assert.deepEqual(JSON.parse(JSON.stringify(packed)), JSON.parse(JSON.stringify(packValue(run))))
    const back = await unpackRun(packed, async (image) => ({ ...image, data: PIXELS }))
    assert.deepEqual(back.task.inputs.IMAGE, run.task.inputs.IMAGE)
    assert.ok(!JSON.stringify(packed).includes('"data"'))
  })
  check('a run whose process died is readable up to its last step', async (db) => {
    const store = runStore(db, 'home', countingClock())
    const run = sampleRun('run_b')
    await store.begin(run)
    await store.append('run_b', 0, run.steps[0] as Step)
    const stored = await store.get('run_b')
    assert.equal(stored?.unfinished, true)
    assert.equal(stored?.steps.length, 1)
    assert.equal(stored?.outcome.status, 'aborted')
    assert.equal((await store.list())[0]?.status, 'open')
  })
  check('runs are listed newest first, page by page', async (db) => {
    const store = runStore(db, 'home', countingClock())
    for (let n = 0; n < 5; n++) await store.save({ ...sampleRun(`run_${n}`), createdAt: 100 + n })
    const first = await store.list({ limit: 2 })
    assert.deepEqual(
      first.map((one) => one.id),
      ['run_4', 'run_3'],
    )
    const rest = await store.list({ before: 'run_3' })
    assert.deepEqual(
      rest.map((one) => one.id),
      ['run_2', 'run_1', 'run_0'],
    )
    assert.deepEqual(await store.list({ family: 'nlvr' }), [])
    await assert.rejects(store.list({ before: 'run_x' }), { code: 'E_NO_RUN' })
  })
  check('the beginning of an id finds the run; its underscore is no wildcard', async (db) => {
    const store = runStore(db, 'home', countingClock())
    await store.save(sampleRun('run_abc'))
    await store.save(sampleRun('run_abd'))
    await store.save(sampleRun('runxab'))
    assert.deepEqual(await store.complete('run_ab'), ['run_abc', 'run_abd'])
  })
  check('a removed run takes its steps along', async (db) => {
    const store = runStore(db, 'home', countingClock())
    await store.save(sampleRun('run_a'))
    assert.equal(await store.remove('run_a'), true)
    assert.equal(await store.remove('run_a'), false)
    assert.deepEqual(await db.read.selectFrom('run_steps').selectAll().execute(), [])
    assert.deepEqual(await db.read.selectFrom('run_pictures').selectAll().execute(), [])
  })
  check('finishing a run that was never begun is an error', async (db) => {
    const store = runStore(db, 'home', countingClock())
    await assert.rejects(store.finish('run_none', sampleRun('run_none')), { code: 'E_NO_RUN' })
  })
}

function spaceCases(check: Check): void {
  check('nothing of one space is seen from another', async (db) => {
    const [mine, theirs] = ['mine', 'theirs'].map((space) => ({
      runs: runStore(db, space, countingClock()),
      demonstrations: demonstrationStore(db, space, countingClock()),
      pictures: pictureStore(db, space, countingClock()),
    })) as [Space, Space]
    await mine.runs.save(sampleRun('run_a'))
    await mine.demonstrations.put(demonstration('d1'))
    await mine.pictures.put(PICTURE)
    assert.equal(await theirs.runs.get('run_a'), undefined)
    assert.deepEqual(await theirs.runs.list(), [])
    assert.deepEqual(await theirs.runs.complete('run_'), [])
    assert.equal(await theirs.runs.remove('run_a'), false)
    assert.deepEqual(await theirs.demonstrations.list('gqa'), [])
    assert.equal(await theirs.demonstrations.get('d1'), undefined)
    assert.equal(await theirs.demonstrations.version(), 0)
    assert.equal(await theirs.pictures.get(PICTURE.hash), undefined)
    assert.equal(await theirs.pictures.byBlob(PICTURE.blob), undefined)
    await theirs.runs.save(sampleRun('run_a'))
    assert.ok(await mine.runs.get('run_a'))
  })
}

interface Space {
  readonly runs: ReturnType<typeof runStore>
  readonly demonstrations: ReturnType<typeof demonstrationStore>
  readonly pictures: ReturnType<typeof pictureStore>
}

function pictureCases(check: Check): void {
  check('a picture is found by its own address and by that of its bytes', async (db) => {
    const store = pictureStore(db, 'home', countingClock())
    await store.put(PICTURE)
    await store.put(PICTURE)
    assert.deepEqual(await store.get(PICTURE.hash), PICTURE)
    assert.deepEqual((await db.read.selectFrom('pictures').select('hash').execute()).length, 1)
    assert.deepEqual(await store.byBlob(PICTURE.blob), PICTURE)
  })
  check('pruning gives back the blobs that no run and no other space uses', async (db) => {
    const clock = countingClock()
    const home = pictureStore(db, 'home', clock)
    const away = pictureStore(db, 'away', clock)
    const used = { ...PICTURE, hash: IMAGE.hash, blob: 'used' }
    await home.put(used)
    await home.put({ ...PICTURE, hash: 'loose', blob: 'loose' })
    await home.put({ ...PICTURE, hash: 'shared', blob: 'shared' })
    await away.put({ ...PICTURE, hash: 'shared', blob: 'shared' })
    await runStore(db, 'home', clock).save(sampleRun('run_a'))
    assert.deepEqual(await home.prune(0), [], 'what is newer than the mark is left')
    assert.deepEqual(await home.prune(clock.now()), ['loose'])
    assert.ok(await home.get(IMAGE.hash))
    assert.equal(await home.get('shared'), undefined)
    assert.ok(await away.get('shared'))
  })
}

function demonstrationCases(check: Check): void {
  check(
    'demonstrations come in order of id, and an equal right one is not added twice',
    async (db) => {
      const pool = demonstrationStore(db, 'home', countingClock())
      await pool.put(demonstration('b'))
      await pool.put({ ...demonstration('B'), instruction: 'Another' })
      await pool.put({ ...demonstration('a'), instruction: ' how many CUPS? ' })
      assert.deepEqual(
        (await pool.list('gqa')).map((one) => one.id),
        ['B', 'b'],
      )
      const wrong = { ...demonstration('w1'), verdict: 'wrong', critique: 'counts cups' } as const
      await pool.put(wrong)
      await pool.put({ ...wrong, id: 'w2', critique: 'looks left' })
      assert.equal((await pool.list('gqa')).length, 4)
      assert.deepEqual(await pool.get('w1'), wrong)
    },
  )
  check('every write of a demonstration changes the version', async (db) => {
    const pool = demonstrationStore(db, 'home', countingClock())
    const versions = [await pool.version()]
    await pool.put(demonstration('a'))
    versions.push(await pool.version())
    await pool.put({ ...demonstration('a'), score: 5 })
    versions.push(await pool.version())
    await pool.remove('a')
    versions.push(await pool.version())
    assert.equal(new Set(versions).size, 4)
    assert.equal(await pool.get('a'), undefined)
  })
}

const PIXELS = new Uint8Array(2 * 1 * 3).fill(7)
const IMAGE: Image = {
  type: 'image',
  ...{ width: 2, height: 1, data: PIXELS, hash: 'a'.repeat(64) },
  frame: { id: 'f', original: 'f', x: 0, y: 0, width: 2, height: 1, scale: [2, 2] },
}
const PICTURE = {
  ...{ hash: 'b'.repeat(64), blob: 'c'.repeat(64), type: 'image/png' },
  ...{ size: 80, width: 2, height: 1 },
}

function demonstration(id: string): Demonstration {
  return {
    ...{ id, family: 'gqa', instruction: 'How many cups?', program: 'A=SEG(image=IMAGE)' },
    ...{ verdict: 'right', score: 0, origin: 'run', createdAt: 5 },
  }
}

function sampleRun(id: string): Run {
  const step: Step = {
    ...{ kind: 'call', index: 0, step: 1, line: 1, path: [], output: 'A', tool: 'CROP' },
    args: [{ name: 'image', source: 'IMAGE', value: IMAGE }],
    result: IMAGE,
    ...{ notices: [], start: 1, ms: 2, prompts: [], models: [] },
  }
  return {
    ...{ id, agent: 'programs', createdAt: 1_700_000_000_000, version: '0.1.0' },
    task: {
      ...{ agent: 'programs', family: 'gqa', instruction: "Is it the cat's? ☂", seed: 1 },
      inputs: { IMAGE },
    },
    steps: [step],
    outcome: { status: 'done', value: 'yes', answer: 'yes' },
    cost: { calls: 0, tokens: 0, seconds: 0.5, money: 0, pictures: 1 },
    ...{ models: [], lessonsUsed: [], warnings: ['W'] },
  }
}
