import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock, Json } from '../base/index.ts'
import { jobStore, migrate, openDb } from '../stores/index.ts'
import type { JobStore } from '../stores/index.ts'
import { runStages } from './staged.ts'
import { workOnce } from './worker.ts'
import type { JobHandler, WorkerParts } from './worker.ts'

/** Time stands still until it is set; nobody sleeps. */
function handClock(): Clock & { set: (now: number) => void } {
  let now = 1000
  return {
    ...{ now: () => now, tick: () => now, sleep: () => new Promise<void>(() => {}) },
    set: (to) => void (now = to),
  }
}

async function setting() {
  const clock = handClock()
  const db = await openDb(':memory:')
  await migrate(db, clock)
  const jobs = jobStore(db, 'home', clock)
  await jobs.add({ id: 'j1', kind: 'tune', key: 'glove', payload: { lesson: 'l1' } })
  return { clock, jobs, close: () => db.close() }
}

const worker = (
  jobs: JobStore,
  clock: Clock,
  tune: JobHandler,
  more: Partial<WorkerParts> = {},
): WorkerParts => ({
  ...{ jobs, clock, owner: 'w1', handlers: { tune }, leaseMs: 50 },
  ...more,
})

interface Count {
  readonly seen: readonly string[]
}

const stagesOf = (log: string[], dies?: string) =>
  ['collect', 'tune', 'prove', 'apply'].map((name) => ({
    name,
    run: async (state: Count): Promise<Count> => {
      log.push(name)
      if (name === dies) throw new Error(`died in ${name}`)
      return { seen: [...state.seen, name] }
    },
  }))

test('a job is done once, and a second look finds nothing', async () => {
  const { jobs, clock, close } = await setting()
  const log: Json[] = []
  const parts = worker(jobs, clock, async (job) => void log.push(job.payload))
  assert.equal((await workOnce(parts))?.outcome, 'done')
  assert.equal(await workOnce(parts), undefined)
  assert.deepEqual(log, [{ lesson: 'l1' }])
  await close()
})

for (const dies of ['collect', 'tune', 'prove', 'apply']) {
  test(`killed in stage ${dies}: the next worker goes on there and does nothing twice`, async () => {
    const { jobs, clock, close } = await setting()
    const log: string[] = []
    const first: Count = { seen: [] }
    const killed: JobHandler = (job, { keep }) =>
      new Promise((_, reject) => {
        // As after kill -9: nothing of the worker runs on, its lease stays as it was.
        runStages(job.progress, first, stagesOf(log, dies), { keep }).catch(() =>
          reject(new Error('the test goes on')),
        )
      })
    const taken = await jobs.claim('w1', 50)
    assert.ok(taken)
    const keep = async (progress: Json): Promise<void> => {
      await jobs.save('j1', 'w1', progress)
    }
    await assert.rejects(killed(taken, { keep, signal: new AbortController().signal }))
    clock.set(2000)
    let last: Count | undefined
    const again = worker(jobs, clock, async (job, context) => {
      last = await runStages(job.progress, first, stagesOf(log), context)
    })
    assert.equal((await workOnce({ ...again, owner: 'w2' }))?.outcome, 'done')
    assert.deepEqual(last?.seen, ['collect', 'tune', 'prove', 'apply'])
    const expected = ['collect', 'tune', 'prove', 'apply'].flatMap((name) =>
      name === dies ? [name, name] : [name],
    )
    assert.deepEqual(log, expected)
    await close()
  })
}

test('a worker that was believed dead writes nothing once another has its job', async () => {
  const { jobs, clock, close } = await setting()
  const slow = worker(jobs, clock, async (_, { keep }) => {
    clock.set(2000)
    await jobs.claim('w2', 50)
    await keep({ late: true })
  })
  assert.equal((await workOnce(slow))?.outcome, 'lost')
  assert.deepEqual([(await jobs.get('j1'))?.owner, (await jobs.get('j1'))?.progress], ['w2', null])
  await close()
})

test('a job that ends its worker again and again is given up', async () => {
  const { jobs, clock, close } = await setting()
  for (let i = 0; i < 5; i++) {
    await jobs.claim(`w${i}`, 50)
    clock.set(2000 + 100 * i)
  }
  const done = await workOnce(worker(jobs, clock, async () => assert.fail('not again')))
  assert.equal(done?.outcome, 'failed')
  assert.match(done?.error ?? '', /begun 5 times/)
  await close()
})

test('what fails keeps its reason, and what is stopped is given back', async () => {
  const { jobs, clock, close } = await setting()
  const controller = new AbortController()
  const stopped = worker(jobs, clock, async (_, { signal }) => {
    controller.abort()
    signal.throwIfAborted()
  })
  const { signal } = controller
  assert.equal((await workOnce(stopped, { signal }))?.outcome, 'released')
  const failing = worker(jobs, clock, async () => {
    throw new Error('no pictures')
  })
  assert.equal((await workOnce(failing))?.outcome, 'failed')
  assert.equal((await jobs.get('j1'))?.error, 'no pictures')
  await close()
})

test('a time-out inside a job is its failure, not the end of the worker', async () => {
  const { jobs, clock, close } = await setting()
  const slow = worker(jobs, clock, () =>
    Promise.reject(new DOMException('The search took too long.', 'TimeoutError')),
  )
  assert.equal((await workOnce(slow))?.outcome, 'failed')
  assert.equal((await jobs.get('j1'))?.error, 'The search took too long.')
  await close()
})

test('a lease that cannot be renewed stops the work', async () => {
  const { jobs, clock, close } = await setting()
  const deaf: JobStore = { ...jobs, renew: () => Promise.reject(new Error('the disk is gone')) }
  const hasty: Clock = { ...clock, sleep: async () => {} }
  const waits: JobHandler = (_, { signal }) =>
    new Promise((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error)
      else signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  assert.equal((await workOnce(worker(deaf, hasty, waits)))?.outcome, 'lost')
  await close()
})
