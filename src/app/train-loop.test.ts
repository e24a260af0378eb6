import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../agents/index.ts'
import { countingIds } from '../base/index.ts'
import type { Clock } from '../base/index.ts'
import { solidImage } from '../image/index.ts'
import { scriptedModel } from '../llm/index.ts'
import { memoryDemonstrations } from '../memory/index.ts'
import { FAMILIES, parse, runProgram } from '../program/index.ts'
import type { CallTool } from '../program/index.ts'
import { SIGNATURES } from '../tools/index.ts'
import { evaluateTasks, trainTasks } from './train-loop.ts'
import type { LoopTask, TrainParts } from './train-loop.ts'

const IMAGE = solidImage({ width: 40, height: 40 }, [30, 90, 160])
const PROGRAM = `A=VQA(image=IMAGE,question='What is it?')
FINAL_RESULT=RESULT(var=A)`
const clock: Clock = { now: () => 7, tick: () => 0, sleep: () => new Promise(() => {}) }
const call: CallTool = async () => ({ value: 'a mug' })

async function answered(instruction: string, id: string): Promise<Run> {
  const { steps, outcome } = await runProgram(parse(PROGRAM), {
    ...{ inputs: { IMAGE }, call, signatures: SIGNATURES, family: FAMILIES.gqa },
  })
  return {
    ...{ id, outcome, createdAt: 1, version: '0', models: [], agent: 'programs' },
    task: { agent: 'programs', family: 'gqa', instruction, inputs: { IMAGE }, seed: 1 },
    ...{ cost: { calls: 0, tokens: 0, seconds: 0, money: 0, pictures: 0 } },
    ...{ lessonsUsed: [], warnings: [] },
    steps: [
      {
        ...{ kind: 'program', program: PROGRAM, diagnostics: [], demonstrations: ['run-shown'] },
        ...{ calls: [], by: 'analogy' as const, attempt: 0, ms: 0 },
      },
      ...steps,
    ],
  }
}

/** Only what the loop asks for here; anything else is no function and throws. */
function setting() {
  const pool = memoryDemonstrations([
    {
      ...{ id: 'run-shown', family: 'gqa', instruction: 'What is that?', program: PROGRAM },
      ...{ verdict: 'right', score: 0, origin: 'run' },
    },
  ])
  let made = 0
  const parts = {
    ...{ clock, ids: countingIds(), pool: async () => pool },
    workshop: async () => ({ signatures: SIGNATURES, call, proposals: async () => [] }),
    start: async ({ instruction }: { instruction: string }) => ({
      result: answered(instruction, `run_${++made}`),
    }),
  } as unknown as TrainParts
  return { pool, parts }
}

const ask = (id: string, instruction: string, answer: string): LoopTask => ({
  ...{ id, family: 'gqa', instruction, pictures: ['a.png'], answer },
})
const TASKS = [ask('t1', 'What is this?', 'a mug'), ask('t2', 'What do you see?', 'a cup')]
const NOBODY = { switches: { global: false, local: false } }

test('right tasks enter the examples, wrong ones stay unverified, and only first answers count (L16)', async () => {
  const { pool, parts } = setting()
  const seen: string[] = []
  const onTask = ({ id }: { id: string }): void => void seen.push(id)
  const report = await trainTasks(TASKS, parts, { ...NOBODY, onTask })
  assert.deepEqual(
    report.results.map(({ right, outcome }) => [right, outcome]),
    [
      [true, 'right_first'],
      [false, 'unresolved'],
    ],
  )
  assert.equal(report.accuracy, 0.5)
  assert.deepEqual(seen, ['t1', 't2'])
  const learnt = (await pool.list('gqa')).filter(({ id }) => id !== 'run-shown')
  assert.deepEqual(
    learnt.map(({ instruction, verdict, unverified }) => [instruction, verdict, unverified]),
    [
      ['What is this?', 'right', undefined],
      ['What do you see?', 'wrong', true],
    ],
  )
})

test('what a model blames is checked by replay with the tools of the run, unless that is off', async () => {
  const claim = JSON.stringify({
    location: 'tool',
    step: 1,
    confidence: 0.9,
    reason: 'It is a cup.',
  })
  for (const replay of [true, false]) {
    const { parts } = setting()
    let looks = 0
    const workshop = async () => ({
      ...{ signatures: SIGNATURES, call, model: scriptedModel([claim]) },
      proposals: async () => {
        looks++
        return []
      },
    })
    const switches = { local: false, tools: false, replay }
    await trainTasks(TASKS.slice(1), { ...parts, workshop } as unknown as TrainParts, { switches })
    assert.equal(looks > 0, replay)
  }
})

test('runs count for and against the examples that were shown in their prompts', async () => {
  const { pool, parts } = setting()
  await trainTasks(TASKS.slice(0, 1), parts, NOBODY)
  assert.equal((await pool.get('run-shown'))?.score, 1)
  await trainTasks(TASKS.slice(1), parts, NOBODY)
  assert.equal((await pool.get('run-shown'))?.score, 0)
})

test('an equal example is not kept twice, and what is switched off is not kept at all (trap 16)', async () => {
  const { pool, parts } = setting()
  await trainTasks([...TASKS, ...TASKS], parts, NOBODY)
  assert.equal((await pool.list('gqa')).length, 3)
  const bare = setting()
  const switches = { ...NOBODY.switches, right: false, wrong: false }
  await trainTasks(TASKS, bare.parts, { switches })
  assert.equal((await bare.pool.list('gqa')).length, 1)
})

test('evaluating learns nothing', async () => {
  const { pool, parts } = setting()
  const before = JSON.stringify(await pool.list('gqa'))
  const report = await evaluateTasks(TASKS, parts)
  assert.equal(report.accuracy, 0.5)
  assert.ok(report.results.every(({ outcome }) => outcome === 'only_answered'))
  assert.equal(JSON.stringify(await pool.list('gqa')), before)
})

test('a task that nobody can judge is unverified and teaches no example', async () => {
  const { pool, parts } = setting()
  const { answer: _, ...open } = ask('t3', 'Make it blue.', '')
  const report = await trainTasks([open], parts, NOBODY)
  assert.equal(report.results[0]?.right, undefined)
  assert.ok(
    (await pool.list('gqa')).every(
      ({ verdict, unverified, id }) =>
        id === 'run-shown' || (verdict === 'wrong' && unverified === true),
    ),
  )
})
