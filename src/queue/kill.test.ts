import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Clock } from '../base/index.ts'
import { jobStore, migrate, openDb } from '../stores/index.ts'
import { runStages } from './staged.ts'
import { workOnce } from './worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-kill-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const STAGES = ['collect', 'tune', 'prove', 'apply'] as const
const at = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)

/** A clock that stands at a time; nobody sleeps. */
const standing = (now: number): Clock => ({
  ...{ now: () => now, tick: () => now, sleep: () => new Promise<void>(() => {}) },
})

/** A worker in a process of its own: it notes each stage that it begins and hangs in one of them. */
const VICTIM = (db: string, log: string): string => `
  const { appendFileSync } = await import('node:fs')
  const { openDb, jobStore } = await import(${at('../stores/index.ts')})
  const { runStages, workOnce } = await import(${at('./index.ts')})
  const clock = { now: () => 1000, tick: () => 1000, sleep: () => new Promise(() => {}) }
  const hangs = process.argv[1]
  const stages = ${JSON.stringify(STAGES)}.map((name) => ({
    name,
    run: async (state) => {
      appendFileSync(${JSON.stringify(log)}, name + ' ')
      if (name === hangs) {
        process.stdout.write('hangs')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      }
      return { seen: [...state.seen, name] }
    },
  }))
  await workOnce({
    jobs: jobStore(await openDb(${JSON.stringify(db)}), 'home', clock),
    clock, owner: 'victim', leaseMs: 50,
    handlers: { tune: async (job, context) => void (await runStages(job.progress, { seen: [] }, stages, context)) },
  })`

for (const stage of STAGES) {
  test(`kill -9 in stage ${stage}: the work is whole in the end, and what was done is not done again`, async () => {
    const [path, log] = [join(folder, `${stage}.db`), join(folder, `${stage}.log`)]
    const db = await openDb(path)
    await migrate(db, standing(0))
    await jobStore(db, 'home', standing(0)).add({ id: 'j', kind: 'tune', key: 'l1', payload: null })
    await db.close()
    const script = ['--input-type=module', '-e', VICTIM(path, log), stage]
    const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const again = await openDb(path)
    const clock = standing(2000)
    let seen: readonly string[] = []
    const stages = STAGES.map((name) => ({
      name,
      run: async (state: { seen: readonly string[] }) => {
        appendFileSync(log, `${name} `)
        return { seen: [...state.seen, name] }
      },
    }))
    const done = await workOnce({
      ...{ jobs: jobStore(again, 'home', clock), clock, owner: 'heir' },
      handlers: {
        tune: async (job, context) => {
          ;({ seen } = await runStages(job.progress, { seen: [] }, stages, context))
        },
      },
    })
    assert.deepEqual([done?.outcome, done?.job.attempts], ['done', 2])
    assert.deepEqual(seen, STAGES)
    const due = STAGES.flatMap((name) => (name === stage ? [name, name] : [name]))
    assert.deepEqual(readFileSync(log, 'utf8').trim().split(' '), due)
    await again.close()
  })
}
