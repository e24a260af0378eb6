import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLearnt, memoryLearntRows, NO_PARTS } from '../memory/index.ts'
import type { Lesson, PromptEntry } from '../memory/index.ts'
import { openPrompted } from '../onnx/index.ts'
import { mixPrompts } from '../tools/index.ts'
import { promptBook, withPrompts } from './prompt-book.ts'
import { blocks, tinyEncoder } from './tuning/tiny-encoder.ts'

function entry(
  id: string,
  feature: readonly number[],
  value: number,
  more: Partial<PromptEntry> = {},
): PromptEntry {
  return {
    ...{ id, tool: 'SELECT', concept: 'glove', feature: Float32Array.from(feature), lesson: 'l1' },
    ...{ prompt: Float32Array.of(value), shape: [1, 1, 1], createdAt: Number(id.slice(1)) },
    ...{ model: { name: 'm', hash: 'h' }, picture: id },
    ...more,
  }
}

const lesson = (id: string, more: Partial<Lesson> = {}): Lesson => ({
  ...{ id, version: 3, tool: 'SELECT', concept: 'glove', status: 'applied', feedback: null },
  ...{ source: null, author: 'me', verdict: null, examples: [], prompts: [], demonstrations: [] },
  ...{ validation: null, effect: null, createdAt: 1 },
  ...more,
})

async function bookWith(prompts: readonly PromptEntry[]) {
  const learnt = createLearnt(memoryLearntRows())
  await learnt.add(lesson('l1'), { ...NO_PARTS, prompts })
  return { learnt, book: promptBook(learnt) }
}

const ask = (x: number, y: number, more: object = {}) => ({
  ...{ tool: 'SELECT', concept: 'glove', model: 'h', feature: Float32Array.of(x, y) },
  ...more,
})

const mixed = (near: Awaited<ReturnType<ReturnType<typeof promptBook>['near']>>) =>
  mixPrompts(near)?.prompts['prompt']?.data[0]

test('the prompt of an input is the mean of those near it by cosine, never of those that point away (L1–L3)', async () => {
  const { book } = await bookWith([
    entry('p1', [1, 0], 2),
    entry('p2', [0, 1], 4),
    entry('p3', [-1, 0], 100),
  ])
  assert.equal(mixed(await book.near(ask(1, 0))), 2)
  const both = await book.near(ask(1, 1))
  assert.ok(Math.abs(Number(mixed(both)) - 3) < 1e-6)
  assert.deepEqual(both[0]?.use.version, 3)
  assert.deepEqual(await book.near(ask(1, -0.0001, { concept: 'mitten' })), [])
  const away = await bookWith([entry('p1', [0, 1], 2), entry('p2', [1, 0], 4)])
  assert.equal(mixPrompts(await away.book.near(ask(0, -1))), undefined)
})

test('names are normalised, and prompts of another model or tool are not given', async () => {
  const { book } = await bookWith([entry('p1', [1, 0], 2)])
  assert.equal((await book.near(ask(1, 0, { concept: 'the Gloves' }))).length, 1)
  assert.deepEqual(await book.near(ask(1, 0, { model: 'h2' })), [])
  assert.deepEqual(await book.near(ask(1, 0, { tool: 'LOC' })), [])
})

test('learning a concept again from the same picture leaves the newest prompt alone in retrieval', async () => {
  const again = entry('p2', [1, 0], 7, { picture: 'p1' })
  const { book } = await bookWith([entry('p1', [1, 0], 2), again])
  const near = await book.near(ask(1, 0))
  assert.deepEqual(
    near.map(({ use }) => use.prompt),
    ['p2'],
  )
})

test('only the nearest take part, and both halves of a question must be near', async () => {
  const many = Array.from({ length: 30 }, (_, i) => entry(`p${i}`, [1, i / 100], i))
  const { book } = await bookWith(many)
  assert.equal((await book.near(ask(1, 0))).length, 10)
  assert.equal((await book.near(ask(1, 0, { most: 3 }))).length, 3)
  const halves = await bookWith([entry('p1', [1, 0, 0, 1], 2), entry('p2', [1, 0, 1, 0], 4)])
  const feature = Float32Array.of(1, 0, 0, 1)
  const near = await halves.book.near({ ...ask(0, 0), feature, halves: 0.6 })
  assert.deepEqual(
    near.map(({ use }) => use.prompt),
    ['p1'],
  )
})

test('a lesson acts as soon as it is written, and no longer once it is undone', async () => {
  const { book, learnt } = await bookWith([])
  assert.deepEqual(await book.near(ask(1, 0)), [])
  await learnt.add(lesson('l2'), {
    ...NO_PARTS,
    prompts: [entry('p9', [1, 0], 2, { lesson: 'l2' })],
  })
  assert.equal((await book.near(ask(1, 0))).length, 1)
  await learnt.undo('l2')
  assert.deepEqual(await book.near(ask(1, 0)), [])
})

test('a dry run sees prompts that are not stored, and not those of a lesson to be replaced', async () => {
  const { learnt } = await bookWith([entry('p1', [1, 0], 2)])
  const fresh = entry('p2', [1, 0], 7, { lesson: 'new' })
  const both = withPrompts(learnt, [fresh])
  assert.equal((await both.near(ask(1, 0))).length, 2)
  const without = withPrompts(learnt, [fresh], new Set(['l1']))
  assert.deepEqual(
    (await without.near(ask(1, 0))).map(({ use }) => use.prompt),
    ['p2'],
  )
})

test('an unknown concept leaves a model as it was, bit for bit (trap 12)', async () => {
  const { book } = await bookWith([entry('p1', [1, 0], 2)])
  const encoder = tinyEncoder({})
  const session = { thread: 'here', threads: 1 } as const
  const picture = blocks([255, 60, 20], 1)
  const pixel_values = await encoder.crop(picture, [0, 0, picture.width, picture.height])
  await using model = await openPrompted(await encoder.model(), encoder.injection, {
    batch: 1,
    session,
  })
  const plain = await model.run({ pixel_values })
  const feature = await encoder.feature(picture, [0, 0, picture.width, picture.height])
  const near = await book.near({ tool: 'SELECT', concept: 'mitten', model: 'tiny', feature })
  const asked = await model.run({ pixel_values }, mixPrompts(near)?.prompts)
  assert.deepEqual(asked, plain)
})
