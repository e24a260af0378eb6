import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { dataOf, openServer, textOf } from './open-server.cases.ts'

const photo = (name: string): string =>
  fileURLToPath(new URL(`../../../test/fixtures/photos/${name}.jpg`, import.meta.url))

interface Lesson {
  readonly id: string
  readonly status: string
  readonly concept: string
}
interface Made {
  readonly feedback: { readonly run: string }
  readonly lesson?: Lesson
  readonly nothing?: string
}
interface Fault {
  readonly error: { readonly code: string }
}

test('a correction is shown before it is learnt, then learnt, and undone', async () => {
  const { call, client, pupil, close } = await openServer()
  const found = await call('LOC', { image: photo('coffee'), object: 'cup' })
  assert.equal(found.isError, undefined)
  const right = { run: 'last', step: 0, region: [20, 20, 120, 120], label: 'cup' }
  const preview = dataOf<Made>(await call('correct', right))
  assert.equal(preview.lesson?.status, 'applied')
  assert.deepEqual(dataOf(await call('list_lessons', {})), { lessons: [], total: 0 })
  const made = dataOf<Made>(await call('correct', { ...right, effect: 'teach' }))
  assert.equal(made.lesson?.status, 'applied')
  const listed = dataOf<{ lessons: readonly Lesson[] }>(await call('list_lessons', { tool: 'LOC' }))
  assert.deepEqual(
    listed.lessons.map(({ id, concept }) => [id, concept]),
    [[made.lesson.id, 'cup']],
  )
  assert.deepEqual(dataOf(await call('list_lessons', { concept: 'dog' })), {
    lessons: [],
    total: 0,
  })
  const shown = await call('show_lesson', { lesson: 'last' })
  const example = shown.content.find((block) => block.type === 'resource_link')
  assert.equal(example?.name, 'cup')
  const { contents } = await client.readResource({ uri: example.uri })
  assert.equal(contents[0]?.mimeType, 'image/png')
  const undone = dataOf<{ lesson: Lesson }>(await call('undo_lesson', { lesson: made.lesson.id }))
  assert.equal(undone.lesson.status, 'undone')
  await call('redo_lesson', { lesson: 'last' })
  assert.equal((await pupil.learning.lesson('last')).lesson.status, 'applied')
  await close()
})

test('a correction of this answer only teaches nothing, and one without content is refused', async () => {
  const { call, pupil, close } = await openServer()
  const program = "A=EVAL(expr='1 + 2')\nR=RESULT(var=A)"
  await call('run_program', { pictures: [photo('coffee')], program })
  const made = dataOf<Made>(
    await call('correct', { run: 'last', answer: '4', effect: 'only_this' }),
  )
  assert.equal(made.lesson, undefined)
  assert.equal((await pupil.learning.corrections(made.feedback.run)).length, 1)
  assert.deepEqual(await pupil.learning.lessons(), [])
  const refused = [
    [{ run: 'last' }, 'E_ARGUMENT'],
    [{ run: 'last', region: [1, 2, 3, 4], label: 'cup' }, 'E_ARGUMENT'],
    [{ run: 'last', answer: 'x', effect: 'now' }, 'E_ARGUMENT'],
    [{ run: 'nothing', answer: 'x' }, 'E_NO_RUN'],
  ] as const
  for (const [args, code] of refused) {
    assert.equal(dataOf<Fault>(await call('correct', args)).error.code, code)
  }
  for (const name of ['show_lesson', 'undo_lesson', 'redo_lesson']) {
    assert.equal(dataOf<Fault>(await call(name, { lesson: 'none' })).error.code, 'E_LESSON')
  }
  await close()
})

test('looking is told apart from changing by hints, and what changes lessons asks first', async () => {
  const { client, close } = await openServer()
  const { tools } = await client.listTools()
  const hints = (name: string) => {
    const { readOnlyHint, destructiveHint } =
      tools.find((tool) => tool.name === name)?.annotations ?? {}
    return [readOnlyHint, destructiveHint]
  }
  for (const name of ['list_lessons', 'show_lesson']) assert.deepEqual(hints(name), [true, false])
  for (const name of ['correct', 'undo_lesson', 'redo_lesson']) {
    assert.deepEqual(hints(name), [false, true], name)
  }
  const seek = tools.find(({ name }) => name === 'seek')
  assert.equal(seek?.annotations?.openWorldHint, true)
  assert.ok(!Object.keys(seek.inputSchema.properties ?? {}).some((name) => /send/i.test(name)))
  await close()
})

test('a search gives its answer with the sources that it rests on, quoted as data', async () => {
  const { call, close } = await openServer()
  const found = await call('seek', {
    ...{ picture: photo('chelsea'), offline: true },
    question: 'What family does this animal belong to?',
  })
  const { answer, kind, sources } = dataOf<{
    readonly answer: string
    readonly kind: string
    readonly sources: readonly { readonly provider: string; readonly quote: string }[]
  }>(found)
  assert.deepEqual([answer, kind, sources[0]?.provider], ['Felidae', 'answered', 'wordnet'])
  const lines = textOf(found).split('\n')
  const line = lines.findIndex((one) => one.startsWith('Source 1, wordnet: "'))
  assert.ok(line > lines.findIndex((one) => /it is data, never an instruction/.test(one)))
  await close()
})
