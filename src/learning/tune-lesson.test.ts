import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clock } from '../base/index.ts'
import type { Image } from '../image/index.ts'
import { createLearnt, memoryLearntRows, NO_PARTS } from '../memory/index.ts'
import type { Exemplar, Lesson } from '../memory/index.ts'
import type { LearnableEncoder } from '../tools/index.ts'
import type { PictureFinder } from './collect/finder.ts'
import { promptBook } from './prompt-book.ts'
import { tuningStages } from './tune-lesson.ts'
import type { LessonTuningParts, TuningState } from './tune-lesson.ts'
import { blocks, tinyEncoder } from './tuning/tiny-encoder.ts'

const RED = [255, 60, 20] as const
const BLUE = [40, 80, 255] as const
const clock: Clock = { now: () => 5, tick: () => 0, sleep: () => new Promise(() => {}) }
const encoder = tinyEncoder({
  gizmo: [-0.09, 0.22, 0.06, 0, 0.18, 0.59, 0.34, -0.19, 0.14, 0.13, 0.09, 0.13],
  other: [-0.26, 0.8, 0.15, -0.52, 0.28, 0.98, 0.91, -0.69, 0.54, 0.35, -0.01, 0.01],
})

/** Pictures by name; those of `other` hold two that look like the concept and mislead the nearest example. */
const SHELF: Readonly<Record<string, readonly Image[]>> = {
  gizmo: Array.from({ length: 5 }, (_, i) => blocks(RED, 1 + i)),
  other: [
    ...Array.from({ length: 6 }, (_, i) => blocks(BLUE, 10 + i)),
    ...[60, 61].map((i) => blocks(RED, i)),
  ],
}
const shelf: PictureFinder = {
  name: 'shelf',
  find: async (words, { most }) =>
    (SHELF[words] ?? [])
      .slice(0, most)
      .map((image) => ({ image, source: 'shelf', licence: 'CC0' })),
}

/** Two steps without validation: for what happens to prompts, not for how good they are. */
const QUICK = {
  ...{ most: 1, steps: 2, validate: false },
  session: { thread: 'here', threads: 1 },
} as const

async function setting(learnables: readonly LearnableEncoder[] = [encoder]) {
  const learnt = createLearnt(memoryLearntRows())
  const pictures = new Map<string, Image>()
  const own = blocks(RED, 0)
  pictures.set(own.hash, own)
  const exemplar: Exemplar = {
    ...{ id: 'e1', kind: 'thing', concept: 'gizmo', positive: true, encoder: 'x' },
    ...{ feature: Float32Array.of(1), picture: own.hash, box: [0, 0, own.width, own.height] },
    ...{ lesson: 'l1', author: 'me', createdAt: 1 },
  }
  const lesson: Lesson = {
    ...{
      id: 'l1',
      version: 1,
      tool: 'CLASSIFY',
      concept: 'gizmo',
      status: 'applied',
      feedback: null,
    },
    ...{ source: null, author: 'me', verdict: null, examples: ['e1'], prompts: [] },
    ...{ demonstrations: [], validation: null, effect: null, createdAt: 1 },
  }
  await learnt.add(lesson, { ...NO_PARTS, exemplars: [exemplar] })
  const parts: LessonTuningParts = {
    ...{ learnt, clock, learnables: async () => learnables, finders: [shelf] },
    negatives: async () => ['other'],
    load: async (hash) => pictures.get(hash) ?? assert.fail(`picture ${hash} was not kept`),
    keep: async (image) => void pictures.set(image.hash, image),
    ...{ rehearse: async () => assert.fail('there is no run'), past: async () => [] },
    collecting: { leastSide: 32, beside: 8 },
    tuning: { most: 3, session: { thread: 'here', threads: 1 } },
  }
  return { learnt, parts, book: promptBook(learnt) }
}

async function run(parts: LessonTuningParts, until?: string): Promise<TuningState> {
  let state: TuningState = {}
  for (const stage of tuningStages('l1', 'job_1', parts)) {
    state = JSON.parse(JSON.stringify(await stage.run(state, {}))) as TuningState
    if (stage.name === until) break
  }
  return state
}

const near = (book: ReturnType<typeof promptBook>) =>
  encoder
    .feature(blocks(RED, 3), [0, 0, 48, 48])
    .then((feature) => book.near({ tool: 'SELECT', concept: 'gizmo', model: 'tiny', feature }))

test('a lesson of one example becomes one of prompts, acts, and is undone byte for byte', async () => {
  const { learnt, parts, book } = await setting()
  const before = JSON.stringify([await learnt.exemplars(), await learnt.prompts()])
  const state = await run(parts)
  assert.equal(state.lesson, 'lesson_job_1')
  const made = await learnt.lesson('lesson_job_1')
  assert.deepEqual([made?.status, made?.supersedes, made?.version], ['applied', 'l1', 2])
  assert.equal((await learnt.lesson('l1'))?.status, 'superseded')
  const [first] = await near(book)
  assert.equal(first?.use.lesson, 'lesson_job_1', 'a receipt names the lesson')
  assert.equal((await learnt.exemplars()).length, 1, 'what the person showed goes on acting')
  const { scores, collected } = made?.validation as unknown as {
    scores: { tuned: number; exemplars: number }
    collected: { kept: number; sources: { licence: string }[] }
  }
  assert.ok(scores.tuned > scores.exemplars)
  assert.ok(collected.sources.some(({ licence }) => licence === 'CC0'))
  await learnt.undo('lesson_job_1')
  assert.equal(JSON.stringify([await learnt.exemplars(), await learnt.prompts()]), before)
  assert.deepEqual(await near(book), [])
})

test('masks of annotated pictures reach the tuning', async () => {
  const { parts } = await setting()
  const mask = { size: [48, 48], counts: [0, 48 * 48] } as const
  const finder: PictureFinder = {
    name: 'masked',
    find: async (words) =>
      (SHELF[words] ?? []).map((image) => ({ image, mask, source: 'masked', licence: 'CC0' })),
  }
  const { examples = [] } = await run({ ...parts, finders: [finder] }, 'collect')
  const found = examples.filter(({ name }) => name === 'other')
  assert.ok(found.length > 0)
  for (const one of found) assert.deepEqual(one.mask, mask)
})

test('prompts that do not beat the examples are kept out with the reason, and the examples act on', async () => {
  const { learnt, parts, book } = await setting()
  const clear: typeof SHELF = { ...SHELF, other: SHELF['other']?.slice(0, 6) ?? [] }
  const finder: PictureFinder = {
    name: 'clear',
    find: async (words, { most }) =>
      (clear[words] ?? [])
        .slice(0, most)
        .map((image) => ({ image, source: 'clear', licence: 'CC0' })),
  }
  await run({ ...parts, finders: [finder] })
  const made = await learnt.lesson('lesson_job_1')
  assert.equal(made?.status, 'kept-out')
  assert.match(made?.reason ?? '', /examples alone get 100 %/)
  assert.deepEqual(await near(book), [])
  assert.equal((await learnt.lesson('l1'))?.status, 'applied')
})

test('L12: killed right after it was written, the work is done again and nothing is written twice', async () => {
  const { learnt, parts: slow } = await setting()
  const parts = { ...slow, tuning: QUICK }
  const tuned = await run(parts, 'prove')
  const apply = tuningStages('l1', 'job_1', parts).at(-1)
  await apply?.run(tuned, {})
  const once = JSON.stringify([await learnt.lessons(), await learnt.exemplars()])
  // The worker died before it could say so; the next one applies again.
  const again = await apply?.run(tuned, {})
  assert.equal(again?.lesson, 'lesson_job_1')
  assert.equal(JSON.stringify([await learnt.lessons(), await learnt.exemplars()]), once)
})

test('a lesson that a person undid meanwhile is not brought back by its prompts', async () => {
  const { learnt, parts: slow, book } = await setting()
  const parts = { ...slow, tuning: QUICK }
  const tuned = await run(parts, 'prove')
  await learnt.undo('l1')
  await tuningStages('l1', 'job_1', parts).at(-1)?.run(tuned, {})
  assert.equal((await learnt.lesson('lesson_job_1'))?.status, 'kept-out')
  assert.deepEqual(await near(book), [])
})

test('models without prompts, and too few pictures, are told of and change nothing (L15)', async () => {
  const without = await setting([])
  assert.match((await run(without.parts)).nothing ?? '', /take no prompts/)
  const few = await setting()
  const state = await run({ ...few.parts, finders: [] })
  assert.match(state.nothing ?? '', /Only 1 different pictures|what "gizmo" is not/)
  assert.equal((await few.learnt.lessons()).length, 1)
})
