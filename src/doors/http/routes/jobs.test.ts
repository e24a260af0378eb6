import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LearningJobs, Pupil } from '../../../app/index.ts'
import { json, openDoor, PICTURE } from '../open-door.cases.ts'
import { jobEvents } from './jobs.ts'

type Job = Awaited<ReturnType<LearningJobs['list']>>[number]

test('a lesson is queued for tuning once, and its job is listed, told and cancelled', async () => {
  const { ask, post, close } = await openDoor()
  const lesson = await json<{ id: string }>(
    await post('/v1/teach', { tool: 'LOC', concept: 'blue thing', pictures: [PICTURE] }),
  )
  const made = await ask(`/v1/lessons/${lesson.id}/tune`, { method: 'POST' })
  assert.equal(made.status, 202)
  const job = await json<{ id: string; state: string; lesson: string; stages: string[] }>(made)
  assert.deepEqual([job.state, job.lesson, job.stages], ['waiting', lesson.id, []])
  assert.deepEqual(await json(await ask(`/v1/lessons/${lesson.id}/tune`, { method: 'POST' })), job)
  assert.equal(made.headers.get('location'), `/v1/jobs/${job.id}`)
  assert.deepEqual(await json(await ask('/v1/jobs?state=waiting')), { jobs: [job] })
  assert.deepEqual(await json(await ask('/v1/jobs?state=done')), { jobs: [] })
  const stopped = await json<{ state: string }>(await post(`/v1/jobs/${job.id}/cancel`))
  assert.equal(stopped.state, 'cancelled')
  const events = await (await ask(`/v1/jobs/${job.id}/events`)).text()
  assert.match(events, /event: finish\nid: \d+\ndata: \{.*"state":"cancelled"/)
  for (const path of ['', '/events']) {
    assert.equal((await ask(`/v1/jobs/job_none${path}`)).status, 404)
  }
  await close()
})

const JOB: Job = {
  ...{ id: 'job_1', kind: 'tune', key: 'lesson_1', state: 'waiting', payload: {}, progress: null },
  ...{ owner: null, attempts: 0, leaseUntil: 0, error: null, createdAt: 1, updatedAt: 1 },
}
const KEPT = { picture: 'a', feature: 'AAAA', values: 'AAAA', shape: [1] }

/** A job that is elsewhere one state further at each look. */
function jobThat(...states: readonly Partial<Job>[]): Pick<Pupil, 'learning'> {
  let at = 0
  const get = async () => ({ ...JOB, ...states[Math.min(at++, states.length - 1)] })
  return { learning: { jobs: { get } } } as unknown as Pick<Pupil, 'learning'>
}

async function told(pupil: Pick<Pupil, 'learning'>, after: number) {
  const clock = { now: () => 0, tick: () => 0, sleep: async () => {} }
  const { signal } = new AbortController()
  const all = []
  for await (const { event, id, data } of jobEvents(pupil, 'job_1', { after, clock, signal })) {
    const { state, stages, tuned } = data as { state: string; stages: string[]; tuned: unknown }
    all.push({ event, id, state, stages, tuned })
  }
  return all
}

const collected = { done: ['collect'], state: { collected: { found: 4 } } }
const tuned = { done: ['collect', 'tune'], state: { tuned: { steps: 9, kept: [KEPT, KEPT] } } }
const STATES: readonly Partial<Job>[] = [
  { updatedAt: 5 },
  { updatedAt: 5 },
  { state: 'running', progress: collected, updatedAt: 7 },
  { state: 'done', progress: tuned, updatedAt: 9 },
]

test('a job is told whenever it changes, until it ends, without the numbers of its prompts', async () => {
  assert.deepEqual(await told(jobThat(...STATES), 0), [
    { event: 'progress', id: 5, state: 'waiting', stages: [], tuned: null },
    { event: 'progress', id: 7, state: 'running', stages: ['collect'], tuned: null },
    {
      ...{ event: 'finish', id: 9, state: 'done', stages: ['collect', 'tune'] },
      tuned: { steps: 9, kept: 2 },
    },
  ])
})

test('who comes back hears only what it has not heard, and always the end', async () => {
  const ids = (await told(jobThat(...STATES), 5)).map(({ id }) => id)
  assert.deepEqual(ids, [7, 9])
  assert.deepEqual(
    (await told(jobThat(STATES[3] ?? {}), 9)).map(({ event }) => event),
    ['finish'],
  )
})
