import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { seededRandom, systemClock } from '../base/index.ts'
import { createImage, encodePicture } from '../image/index.ts'
import { createLearnt } from '../memory/index.ts'
import { learntStore, migrate, openDb } from '../stores/index.ts'
import { memorySource } from './acting-memory.ts'
import type { UserConfig } from './config.ts'
import { openPupil } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-lessons-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** A picture of noise about a colour. */
async function picture(colour: readonly number[], number: number): Promise<Uint8Array> {
  const random = seededRandom(`picture/${number}`)
  const data = Uint8Array.from({ length: 96 * 96 * 3 }, (_, i) =>
    Math.round((colour[i % 3] ?? 0) * random.next()),
  )
  return encodePicture(createImage(data, 96, 96), 'png')
}

const shelf = join(root, 'pictures')
const SHELF = { gizmo: [250, 90, 30], cup: [30, 90, 250], dog: [60, 220, 70], hat: [200, 200, 60] }
for (const [at, [name, colour]] of Object.entries(SHELF).entries()) {
  mkdirSync(join(shelf, name), { recursive: true })
  for (let i = 0; i < 4; i++) {
    writeFileSync(join(shelf, name, `${i}.png`), await picture(colour, 10 * at + i))
  }
}

const open = (home: string, config: UserConfig) =>
  openPupil({ cwd: root, env: { PUPIL_HOME: join(root, home) }, config })

test('a lesson is taught in a process of its own while this one answers, and its job is done once', async () => {
  const pupil = await open('process', {
    ...{ profile: 'starter', sources: { pictureFolder: shelf } },
    learning: { steps: 1, pictures: 1 },
  })
  const pictures = await Promise.all([40, 41, 42].map((i) => picture(SHELF.gizmo, i)))
  const lesson = await pupil.learning.teach({ tool: 'SELECT', concept: 'gizmo', pictures })
  const [waiting] = await pupil.learning.jobs.list()
  assert.deepEqual([waiting?.key, waiting?.state], [lesson.id, 'waiting'])
  const working = pupil.learning.jobs.processes({ once: true, note: (text) => assert.fail(text) })
  const run = await pupil.run(
    [await picture(SHELF.cup, 50)],
    "A=EVAL(expr='2 + 2')\nR=RESULT(var=A)",
  )
  assert.equal(run.outcome.status, 'done', 'answers go on meanwhile')
  await working
  const [job] = await pupil.learning.jobs.list()
  assert.deepEqual([job?.state, job?.attempts, job?.error], ['done', 1, null])
  const lessons = await pupil.learning.lessons()
  const made = lessons.find(({ supersedes }) => supersedes === lesson.id)
  assert.ok(made, 'seen here without a restart')
  assert.equal((made.validation as { readonly steps: number }).steps, 1)
  await pupil.learning.jobs.processes({ once: true })
  assert.equal((await pupil.learning.lessons()).length, lessons.length, 'nothing is taught twice')
  await pupil.close()
})

test('what only this process has is not given to others: own pictures, a store in memory', async () => {
  const memory = await open('memory', { store: ':memory:' })
  await assert.rejects(memory.learning.jobs.processes({ once: true }), { code: 'E_JOBS' })
  await memory.close()
})

test('where models take no prompts nothing is started and what waits is left to those that do', async () => {
  const starter = await open('profiles', { profile: 'starter' })
  const pictures = [await picture(SHELF.gizmo, 60)]
  await starter.learning.teach({ tool: 'SELECT', concept: 'gizmo', pictures })
  await starter.close()
  const photo = await open('profiles', { profile: 'photo' })
  await photo.learning.jobs.processes({ once: true, note: (text) => assert.fail(text) })
  const [job] = await photo.learning.jobs.list()
  assert.deepEqual([job?.state, job?.attempts], ['waiting', 0])
  await photo.close()
})

/** Another process applies a lesson with one prompt. */
const WRITER = (db: string): string => `
  const { openDb, learntStore } = await import(${JSON.stringify(new URL('../stores/index.ts', import.meta.url).href)})
  const { createLearnt } = await import(${JSON.stringify(new URL('../memory/index.ts', import.meta.url).href)})
  const store = await openDb(${JSON.stringify(db)})
  await createLearnt(learntStore(store, 'home')).add(
    {
      id: 'l1', version: 1, tool: 'SELECT', concept: 'gizmo', status: 'applied', feedback: null, source: null,
      author: 'me', verdict: null, examples: [], prompts: ['p1'], demonstrations: [], validation: null,
      effect: null, createdAt: 1,
    },
    {
      exemplars: [], demonstrations: [],
      prompts: [{
        id: 'p1', tool: 'SELECT', concept: 'gizmo', lesson: 'l1', feature: Float32Array.of(1, 0),
        prompt: Float32Array.of(7), shape: [1, 1], model: { name: 'm', hash: 'm' }, createdAt: 1,
      }],
    },
  )
  await store.close()`

test('a prompt that another process learnt acts in a running one at its next call', async () => {
  const path = join(root, 'shared.db')
  const db = await openDb(path)
  await migrate(db, systemClock)
  const { prompts } = memorySource(async () => createLearnt(learntStore(db, 'home')))
  const ask = { tool: 'SELECT', concept: 'gizmo', model: 'm', feature: Float32Array.of(1, 0) }
  assert.deepEqual(await prompts.near(ask), [])
  const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER(path)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const [near] = await prompts.near(ask)
  assert.deepEqual([near?.use.lesson, [...(near?.values ?? [])]], ['l1', [7]])
  await db.close()
})
