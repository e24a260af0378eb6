import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../base/index.ts'
import { jobStore, migrate, openDb } from '../stores/index.ts'
import { runProcesses } from './run-processes.ts'
import { startWorkerProcess } from './worker-process.ts'
import type { ProcessEnd, WorkerProcess } from './worker-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-processes-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const STAGES = ['collect', 'tune', 'prove', 'apply'] as const
const at = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)

/** Time stands; a sleep ends only when it is aborted. */
const clock: Clock = {
  ...{ now: () => 1000, tick: () => 1000 },
  sleep: (_, signal) =>
    new Promise((_resolve, reject) => {
      const stop = (): void => reject(signal?.reason as Error)
      if (signal?.aborted === true) stop()
      signal?.addEventListener('abort', stop, { once: true })
    }),
}

/** Notes each stage that it begins; the payload says what becomes of a first attempt. */
const ENTRY = `
import { appendFileSync } from 'node:fs'
import { openDb, jobStore } from ${at('../stores/index.ts')}
import { runStages, workAsProcess, workOnce } from ${at('./index.ts')}
const clock = { now: () => 1000, tick: () => 1000, sleep: () => new Promise(() => {}) }
const forever = (signal) => new Promise((_, reject) => {
  setInterval(() => {}, 60_000)
  signal.addEventListener('abort', () => reject(signal.reason))
})
workAsProcess(async ({ db, log }, { owner, signal }) => {
  const jobs = jobStore(await openDb(db), 'home', clock)
  const tune = async (job, { keep, signal }) => {
    const { kills, hangs, grows } = job.payload
    const stages = ${JSON.stringify(STAGES)}.map((name) => ({
      name,
      run: async (state) => {
        appendFileSync(log, job.id + '/' + name + ' ')
        if (kills === name && job.attempts === 1) process.kill(process.pid, 'SIGKILL')
        if (hangs === name) await forever(signal)
        if (grows === name) {
          const held = Array.from({ length: 40 }, () => Buffer.alloc(8 * 2 ** 20, 1))
          await forever(signal)
          return { held: held.length }
        }
        return state
      },
    }))
    await runStages(job.progress, {}, stages, { keep, signal })
  }
  const parts = { jobs, clock, owner, mostAttempts: 2, handlers: { tune } }
  while ((await workOnce(parts, { signal })) !== undefined);
})`
const entry = join(folder, 'entry.mjs')
writeFileSync(entry, ENTRY)

async function setting(name: string) {
  const [path, log] = [join(folder, `${name}.db`), join(folder, `${name}.log`)]
  appendFileSync(log, '')
  const db = await openDb(path)
  await migrate(db, clock)
  const jobs = jobStore(db, 'home', clock)
  const started: WorkerProcess[] = []
  const notes: string[] = []
  const start =
    (owner: string, mostBytes = 2 ** 30) =>
    (): WorkerProcess => {
      const one = startWorkerProcess({
        ...{ entry: pathToFileURL(entry), owner: `${owner}${started.length}`, mostBytes },
        setup: { db: path, log },
      })
      started.push(one)
      return one
    }
  const parts = { jobs, clock, kinds: ['tune'], note: (text: string) => void notes.push(text) }
  const told = (): string[] => readFileSync(log, 'utf8').trim().split(' ')
  return { jobs, parts, start, started, notes, told, close: () => db.close() }
}

const whole = (id: string, twice?: string): readonly string[] =>
  STAGES.flatMap((name) =>
    name === twice ? [`${id}/${name}`, `${id}/${name}`] : [`${id}/${name}`],
  )

for (const kills of STAGES) {
  test(`kill -9 in stage ${kills}: another process is started, goes on there, and nothing is done twice`, async () => {
    const { jobs, parts, start, started, notes, told, close } = await setting(`kill-${kills}`)
    await jobs.add({ id: 'j', kind: 'tune', key: 'glove', payload: { kills } })
    await runProcesses({ ...parts, start: start('w') }, { once: true })
    assert.deepEqual(told(), whole('j', kills))
    const job = await jobs.get('j')
    assert.deepEqual([job?.state, job?.attempts, job?.error], ['done', 2, null])
    assert.equal(started.length, 2)
    assert.match(notes.join(), /signal SIGKILL/)
    await close()
  })
}

test('two programs with workers of their own teach each lesson once', async () => {
  const { jobs, parts, start, told, close } = await setting('two')
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const id of ids) await jobs.add({ id, kind: 'tune', key: id, payload: {} })
  await Promise.all(
    ['one', 'two'].map((who) => runProcesses({ ...parts, start: start(who) }, { once: true })),
  )
  assert.deepEqual(told().toSorted(), ids.flatMap((id) => whole(id)).toSorted())
  assert.equal((await jobs.list()).filter(({ state }) => state === 'done').length, ids.length)
  await close()
})

test('a process over its cap ends itself; a job that needs more again and again is given up with that reason', async () => {
  const { jobs, parts, start, notes, told, close } = await setting('memory')
  await jobs.add({ id: 'j', kind: 'tune', key: 'glove', payload: { grows: 'tune' } })
  await jobs.add({ id: 'k', kind: 'tune', key: 'cup', payload: {} })
  await runProcesses({ ...parts, start: start('w', 250 * 2 ** 20) }, { once: true })
  const [j, k] = [await jobs.get('j'), await jobs.get('k')]
  assert.equal(j?.state, 'failed')
  assert.match(j?.error ?? '', /begun 2 times.*took more memory than it may/)
  assert.equal(k?.state, 'done', 'what comes after goes on')
  assert.equal(told().filter((one) => one === 'j/collect').length, 1, 'and nothing before is lost')
  assert.match(notes.join(), /more memory/)
  await close()
})

test('stopped by the program, a process gives its job back behind the last stage', async () => {
  const { jobs, parts, start, told, close } = await setting('stop')
  await jobs.add({ id: 'j', kind: 'tune', key: 'glove', payload: { hangs: 'prove' } })
  const stop = new AbortController()
  const running = runProcesses({ ...parts, start: start('w') }, { signal: stop.signal })
  const kept = async (): Promise<unknown> => (await jobs.get('j'))?.progress
  while (JSON.stringify(await kept())?.includes('tune') !== true) await new Promise(setImmediate)
  stop.abort()
  await running
  const job = await jobs.get('j')
  assert.deepEqual([job?.state, job?.owner, job?.attempts], ['waiting', null, 0])
  assert.deepEqual((job?.progress as { done: unknown }).done, ['collect', 'tune'])
  assert.ok(told().includes('j/tune'))
  await close()
})

test('a process that cannot even begin is started again after longer and longer waits', async () => {
  const { jobs, parts, close } = await setting('broken')
  await jobs.add({ id: 'j', kind: 'tune', key: 'glove', payload: {} })
  const stop = new AbortController()
  const waits: number[] = []
  const eager: Clock = {
    ...clock,
    sleep: async (ms) => {
      waits.push(ms)
      if (ms >= 8000) stop.abort()
      await new Promise(setImmediate)
    },
  }
  const died: ProcessEnd = { kind: 'died', how: 'exit code 1' }
  const start = (): WorkerProcess => ({
    ...{ owner: 'w', pid: undefined, ended: Promise.resolve(died), stop: () => {} },
  })
  await runProcesses({ ...parts, clock: eager, start }, { signal: stop.signal })
  assert.deepEqual(
    waits.filter((ms) => ms > 1000),
    [2000, 4000, 8000],
  )
  assert.equal((await jobs.get('j'))?.state, 'waiting')
  await close()
})
