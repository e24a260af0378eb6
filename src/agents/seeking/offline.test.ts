import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runScenario } from '../../testing/index.ts'
import type { Scenario } from '../../testing/index.ts'
import { openWordnet, wordnetFacts } from '../../tools/index.ts'
import { decomposeByRules, partsText } from './decompose.ts'
import { box, HAPPY, ok, page } from './happy.cases.ts'
import { seekOutcome } from './index.ts'
import type { SeekCallStep, SeekDecideStep, SeekStep } from './index.ts'
import { verifyRun } from './verify.ts'

// Read before: simulated time would not wait for the disk.
const wordnet = await openWordnet()
const facts = wordnetFacts(async () => wordnet)

const ask = async (question: string, shown: string) => {
  const scenario: Scenario = {
    question,
    tools: [
      { tool: 'detect', reply: ok({ boxes: [box('b1', shown, 0.9, 2)] }) },
      { tool: 'vqa', reply: ok({ text: shown }) },
    ],
  }
  const { run } = await runScenario(scenario, { sources: [facts] })
  const outcome = seekOutcome(run)
  assert.ok(outcome)
  return outcome
}

test('questions are cut by rules as the specification lists', () => {
  const cut = (question: string) => {
    const { visual, knowledge } = decomposeByRules(question)
    return [visual[0] ?? null, partsText(knowledge, visual.length)]
  }
  assert.deepEqual(cut('How many elevators does this building have?'), [
    'Which building is this?',
    'How many elevators does # have?',
  ])
  assert.deepEqual(cut('What year was the bridge in the picture opened?'), [
    'Which bridge is this?',
    'What year was # opened?',
  ])
  assert.deepEqual(cut('What is the capital of Peru?'), [null, 'What is the capital of Peru?'])
  assert.deepEqual(cut('What does the # key on this phone do?'), [
    'Which phone is this?',
    'What does the \\# key on # do?',
  ])
})

test('without a language model, kinds, families and parts are answered from WordNet with a quote', async () => {
  const family = await ask('What family does this animal belong to?', 'dog')
  assert.equal(family.kind, 'answered')
  assert.equal(family.answer?.short, 'Canidae')
  assert.match(family.answer?.citations[0]?.quote ?? '', /belongs to the family Canidae/)
  assert.deepEqual([...family.degraded].toSorted(), ['decompose', 'planner', 'reasoner'])
  const parts = await ask('What parts does this vehicle have?', 'bicycle')
  assert.equal(parts.kind, 'answered')
  assert.match(parts.answer?.citations[0]?.quote ?? '', /^Parts of bicycle: /)
})

test('without a language model, thin evidence is an abstention with what was tried', async () => {
  const outcome = await ask('In which year was this animal invented?', 'dog')
  assert.equal(outcome.kind, 'abstained')
  assert.equal(outcome.stop, 'exhausted')
  assert.ok(outcome.tried.some(({ tool }) => tool === 'kb_lookup'))
})

test('without a language model, the happy path still finds the number in the pages', async () => {
  const { llm: _, ...scenario } = HAPPY
  const { run } = await runScenario(scenario)
  const outcome = seekOutcome(run)
  assert.equal(outcome?.answer?.short, '26')
})

test('a refused consent and a crop of a person send nothing', async () => {
  const picture = (consent: 'allow' | 'deny', label: string): Scenario => ({
    question: 'Which building is this?',
    consent,
    providers: { image_search: [{ id: 'remote', sends: 'image' }] },
    tools: [
      { tool: 'detect', reply: ok({ boxes: [box('b1', label, 0.9, 2)] }) },
      { tool: 'image_search', reply: ok({ entries: [{ title: 'Arc', kind: 'entity' }] }) },
    ],
  })
  const sent = async (scenario: Scenario) =>
    (await runScenario(scenario)).requests.filter(({ tool }) => tool === 'image_search').length
  assert.equal(await sent(picture('allow', 'building')), 1)
  assert.equal(await sent(picture('deny', 'building')), 0)
  assert.equal(await sent(picture('allow', 'person')), 0)
})

test('a cancelled run keeps its steps', async () => {
  const stop = new AbortController()
  stop.abort(new Error('enough'))
  const { run } = await runScenario(HAPPY, { signal: stop.signal })
  assert.equal(run.outcome.status, 'aborted')
  assert.equal(seekOutcome(run)?.stop, 'cancelled')
})

test('when all sources fail, the run failed with E_SOURCES', async () => {
  const { run } = await runScenario({
    question: 'What is the capital of Peru?',
    tools: [{ tool: 'kb_lookup', reply: { error: 'server' } }],
  })
  assert.equal(run.outcome.status === 'error' && run.outcome.error.code, 'E_SOURCES')
})

const tool = fc.constantFrom(
  'detect',
  'vqa',
  'caption',
  'ocr',
  'image_search',
  'web_search',
  'kb_lookup',
  'llm_qa',
  'open_page',
  'select_object',
  'nonsense',
)
const planReply = fc.oneof(
  fc.record({
    tool,
    query: fc.option(fc.constantFrom('a', 'https://x.y', 'towers', ''), { nil: undefined }),
  }),
  fc.record({ choice: fc.integer({ min: -1, max: 9 }) }),
  fc.constantFrom('garbage', '{"choice":', '[]'),
)
const quote = fc.constantFrom('26 elevators', 'nothing', 'Torre Picasso', 'a dog')
const reasonReply = fc.oneof(
  fc.record({
    verdict: fc.constantFrom('answer', 'informative', 'uninformative'),
    candidates: fc.array(
      fc.record({
        answer: fc.constantFrom('26', 'dog', '99'),
        support: fc.array(fc.record({ entry: fc.constantFrom('e1', 'e2', 'e9'), quote }), {
          maxLength: 2,
        }),
      }),
      { maxLength: 2 },
    ),
  }),
  fc.constantFrom('garbage', '{}'),
)
const output = fc.constantFrom(
  ok({ text: 'a dog' }),
  ok({ entries: [page('a.example', 'Torre Picasso', 'It has 26 elevators.')] }),
  ok({ entries: [] }),
  ok({ boxes: [box('b1', 'dog', 0.9, 2), box('b2', 'car', 0.7, 20)] }),
  { error: 'server' } as const,
  { error: 'rate-limited' } as const,
)

test('whatever planner, reasoner and sources say: it ends, repeats nothing, stays in its graph and budget', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(planReply, { minLength: 1, maxLength: 5 }),
      fc.array(reasonReply, { minLength: 1, maxLength: 5 }),
      fc.array(output, { minLength: 9, maxLength: 9 }),
      fc.integer({ min: 0, max: 9 }),
      async (plans, reasons, outputs, maxToolCalls) => {
        const names = [
          'detect',
          'vqa',
          'caption',
          'ocr',
          'image_search',
          'web_search',
          'kb_lookup',
          'llm_qa',
          'open_page',
        ] as const
        const done = await runScenario({
          ...{ question: 'How many elevators does this building have?', options: { maxToolCalls } },
          llm: {
            decompose: [{ always: 'garbage' }],
            plan: [...plans.slice(0, -1), { always: plans.at(-1) }],
            reason: [...reasons.slice(0, -1), { always: reasons.at(-1) }],
            select: [{ always: { id: 'b1' } }],
          },
          tools: names.map((name, i) => ({ tool: name, reply: outputs[i] ?? ok({}) })),
        })
        const { run } = done
        const calls = run.steps.filter((step): step is SeekCallStep => step.kind === 'call')
        const keys = calls.map(({ sought }) => sought.key)
        assert.equal(new Set(keys).size, keys.length)
        assert.ok(calls.length <= maxToolCalls)
        run.steps.forEach((step, i) => {
          if (step.kind !== 'call') return
          const decide = run.steps[i - 1] as SeekDecideStep
          assert.ok(decide.allowed.includes(step.tool), step.tool)
        })
        const sum = run.steps.reduce((all, step) => all + (step as SeekStep).cost.calls, 0)
        assert.equal(sum, run.cost.calls)
        assert.ok(run.cost.calls <= 32)
        const outcome = seekOutcome(run)
        assert.ok(outcome)
        assert.deepEqual(verifyRun(run)?.dropped, [])
        if (outcome.kind === 'answered') assert.equal(outcome.answer?.supported, true)
        assert.equal(done.timers, 0)
      },
    ),
    { numRuns: 60 },
  )
})
