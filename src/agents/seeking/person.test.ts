import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImage } from '../../image/index.ts'
import { LOCAL_SOURCE } from '../../tools/index.ts'
import type { SourceOutput, SourceProvider, SourceTool } from '../../tools/index.ts'
import { createSeekingAgent, decisionsOfRun, seekOutcome } from './index.ts'
import type { Person, PersonChoice, SeekReading, SeekStep } from './index.ts'

const source = (tool: SourceTool, output: SourceOutput): SourceProvider => ({
  ...{ ...LOCAL_SOURCE, id: `test/${tool}`, tool, licence: '', call: async () => output },
})
const PROVIDERS = [
  source('vqa', { text: 'Torre Picasso' }),
  source('kb_lookup', { entries: [{ title: 'Torre Picasso', text: 'It has 26 elevators.' }] }),
]

/** Says what it was told, in order; what it was shown is kept. */
function told(choices: readonly (PersonChoice | undefined)[], readings: readonly SeekReading[]) {
  const problems: (string | undefined)[] = []
  const [left, rest] = [[...choices], [...readings]]
  const person: Person = {
    choose: async (view) => {
      problems.push(view.problem)
      return left.shift()
    },
    read: async () => rest.shift() ?? { verdict: 'uninformative' },
  }
  return { person, problems }
}

const ask = async (person: Person) => {
  const task = {
    ...({ agent: 'seeking', family: 'seek', seed: 1 } as const),
    instruction: 'How many elevators does this building have?',
    inputs: { IMAGE: createImage(new Uint8Array(4 * 4 * 3), 4, 4) },
  }
  const run = await createSeekingAgent({ providers: PROVIDERS, person }).run(task)
  return { run, outcome: seekOutcome(run), steps: run.steps as readonly SeekStep[] }
}

const answer = (value: string, quote: string): SeekReading => ({
  verdict: 'answer',
  candidates: [{ answer: value, support: [{ entry: 'e1', quote }] }],
})

test('a person decides and reads in the place of models; the decisions are the record', async () => {
  const { person, problems } = told(
    [
      { choice: 9 },
      { choice: 0, why: 'one building' },
      { choice: 0, query: 'Torre Picasso lifts' },
    ],
    [answer('Torre Picasso', 'Torre Picasso'), answer('26', '26 elevators')],
  )
  const { run, outcome, steps } = await ask(person)
  assert.equal(outcome?.answer?.short, '26')
  assert.deepEqual(outcome?.degraded, ['decompose'])
  assert.match(problems[1] ?? '', /^Choose from 1 to/)
  assert.ok(steps.every((step) => step.kind !== 'decide' || step.by === 'person'))
  const made = decisionsOfRun(run, { actor: 'human', consent: true })
  assert.deepEqual(
    made.map(({ stateBefore, chosen, verdict }) => [stateBefore, chosen.tool, verdict]),
    [
      ['START', 'vqa', 'answer'],
      ['vqa', 'kb_lookup', 'answer'],
    ],
  )
  assert.equal(made[0]?.rationale, 'one building')
})

test('rules hold for people: nothing is asked twice, and a quote that does not stand counts for nothing', async () => {
  const { person, problems } = told(
    [{ choice: 0 }, { choice: 0, query: 'lifts' }, { choice: 0, query: 'LIFTS' }, undefined],
    [answer('Torre Picasso', 'Torre Picasso'), answer('99', '99 elevators')],
  )
  const { outcome } = await ask(person)
  assert.equal(outcome?.kind, 'abstained')
  assert.equal(outcome?.stop, 'exhausted')
  assert.equal(problems.at(-1), 'That was asked already.')
})
