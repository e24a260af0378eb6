import assert from 'node:assert/strict'
import type { Clock } from '../base/index.ts'
import type { Db } from './db.ts'
import type { NewJob } from './job-store.ts'
import { jobStore } from './job-store.ts'

/** A clock that is set by hand. */
function handClock(): Clock & { set: (now: number) => void } {
  let now = 1000
  return {
    ...{ now: () => now, tick: () => now, sleep: async () => {} },
    set: (to) => void (now = to),
  }
}

const job = (id: string, key = id): NewJob => ({ id, kind: 'tune', key, payload: { lesson: key } })

/** What every store of jobs must do. */
export function jobCases(check: Check): void {
  check('there is one job of a kind and key, however often it is asked for', async (db) => {
    const jobs = jobStore(db, 'home', handClock())
    assert.equal((await jobs.add(job('a', 'glove'))).added, true)
    const second = await jobs.add(job('b', 'glove'))
    assert.deepEqual([second.added, second.job.id], [false, 'a'])
    const [one, none] = [await jobs.claim('w1', 50), await jobs.claim('w2', 50)]
    assert.deepEqual([one?.id, one?.payload, none], ['a', { lesson: 'glove' }, undefined])
    assert.equal(await jobs.finish('a', 'w1'), true)
    assert.equal((await jobs.add(job('c', 'glove'))).added, false, 'done is done')
    assert.equal(await jobStore(db, 'other', handClock()).claim('w1', 50), undefined)
  })
  check('a job whose worker died goes on where the last stage ended', async (db) => {
    const clock = handClock()
    const jobs = jobStore(db, 'home', clock)
    await jobs.add(job('a'))
    await jobs.claim('w1', 50)
    assert.equal(await jobs.save('a', 'w1', { stage: 'collected' }), true)
    clock.set(1049)
    assert.equal(await jobs.claim('w2', 50), undefined, 'its lease still runs')
    assert.equal(await jobs.renew('a', 'w1', 50), true)
    clock.set(1099)
    const again = await jobs.claim('w2', 50)
    assert.deepEqual([again?.progress, again?.attempts], [{ stage: 'collected' }, 2])
    assert.equal(await jobs.save('a', 'w1', { stage: 'late' }), false, 'it is no longer w1’s')
    assert.equal(await jobs.finish('a', 'w1'), false)
    assert.deepEqual((await jobs.get('a'))?.progress, { stage: 'collected' })
  })
  check('workers that come at once each take another job', async (db) => {
    const jobs = jobStore(db, 'home', handClock())
    for (const id of ['a', 'b', 'c']) await jobs.add(job(id))
    const taken = await Promise.all(['w1', 'w2', 'w3', 'w4'].map((who) => jobs.claim(who, 50)))
    const ids = taken.flatMap((one) => (one === undefined ? [] : [one.id]))
    assert.deepEqual(ids.toSorted(), ['a', 'b', 'c'])
  })
  check('a failed job is tried again only when it is asked for again', async (db) => {
    const jobs = jobStore(db, 'home', handClock())
    await jobs.add(job('a'))
    await jobs.claim('w1', 50)
    await jobs.finish('a', 'w1', 'no pictures')
    assert.equal(await jobs.claim('w1', 50), undefined)
    assert.equal((await jobs.get('a'))?.error, 'no pictures')
    assert.equal((await jobs.add(job('b', 'a'))).added, true)
    const again = await jobs.claim('w1', 50)
    assert.deepEqual([again?.id, again?.error], ['a', null])
  })
  check(
    'a cancelled job is no worker’s, and one that is given back is the next one’s',
    async (db) => {
      const jobs = jobStore(db, 'home', handClock())
      await jobs.add(job('a'))
      await jobs.claim('w1', 50)
      assert.equal(await jobs.release('a', 'w1'), true)
      const again = await jobs.claim('w2', 50)
      assert.deepEqual([again?.id, again?.attempts], ['a', 1])
      assert.equal(await jobs.cancel('a'), true)
      assert.equal(await jobs.save('a', 'w2', 1), false)
      assert.equal(await jobs.claim('w3', 50, ['tune']), undefined)
      assert.deepEqual(
        (await jobs.list()).map(({ id, state }) => [id, state]),
        [['a', 'cancelled']],
      )
    },
  )
  deathCases(check)
}

type Check = (title: string, body: (db: Db) => Promise<void>) => void

/** What becomes of jobs whose worker is known to be dead. */
function deathCases(check: Check): void {
  check(
    'what a dead worker had is free at once, with the reason, and counts as begun',
    async (db) => {
      const jobs = jobStore(db, 'home', handClock())
      await jobs.add(job('a'))
      await jobs.add(job('b'))
      assert.equal(await jobs.claimable(), 2)
      await jobs.claim('w1', 50)
      assert.deepEqual([await jobs.claimable(), await jobs.claimable(['other'])], [1, 0])
      assert.equal(await jobs.abandon('w2'), 0, 'it had none')
      assert.equal(await jobs.abandon('w1', 'it took too much memory'), 1)
      assert.equal(await jobs.save('a', 'w1', 1), false, 'it is no longer w1’s')
      assert.equal(await jobs.claimable(), 2)
      const again = await jobs.claim('w2', 50)
      assert.deepEqual(
        [again?.id, again?.attempts, again?.error],
        ['a', 2, 'it took too much memory'],
      )
      assert.equal(await jobs.finish('a', 'w2'), true)
      assert.equal((await jobs.get('a'))?.error, null)
    },
  )
}
