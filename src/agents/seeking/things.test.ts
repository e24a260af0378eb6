import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScenario } from '../../testing/index.ts'
import type { Scenario } from '../../testing/index.ts'
import { openWordnet, wordnetFacts } from '../../tools/index.ts'
import { ok } from './happy.cases.ts'
import { seekOutcome } from './index.ts'
import type { SeekStep } from './index.ts'

const wordnet = await openWordnet()
const facts = wordnetFacts(async () => wordnet)

const found = (id: string, label: string, x: number) => ({
  ...{ id, label, score: 0.9, box: [x, 20, x + 20, 40] as const },
})
const named = (...titles: readonly string[]) =>
  ok({ entries: titles.map((title) => ({ kind: 'similar', title })) })
/** Boxes, and what picture search says of each in turn. */
const scene = (
  boxes: readonly ReturnType<typeof found>[],
  names: readonly ReturnType<typeof named>[],
): Pick<Scenario, 'tools'> => ({
  tools: [
    { tool: 'detect', reply: ok({ boxes }) },
    ...names.map((reply) => ({ tool: 'image_search' as const, times: 1, reply })),
  ],
})
const THREE = [found('b1', 'violin', 4), found('b2', 'soap', 30), found('b3', 'tent', 70)]

const ask = async (question: string, scenario: Pick<Scenario, 'tools'>, options = {}) => {
  const whole: Scenario = { question, picture: { w: 100, h: 60, seed: 1 }, options, ...scenario }
  const { run } = await runScenario(whole, { sources: [facts] })
  const outcome = seekOutcome(run)
  assert.ok(outcome)
  const steps = run.steps as readonly SeekStep[]
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.tool] : []))
  return { outcome, calls, steps }
}

test('the thing beside another is looked at alone, named, and looked up', async () => {
  const { outcome, calls } = await ask(
    'Is the thing left of the tent a cleansing agent?',
    scene(THREE.slice(1), [named('soap', 'soap', 'sponge')]),
  )
  assert.equal(outcome.answer?.short, 'yes')
  assert.deepEqual(outcome.answer?.bindings, ['soap'])
  assert.deepEqual(calls, ['detect', 'select_object', 'image_search', 'kb_lookup'])
})

test('things are looked at one after the other until one is what is described', async () => {
  const { outcome, calls } = await ask(
    'On which side is the thing that has a fingerboard, left or right?',
    scene(THREE, [named('violin', 'violin'), named('tent', 'tent'), named('soap', 'soap')]),
  )
  assert.equal(outcome.answer?.short, 'left')
  assert.match(outcome.answer?.citations[0]?.quote ?? '', /fingerboard/)
  assert.ok(calls.filter((tool) => tool === 'select_object').length >= 1)
})

test('two things are named apart and their common kind is told', async () => {
  const { outcome } = await ask(
    'What are the two things in the picture both?',
    scene(
      [found('b1', 'violin', 4), found('b2', 'guitar', 60)],
      [named('violin', 'violin'), named('guitar', 'guitar')],
    ),
  )
  assert.deepEqual([...(outcome.answer?.bindings ?? [])].toSorted(), ['guitar', 'violin'])
  assert.equal(outcome.answer?.short, 'stringed instrument')
})

test('a name that the label disputes is asked of a third tool before it is believed', async () => {
  const tools = scene(
    [found('b1', 'soap', 4), found('b2', 'tent', 60)],
    [named('sponge', 'soap')],
  ).tools
  const { calls, outcome } = await ask('Is the thing left of the tent a cleansing agent?', {
    tools: [...(tools ?? []), { tool: 'vqa', reply: ok({ text: 'soap' }) }],
  })
  assert.ok(calls.includes('vqa'))
  assert.deepEqual(outcome.answer?.bindings, ['soap'])
})

test('a fixed sequence is followed whatever comes back, and nothing else is done', async () => {
  const { calls, outcome } = await ask(
    'On which side is the thing that has a fingerboard, left or right?',
    scene([found('b1', 'soap', 4), found('b2', 'violin', 60)], [named('soap', 'soap')]),
    { sequence: ['detect', 'select_object', 'image_search', 'kb_lookup'] },
  )
  assert.deepEqual(calls, ['detect', 'select_object', 'image_search', 'kb_lookup'])
  assert.equal(outcome.kind, 'abstained')
})

test('a meaning that a source named is looked up itself, not the usual meaning of the word', async () => {
  const [cat] = wordnet.meanings('leopard').filter(({ gloss }) => /feline/.test(gloss))
  assert.ok(cat)
  const { outcome } = await ask('The thing left of the tent is a kind of what?', {
    tools: [
      { tool: 'detect', reply: ok({ boxes: [found('b1', 'animal', 4), found('b2', 'tent', 60)] }) },
      {
        tool: 'image_search',
        reply: ok({ entries: [{ kind: 'similar', title: 'leopard', qid: `wordnet:${cat.id}` }] }),
      },
    ],
  })
  assert.equal(outcome.answer?.short, 'big cat')
})
