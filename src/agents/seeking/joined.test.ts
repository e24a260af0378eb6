import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScenario } from '../../testing/index.ts'
import { LOCAL_SOURCE, sourceFault } from '../../tools/index.ts'
import type { FoundEntry, SourceProvider } from '../../tools/index.ts'
import { simulatedClock } from '../../testing/index.ts'
import { ok } from './happy.cases.ts'
import { replaySeek, seekOutcome } from './index.ts'
import type { SeekCallStep, SeekStep } from './index.ts'
import { firstDifference } from './replay.ts'

const source = (
  id: string,
  entries: readonly FoundEntry[] | Error,
  more: Partial<SourceProvider> = {},
): SourceProvider => ({
  ...{ ...LOCAL_SOURCE, id, tool: 'kb_lookup', licence: `licence of ${id}`, ...more },
  call: async () => {
    if (entries instanceof Error) throw entries
    return { entries }
  },
})

const ask = async (sources: readonly SourceProvider[], question = 'What is an owl a kind of?') => {
  const { run } = await runScenario(
    {
      question,
      options: { maxToolCalls: 6 },
      tools: [{ tool: 'vqa', reply: ok({ text: 'owl' }) }],
    },
    { sources },
  )
  const steps = run.steps as readonly SeekStep[]
  const calls = steps.filter((step): step is SeekCallStep => step.kind === 'call')
  return { run, calls, outcome: seekOutcome(run) }
}

const OWL = { title: 'owl', text: 'owl is a kind of bird.' }

test('sources of facts are asked together: one that knows nothing or fails hides none of the others', async () => {
  const { calls, outcome, run } = await ask([
    source('empty', []),
    source('broken', sourceFault('broken', 'bad-response', 'no JSON')),
    source('one', [OWL, { title: 'owl', text: 'An owl hunts at night.' }]),
    source('two', [{ title: 'owl', text: 'owl is a kind of bird, says two.' }]),
  ])
  const call = calls.find(({ tool }) => tool === 'kb_lookup')
  assert.deepEqual(
    call?.sought.attempts.map(({ provider, result }) => [provider, result]),
    [
      ['empty', 'ok'],
      ['broken', 'bad-response'],
      ['one', 'ok'],
      ['two', 'ok'],
    ],
  )
  assert.deepEqual(
    call?.sought.entries.map((one) => one.source.provider),
    ['one', 'two', 'one'],
  )
  const cited = outcome?.answer?.citations[0]
  assert.equal(cited?.provider, 'one')
  assert.equal(cited?.licence, 'licence of one')
  assert.equal(call === undefined ? 0 : run.steps.indexOf(call), cited?.step)
})

test('a run whose sources were asked together replays from its record', async () => {
  const { run } = await ask([source('one', [OWL]), source('two', [OWL])])
  const again = await replaySeek(run, { clock: simulatedClock(), options: { maxToolCalls: 6 } })
  assert.equal(firstDifference(run, again), undefined)
})

test('services that look at pictures are asked only when those of this machine found nothing', async () => {
  const looks = (id: string, entries: readonly FoundEntry[], sends: 'none' | 'image') =>
    source(id, entries, { tool: 'image_search', sends })
  const similar = [{ kind: 'similar', title: 'owl' }]
  const here = [looks('mine', similar, 'none'), looks('taught', [], 'none')]
  const question = 'Which animal is this?'
  const tools = [{ tool: 'detect' as const, reply: ok({ boxes: [box] }) }]
  const searched = async (sources: readonly SourceProvider[]) => {
    const { run } = await runScenario({ question, consent: 'allow', tools }, { sources })
    const steps = run.steps as readonly SeekStep[]
    const call = steps.find((step) => step.kind === 'call' && step.tool === 'image_search')
    return (call as SeekCallStep | undefined)?.sought.attempts.map(({ provider }) => provider)
  }
  assert.deepEqual(await searched([...here, looks('far', similar, 'image')]), ['mine', 'taught'])
  const none = [looks('mine', [], 'none'), looks('taught', [], 'none')]
  assert.deepEqual(await searched([...none, looks('far', similar, 'image')]), [
    'mine',
    'taught',
    'far',
  ])
})

const box = { id: 'b1', label: 'animal', score: 0.9, box: [2, 2, 30, 30] as const }
