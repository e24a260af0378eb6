import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock, countingIds } from '../base/index.ts'
import { createLearnt, memoryLearntRows } from '../memory/index.ts'
import { fakeClock, runScenario } from '../testing/index.ts'
import type { FoundEntry, SourceProvider } from '../tools/index.ts'
import { LOCAL_SOURCE } from '../tools/index.ts'
import { decisionFile } from './decision-book.ts'
import type { LearningParts } from './learning-desk.ts'
import { correctSearch, ownFacts, searchLessons, withoutBad } from './seek-corrections.ts'
import { studyDesk } from './study-desk.ts'

const BIRD: readonly FoundEntry[] = [{ title: 'owl', text: 'owl is a kind of fish.' }]
const source: SourceProvider = {
  ...{ ...LOCAL_SOURCE, id: 'book', tool: 'kb_lookup', licence: '' },
  call: async () => ({ entries: BIRD }),
}

const searched = async () => {
  const { run } = await runScenario(
    {
      question: 'What is this animal a kind of?',
      options: { maxToolCalls: 6 },
      tools: [{ tool: 'vqa', reply: { ok: { text: 'owl' } } }],
    },
    { sources: [source] },
  )
  return run
}

const parts = (file: string) => {
  const learnt = createLearnt(memoryLearntRows())
  const book = decisionFile(file)
  const all = {
    ...{ learnt: async () => learnt, clock: fakeClock(), ids: countingIds(), space: 'home' },
    decisions: async () => book,
  } as unknown as LearningParts
  return { all, learnt, book, lessons: () => searchLessons(learnt) }
}

const folder = async (t: { after(work: () => Promise<void>): void }): Promise<string> => {
  const made = await mkdtemp(join(tmpdir(), 'seek-'))
  t.after(() => rm(made, { recursive: true }))
  return made
}

test('a right answer is told before every source, until its lesson is undone', async (t) => {
  const { all, learnt, lessons } = parts(join(await folder(t), 'd.jsonl'))
  const run = await searched()
  const { lesson } = await correctSearch(
    run,
    { target: { kind: 'answer' }, expected: { answer: 'bird' } },
    all,
  )
  const ask = { q: 'What is owl a kind of?', subject: 'owl' }
  const yours = ownFacts(lessons)
  const told = await yours.call(ask, { clock: systemClock })
  assert.equal(told.entries?.[0]?.text, 'bird')
  const { run: again } = await runScenario(
    {
      question: 'What is this animal a kind of?',
      options: { maxToolCalls: 6 },
      tools: [{ tool: 'vqa', reply: { ok: { text: 'owl' } } }],
    },
    { sources: [yours, source] },
  )
  assert.deepEqual(again.outcome.status === 'done' && again.outcome.answer, 'bird')
  assert.deepEqual(
    (await yours.call({ ...ask, subject: 'duck' }, { clock: systemClock })).entries,
    [],
  )
  await learnt.undo(lesson?.id ?? '')
  assert.deepEqual((await yours.call(ask, { clock: systemClock })).entries, [])
})

test('a source that was wrong is not believed any more', async (t) => {
  const { all, lessons } = parts(join(await folder(t), 'd.jsonl'))
  const run = await searched()
  const calls = run.steps.filter((step) => step.kind === 'call')
  const index = calls.findIndex((step) => step.tool === 'kb_lookup')
  const made = await correctSearch(
    run,
    { target: { kind: 'step', index }, expected: { rejected: true } },
    all,
  )
  assert.equal(made.lesson?.concept, 'book: owl')
  const left = await withoutBad(source, lessons).call({ q: 'owl' }, { clock: systemClock })
  assert.deepEqual([left.entries, left.dropped], [[], 1])
})

test('another choice of tool becomes two decisions: the one that led nowhere, and the right one', async (t) => {
  const { all, book } = parts(join(await folder(t), 'd.jsonl'))
  const run = await searched()
  const target = { kind: 'step', index: 0 } as const
  await assert.rejects(correctSearch(run, { target, expected: { plan: 'web_search' } }, all), {
    code: 'E_CORRECTION',
  })
  await correctSearch(run, { target, expected: { plan: 'vqa' } }, all)
  assert.deepEqual(
    (await book.list()).map(({ chosen, verdict, actor }) => [chosen.tool, verdict, actor]),
    [
      ['vqa', 'uninformative', 'human'],
      ['vqa', 'informative', 'human'],
    ],
  )
  await assert.rejects(
    correctSearch(run, { target: { kind: 'step', index: 9 }, expected: { label: 'x' } }, all),
    { code: 'E_CORRECTION' },
  )
})

test("people's decisions are kept in a file, scored, exported, and forgotten", async (t) => {
  const file = join(await folder(t), 'decisions', 'home.jsonl')
  const book = decisionFile(file)
  const run = await searched()
  const desk = studyDesk({
    book,
    start: async (request) => ({
      ...{ id: run.id, task: run.task, cancel: () => {}, result: Promise.resolve(run) },
      kept: Promise.resolve(),
      events: async function* () {
        assert.equal(request.question, 'What?')
      },
    }),
  })
  const person = {
    choose: async () => undefined,
    read: async () => ({ verdict: 'uninformative' as const }),
  }
  const live = await desk.answer({ picture: 'p.png', question: 'What?' }, { person })
  await live.result
  const kept = await desk.decisions()
  assert.ok(kept.length >= 2)
  assert.ok(kept.every(({ actor }) => actor === 'human'))
  const score = await desk.score()
  assert.equal(score.decisions, kept.length)
  const { edges } = await desk.graph({ k: 1 })
  assert.ok(edges.some(({ from, tool, n }) => from === 'START' && tool === 'vqa' && n === 1))
  const text = await desk.export()
  assert.deepEqual(await desk.import(text, 'again'), { added: 0, problems: [] })
  assert.equal((await desk.import('{"v":1}\n', 'bad')).problems.length, 1)
  assert.equal(await desk.forget({ runId: run.id }), kept.length)
  assert.deepEqual(await decisionFile(file).list(), [])
})
