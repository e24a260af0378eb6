import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { json, openDoor, PICTURE } from '../open-door.cases.ts'

const photo = async (name: string) => {
  const path = new URL(`../../../../test/fixtures/photos/${name}.jpg`, import.meta.url)
  return { base64: (await readFile(fileURLToPath(path))).toString('base64'), name: `${name}.jpg` }
}

interface Lesson {
  readonly id: string
  readonly version: number
  readonly status: string
}
interface Shown {
  readonly lesson: Lesson
  readonly examples: readonly { at: number; picture: string; positive: boolean; leftOut?: string }[]
}
interface Concept {
  readonly tool: string
  readonly concept: string
  readonly lessons: readonly Lesson[]
  readonly examples: readonly { id: string; acts: boolean; picture: string; feature?: unknown }[]
}

test('what teaching would do is shown first, then taught without the example that was unticked', async () => {
  const { ask, post, close } = await openDoor()
  const given = {
    ...{ tool: 'LOC', concept: 'Space Suit' },
    pictures: [await photo('astronaut'), PICTURE],
    boxes: [[10, 10, 300, 300], null],
  }
  const response = await post('/v1/lessons/preview', given)
  assert.equal(response.status, 200)
  const { lesson, examples } = await json<Shown>(response)
  assert.equal(lesson.status, 'applied')
  assert.deepEqual(
    examples.map(({ at, positive, leftOut }) => [at, positive, leftOut]),
    [
      [0, true, undefined],
      [1, true, undefined],
    ],
  )
  assert.deepEqual(await json(await ask('/v1/lessons')), { lessons: [] })
  for (const { picture } of examples) {
    assert.equal((await ask(`/v1/blobs/${picture}?side=64`)).status, 200)
  }
  const none = await post('/v1/teach', { ...given, without: [0, 1] })
  assert.deepEqual([none.status, (await json<{ code: string }>(none)).code], [400, 'E_LESSON'])
  const left = await json<Shown>(await post('/v1/lessons/preview', { ...given, without: [1] }))
  assert.deepEqual(
    left.examples.map(({ leftOut }) => leftOut),
    [undefined, 'person'],
  )
  const made = await post('/v1/teach', { ...given, without: [1] })
  assert.equal(made.status, 201)
  const taught = await json<Lesson>(made)
  const concept = await json<Concept>(await ask('/v1/concepts/LOC/space%20suit'))
  assert.deepEqual(
    concept.lessons.map(({ id }) => id),
    [taught.id],
  )
  assert.deepEqual(
    concept.examples.map(({ picture, acts }) => [picture, acts]),
    [[examples[0]?.picture, true]],
  )
  assert.ok(!('feature' in (concept.examples[0] ?? {})))
  await close()
})

test('a concept goes back to an earlier version, and is forgotten whole', async () => {
  const { ask, post, close } = await openDoor()
  const given = { tool: 'LOC', concept: 'blue thing', pictures: [PICTURE] }
  for (const _ of [1, 2, 3]) assert.equal((await post('/v1/teach', given)).status, 201)
  const cards = await json<{ concepts: { acting: number[]; positives: number }[] }>(
    await ask('/v1/concepts?words=loc%20blue'),
  )
  assert.deepEqual(
    cards.concepts.map(({ acting, positives }) => [acting, positives]),
    [[[1, 2, 3], 3]],
  )
  assert.deepEqual(await json(await ask('/v1/concepts?words=green')), { concepts: [] })
  const back = await json<Concept>(
    await post('/v1/concepts/LOC/blue%20thing/rollback', { version: 1 }),
  )
  assert.deepEqual(
    back.lessons.map(({ version, status }) => [version, status]),
    [
      [1, 'applied'],
      [2, 'undone'],
      [3, 'undone'],
    ],
  )
  const forth = await json<Concept>(
    await post('/v1/concepts/LOC/blue%20thing/rollback', { version: 3 }),
  )
  assert.equal(forth.lessons[2]?.status, 'applied')
  const none = await post('/v1/concepts/LOC/blue%20thing/rollback', { version: 9 })
  assert.equal(none.status, 400)
  const gone = await json<{ lessons: string[] }>(
    await post('/v1/forget', { concept: 'blue thing' }),
  )
  assert.equal(gone.lessons.length, 3)
  assert.equal((await ask('/v1/concepts/LOC/blue%20thing')).status, 404)
  assert.equal((await post('/v1/forget', { concept: 'blue thing' })).status, 404)
  await close()
})

test('a lesson is carried from one Pupil to another as a zip, and what is none is refused', async () => {
  const one = await openDoor()
  const other = await openDoor()
  const lesson = await json<Lesson>(
    await one.post('/v1/teach', { tool: 'LOC', concept: 'blue thing', pictures: [PICTURE] }),
  )
  const zip = await one.ask(`/v1/lessons/${lesson.id}/export`)
  const bytes = Buffer.from(await zip.arrayBuffer())
  const send = (body: Uint8Array<ArrayBuffer>, type = 'application/zip') =>
    other.ask('/v1/lessons/import', { method: 'POST', body, headers: { 'content-type': type } })
  assert.equal((await send(bytes, 'text/plain')).status, 415)
  const broken = await send(bytes.subarray(0, 40))
  assert.deepEqual(
    [broken.status, (await json<{ code: string }>(broken)).code],
    [400, 'E_LESSON_FILE'],
  )
  assert.equal((await send(bytes)).status, 201)
  const again = await send(bytes)
  assert.deepEqual([again.status, (await json<{ code: string }>(again)).code], [400, 'E_LESSON'])
  const listed = await json<{ lessons: Lesson[] }>(await other.ask('/v1/lessons?tool=LOC'))
  assert.deepEqual(
    listed.lessons.map(({ id }) => id),
    [lesson.id],
  )
  await one.close()
  await other.close()
})

test('people are recognised only after somebody turned it on', async () => {
  const { ask, post, close } = await openDoor()
  assert.deepEqual(await json(await ask('/v1/people')), { enabled: false, people: [] })
  const refused = await post('/v1/people', { name: 'Eileen', picture: PICTURE })
  assert.deepEqual(
    [refused.status, (await json<{ code: string }>(refused)).code],
    [400, 'E_PEOPLE'],
  )
  const on = await ask('/v1/people', {
    method: 'PUT',
    body: '{"enabled":true}',
    headers: { 'content-type': 'application/json' },
  })
  assert.deepEqual(await json(on), { enabled: true, people: [] })
  assert.equal((await ask('/v1/people/Nobody', { method: 'DELETE' })).status, 404)
  await close()
})

test('the examples of a correction are shown before it is learnt, and those unticked are left out', async () => {
  const { ask, post, close } = await openDoor()
  const program = 'BOX=LOC(image=IMAGE,object="dog")\nFINAL_RESULT=COUNT(box=BOX)'
  const { run } = await json<{ run: string }>(
    await post('/v1/runs?wait=true', {
      program: `${program}\nR=RESULT(var=FINAL_RESULT)`,
      pictures: [PICTURE],
    }),
  )
  const given = {
    target: { kind: 'step', index: 0 },
    expected: {
      boxes: [
        [0, 0, 50, 40],
        [50, 0, 100, 80],
      ],
    },
  }
  const send = async (more: object) =>
    json<Shown & { lesson: { examples: string[] } }>(
      await post(`/v1/runs/${run}/corrections`, { ...given, ...more }),
    )
  const shown = await send({ preview: true })
  assert.deepEqual(
    shown.examples.map(({ at }) => at),
    [0, 1],
  )
  assert.deepEqual(await json(await ask('/v1/lessons')), { lessons: [] })
  const taught = await send({ without: [0] })
  assert.deepEqual(
    taught.examples.map(({ leftOut }) => leftOut),
    ['person', undefined],
  )
  assert.equal(taught.lesson.examples.length, 1)
  await close()
})
