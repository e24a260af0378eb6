import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryDecisions } from '../../memory/index.ts'
import { runScenario, simulatedClock } from '../../testing/index.ts'
import type { Run } from '../step.ts'
import { decisionExamples } from './examples.ts'
import { FREE_GRAPH } from './default-graph.ts'
import { HAPPY } from './happy.cases.ts'
import { seekPathSvg } from './path-svg.ts'
import { firstDifference, replaySeek, timeless } from './replay.ts'
import { correctDecision, decisionsOfRun, exportDecisions, importDecisions } from './study.ts'
import type { SeekCallStep } from './types.ts'
import { verifyRun } from './verify.ts'

async function happyRun(): Promise<Run> {
  return (await runScenario(HAPPY)).run
}

async function replayed(
  run: Run,
  more: Partial<Parameters<typeof replaySeek>[1]> = {},
): Promise<Run> {
  const clock = simulatedClock()
  return clock.run(replaySeek(run, { clock, ...more }))
}

/** The run with one call changed. */
function changed(run: Run, tool: string, change: (step: SeekCallStep) => SeekCallStep): Run {
  const steps = run.steps.map((step) =>
    step.kind === 'call' && step.tool === tool ? change(step as SeekCallStep) : step,
  )
  return { ...run, steps }
}

test('10: a replay without network is the same run, times left aside', async () => {
  const run = await happyRun()
  const again = await replayed(run)
  assert.deepEqual(again.steps.map(timeless), run.steps.map(timeless))
  assert.equal(firstDifference(run, again), undefined)
})

test('10: an output that is gone is a miss with its key, never a live call', async () => {
  const run = changed(await happyRun(), 'web_search', (step) => ({
    ...step,
    sought: { ...step.sought, output: undefined },
  }))
  await assert.rejects(replayed(run), (error: { code: string; message: string }) => {
    assert.equal(error.code, 'E_REPLAY_MISS')
    assert.match(error.message, /web_search/)
    return true
  })
})

test('10: a stored snippet that was altered loses its claims, and the answer its confidence', async () => {
  const run = await happyRun()
  assert.deepEqual(verifyRun(run)?.dropped, [])
  const altered = changed(run, 'web_search', (step) => ({
    ...step,
    sought: {
      ...step.sought,
      entries: step.sought.entries.map((one) =>
        one.id === 'e1' ? { ...one, text: one.text.replace('26', '27') } : one,
      ),
    },
  }))
  const verified = verifyRun(altered)
  assert.equal(verified?.dropped.length, 1)
  assert.match(verified?.dropped[0]?.why ?? '', /another hash/)
  assert.ok(
    (verified?.outcome.answer?.confidence ?? 1) < (verifyRun(run)?.outcome.answer?.confidence ?? 0),
  )
  const all = changed(run, 'web_search', (step) => ({
    ...step,
    sought: { ...step.sought, entries: [] },
  }))
  assert.equal(verifyRun(all)?.outcome.kind, 'abstained')
})

test('a run along a graph of its own is replayed along it', async () => {
  const graph = { ...structuredClone(FREE_GRAPH), name: 'mine' }
  const { run } = await runScenario({ ...HAPPY, graph })
  const stored = JSON.parse(JSON.stringify(run.steps)) as Run['steps']
  const again = await replayed({ ...run, steps: stored })
  assert.equal(firstDifference(run, again), undefined)
})

test('a replay with another graph tells the first step that differs', async () => {
  const run = await happyRun()
  const again = await replayed(run, { graph: FREE_GRAPH }).catch(() => undefined)
  assert.ok(again === undefined || firstDifference(run, again) === 0)
})

test('the path is drawn with every call, dead ones dashed, and nothing of the outside as markup', async () => {
  const { run } = await runScenario({
    ...HAPPY,
    tools: (HAPPY.tools ?? []).map((line) =>
      line.tool === 'image_search'
        ? {
            ...line,
            reply: {
              ok: {
                entries: [
                  { title: 'Torre Picasso', text: '<script>alert(1)</script>', kind: 'entity' },
                ],
              },
            },
          }
        : line,
    ),
  })
  const svg = seekPathSvg(run)
  for (const tool of ['detect', 'select_object', 'image_search', 'web_search'])
    assert.ok(svg.includes(tool), tool)
  assert.doesNotMatch(svg, /<script|href|javascript/)
  assert.match(svg, /^<svg [^>]*xmlns/)
  assert.equal(svg, seekPathSvg(run))
})

test('a run gives a decision for each action, corrections are kept beside what they correct', async () => {
  const run = await happyRun()
  const decisions = decisionsOfRun(run, { actor: 'agent', consent: true })
  assert.deepEqual(
    decisions.map(({ stateBefore, chosen, verdict }) => `${stateBefore}>${chosen.tool} ${verdict}`),
    [
      'START>detect informative',
      'detect>select_object informative',
      'select_object>image_search answer',
      'image_search>web_search answer',
    ],
  )
  const book = memoryDecisions()
  const first = decisions[0]?.step ?? -1
  const corrected = await correctDecision(
    book,
    run,
    first,
    { tool: 'caption' },
    { consent: true, at: 9 },
  )
  assert.equal(corrected.chosen.tool, 'caption')
  assert.match(corrected.correctedFrom ?? '', /detect:informative/)
  assert.equal((await book.list()).length, 1)
  await assert.rejects(correctDecision(book, run, 0, {}, { consent: true, at: 9 }), {
    code: 'E_DECISIONS',
  })
  const quote = { extracted: { text: 'x', entry: 'e1', quote: 'not there' } }
  const web = decisions.at(-1)?.step ?? -1
  await assert.rejects(correctDecision(book, run, web, quote, { consent: true, at: 9 }), {
    code: 'E_DECISIONS',
  })
  await correctDecision(book, run, first, {}, { consent: false, at: 9 })
  assert.equal((await book.list()).length, 1, 'without consent nothing is stored')
})

test('decisions go out and come back as lines; private ones without their words; bad lines are told', async () => {
  const decisions = decisionsOfRun(await happyRun(), { actor: 'human', consent: true })
  const { decisions: back, problems } = importDecisions(exportDecisions(decisions))
  assert.deepEqual(back, decisions)
  assert.deepEqual(problems, [])
  const secret = exportDecisions(decisions.map((one) => ({ ...one, private: true })))
  assert.ok(!secret.includes('elevators does this'))
  assert.ok(exportDecisions(decisions).includes('How many elevators does Torre Picasso have'))
  assert.ok(!secret.includes('How many elevators'))
  const bad = importDecisions('{"v":1}\nnonsense\n', 'mine.jsonl')
  assert.match(
    bad.problems.join('\n'),
    /mine\.jsonl, line 1: the field "runId".*\nmine\.jsonl, line 2: this is not JSON/,
  )
})

test('a decision about the same question or picture, of this run or without consent, is never an example', async () => {
  const run = await happyRun()
  const own = decisionsOfRun(run, { actor: 'human', consent: true })
  const query = {
    ...{
      question: 'Anything else?',
      picture: 'sha256:other',
      runId: 'other',
      phase: 'visual' as const,
    },
    ...{ tools: ['detect', 'image_search', 'select_object'], most: 10 },
  }
  assert.ok(decisionExamples(own, query).length > 0)
  const picture = own[0]?.picture ?? ''
  const banned = [
    { ...query, question: ' how many ELEVATORS does this building have ' },
    { ...query, picture },
    { ...query, runId: run.id },
  ]
  for (const one of banned) assert.deepEqual(decisionExamples(own, one), [])
  assert.deepEqual(
    decisionExamples(
      own.map((one) => ({ ...one, consent: false })),
      query,
    ),
    [],
  )
})
