import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScenario } from '../../testing/index.ts'
import type { Scenario, ScenarioRun } from '../../testing/index.ts'
import { box, HAPPY, ok, page, REST } from './happy.cases.ts'
import { DEFAULT_GRAPH, edgesOf, seekOutcome } from './index.ts'
import type { SeekCallStep, SeekDecideStep, SeekReasonStep } from './index.ts'

const decides = ({ run }: ScenarioRun): readonly SeekDecideStep[] =>
  run.steps.filter((step): step is SeekDecideStep => step.kind === 'decide')
const calls = ({ run }: ScenarioRun): readonly SeekCallStep[] =>
  run.steps.filter((step): step is SeekCallStep => step.kind === 'call')
const reasons = ({ run }: ScenarioRun): readonly SeekReasonStep[] =>
  run.steps.filter((step): step is SeekReasonStep => step.kind === 'reason')
const outcome = ({ run }: ScenarioRun) => {
  const found = seekOutcome(run)
  assert.ok(found)
  return found
}

test('1: the happy path answers 26 with its sources along the graph', async () => {
  const done = await runScenario(HAPPY)
  const { kind, answer, stop } = outcome(done)
  assert.equal(kind, 'answered')
  assert.equal(stop, 'answer')
  assert.equal(answer?.short, '26')
  assert.ok(answer?.citations.some(({ quote }) => quote.includes('26')))
  assert.ok(!answer?.conflicts.some(({ value }) => value === '18'))
  assert.deepEqual(
    calls(done).map(({ tool }) => tool),
    ['detect', 'select_object', 'image_search', 'web_search'],
  )
  for (const step of decides(done)) {
    const state = step.state as Parameters<typeof edgesOf>[1]
    const graph = edgesOf(DEFAULT_GRAPH, state, step.phase).map(({ tool }) => tool)
    const taken = step.excluded.map(({ tool }) => tool)
    assert.deepEqual(
      [...new Set([...step.allowed, ...taken])].toSorted(),
      graph.toSorted(),
      `${step.state} ${step.phase}`,
    )
  }
  assert.ok(Math.abs((answer?.confidence ?? 0) - 0.6 * 0.936) < 0.001)
  assert.equal(done.timers, 0)
})

test('2: an irrelevant object is left, and nothing of it is seen again', async () => {
  const done = await runScenario({
    question: 'What genus is the fungus?',
    llm: {
      decompose: [{ visual: 'Which fungus is this?', knowledge: '#', answerType: 'name' }],
      plan: [
        { tool: 'detect' },
        { tool: 'image_search' },
        { tool: 'select_object' },
        { tool: 'image_search' },
      ],
      select: [{ id: 'b1' }],
      reason: [
        { verdict: 'uninformative', why: 'plants only' },
        {
          verdict: 'answer',
          candidates: [{ answer: 'Stereum', support: [{ entry: 'e1', quote: 'Stereum' }] }],
        },
      ],
    },
    tools: [
      {
        tool: 'detect',
        reply: ok({ boxes: [box('b1', 'leaf', 0.9, 2), box('b2', 'fungus', 0.8, 30)] }),
      },
      {
        ...{ tool: 'image_search', times: 1 },
        reply: ok({ entries: [{ title: 'CANARY oak leaf', kind: 'page' }] }),
      },
      { tool: 'image_search', reply: ok({ entries: [{ title: 'Stereum', kind: 'entity' }] }) },
      ...REST,
    ],
  })
  assert.equal(outcome(done).kind, 'answered')
  assert.equal(outcome(done).answer?.short, 'Stereum')
  const selected = calls(done).filter(({ tool }) => tool === 'select_object')
  assert.deepEqual(
    selected.map(({ result }) => result),
    ['b1', 'b2'],
  )
  const seen = done.prompts.filter(({ text }) => text.includes('CANARY'))
  assert.equal(seen.length, 1, 'the leaf is read once, then never shown')
  assert.ok(!JSON.stringify(outcome(done).answer).includes('CANARY'))
  const after = decides(done).find(({ excluded }) =>
    excluded.some(({ why }) => why === 'uninformative'),
  )
  assert.equal(after?.excluded.find(({ why }) => why === 'uninformative')?.tool, 'image_search')
  assert.equal(done.prompts.filter(({ role }) => role === 'select').length, 1)
})

test('3: a planner that repeats itself is refused, repaired once, and replaced by the likeliest action', async () => {
  const done = await runScenario({
    question: 'Which building is this?',
    options: { maxToolCalls: 6 },
    llm: {
      decompose: [{ visual: 'Which building is this?', knowledge: '#', answerType: 'name' }],
      plan: [{ always: { tool: 'vqa' } }],
      select: [{ always: { id: 'b1' } }],
      reason: [{ always: { verdict: 'uninformative' } }],
    },
    tools: [
      { tool: 'detect', reply: ok({ boxes: [] }) },
      { tool: 'image_search', reply: ok({ entries: [{ title: 'x', kind: 'page' }] }) },
      { tool: 'ocr', reply: ok({ lines: [{ text: 'EXIT' }] }) },
      ...REST.filter(({ tool }) => tool !== 'ocr'),
    ],
  })
  const keys = calls(done).map(({ sought }) => sought.key)
  assert.equal(new Set(keys).size, keys.length)
  const fallback = decides(done).find(({ by }) => by === 'fallback')
  assert.equal(fallback?.repairs.length, 2)
  assert.equal(fallback?.action, 'detect')
  assert.ok(keys.length <= 6)
  assert.equal(outcome(done).kind, 'abstained')
})

test('4: an action outside the graph is not executed, repaired, and counted', async () => {
  const done = await runScenario({
    question: 'How many elevators does this building have?',
    llm: {
      ...HAPPY.llm,
      plan: [
        { tool: 'web_search', query: 'towers' },
        { tool: 'caption' },
        { always: { choice: 1 } },
      ],
      reason: [{ always: { verdict: 'uninformative' } }],
      select: [{ always: { id: 'b1' } }],
    },
    tools: [
      { tool: 'detect', reply: ok({ boxes: [] }) },
      { tool: 'image_search', reply: ok({ entries: [] }) },
      ...REST,
    ],
  })
  assert.equal(calls(done)[0]?.tool, 'caption')
  assert.equal(outcome(done).plannerErrors, 1)
  assert.ok(!calls(done).some(({ tool }) => tool === 'web_search'))
})

test('5: three pages outweigh one guess, and the guess is shown as a conflict', async () => {
  const done = await runScenario({
    question: 'How many engines does this plane have?',
    llm: {
      decompose: [
        {
          visual: 'Which plane is this?',
          knowledge: 'How many engines does # have?',
          answerType: 'number',
        },
      ],
      plan: [{ tool: 'vqa' }, { tool: 'image_search' }, { tool: 'web_search' }],
      reason: [
        {
          verdict: 'informative',
          claims: [{ text: 'may be a 747', entry: 'e1', quote: 'Boeing 747' }],
          candidates: [{ answer: 'Boeing 747', support: [{ entry: 'e1', quote: 'Boeing 747' }] }],
        },
        {
          verdict: 'answer',
          candidates: [
            {
              answer: 'Airbus A380',
              support: ['e1', 'e2', 'e3'].map((entry) => ({ entry, quote: 'Airbus A380' })),
            },
          ],
        },
        {
          verdict: 'answer',
          candidates: [{ answer: '4', support: [{ entry: 'e1', quote: 'four engines' }] }],
        },
      ],
    },
    tools: [
      { tool: 'detect', reply: ok({ boxes: [] }) },
      { tool: 'vqa', reply: ok({ text: 'Boeing 747' }) },
      {
        tool: 'image_search',
        reply: ok({
          entries: ['a', 'b', 'c'].map((host) =>
            page(`${host}.example`, 'Airbus A380', `Airbus A380 at ${host}`),
          ),
        }),
      },
      {
        ...{ tool: 'web_search' },
        reply: ok({ entries: [page('d.example', 'A380', 'It has four engines.')] }),
      },
      ...REST.filter(({ tool }) => tool !== 'vqa'),
    ],
  })
  const bound = reasons(done).find(({ bound }) => bound !== undefined)?.bound
  assert.equal(bound?.value, 'Airbus A380')
  assert.ok(Math.abs((bound?.confidence ?? 0) - 0.766) < 0.001)
  const { answer } = outcome(done)
  assert.ok(answer?.conflicts.some(({ value, slot }) => value === 'Boeing 747' && slot === '#'))
  const q = done.requests.find(({ tool }) => tool === 'web_search')?.args.q ?? ''
  assert.match(q, /A380/)
  assert.doesNotMatch(q, /747/)
  assert.equal(answer?.short, '4')
})

test('6: a source that hangs is left after its limit and one retry; the next one answers', async () => {
  const done = await runScenario({
    ...HAPPY,
    providers: { web_search: [{ id: 'a' }, { id: 'b' }] },
    tools: [
      { tool: 'web_search', provider: 'a', reply: { hang: true } },
      ...(HAPPY.tools ?? []).map((line) =>
        line.tool === 'web_search' ? { ...line, provider: 'b' } : line,
      ),
    ],
  })
  const web = calls(done).find(({ tool }) => tool === 'web_search')
  assert.deepEqual(
    web?.sought.attempts.map(({ provider, result }) => `${provider} ${result}`),
    ['a timeout', 'a timeout', 'b ok'],
  )
  assert.equal(web?.sought.attempts[0]?.ms, 10_000)
  assert.equal(calls(done).filter(({ tool }) => tool === 'web_search').length, 1)
  assert.ok(done.elapsedMs < 120_000)
  assert.equal(done.timers, 0)
  assert.equal(outcome(done).kind, 'answered')
})

const BALL: Scenario = {
  question: 'What is the diameter of a tennis ball in centimetres?',
  llm: {
    decompose: [
      {
        visual: null,
        knowledge: 'What is the diameter of a tennis ball in centimetres?',
        ...{ answerType: 'number', unit: 'cm' },
      },
    ],
    plan: [{ always: { tool: 'web_search' } }],
    reason: [
      {
        always: {
          verdict: 'answer',
          candidates: [
            {
              answer: '6.54 - 6.86',
              support: [
                { entry: 'e1', quote: '65.4–68.6 mm' },
                { entry: 'e2', quote: '2.57–2.70 in' },
                { entry: 'e3', quote: '6.54–6.86 cm' },
              ],
            },
          ],
        },
      },
    ],
  },
  tools: [
    {
      tool: 'web_search',
      reply: ok({
        entries: [
          page('a.example', 'Balls', 'The diameter is 65.4–68.6 mm.'),
          page('b.example', 'Rules', 'A ball of 2.57–2.70 in.'),
          page('c.example', 'Tennis', 'Tennis balls measure 6.54–6.86 cm.'),
        ],
      }),
    },
  ],
}

test('7: sources in three units agree; the one in the unit asked for is shown', async () => {
  const { answer, kind } = outcome(await runScenario(BALL))
  assert.equal(kind, 'answered')
  assert.match(answer?.short ?? '', /^6\.54 [-–] 6\.86 cm$/)
  assert.equal(answer?.derivation, 'literal')
  assert.equal(answer?.citations.length, 3)
})

test('7: a value in another unit is converted and both are shown, or refused', async () => {
  const mm = (unit: string): Scenario => ({
    ...BALL,
    options: { maxToolCalls: 2, answerAt: 0.6 },
    llm: {
      ...BALL.llm,
      decompose: [
        { visual: null, knowledge: 'How big is a tennis ball?', answerType: 'number', unit },
      ],
      reason: [
        {
          always: {
            verdict: 'answer',
            candidates: [
              { answer: '65.4–68.6', support: [{ entry: 'e1', quote: '65.4–68.6 mm' }] },
            ],
          },
        },
      ],
    },
    tools: [
      { tool: 'web_search', reply: ok({ entries: [page('a.example', 'Balls', '65.4–68.6 mm')] }) },
    ],
  })
  const cm = outcome(await runScenario(mm('cm')))
  assert.equal(cm.answer?.short, '6.54 - 6.86 cm')
  assert.equal(cm.answer?.shown, '65.4–68.6 mm')
  assert.equal(cm.answer?.derivation, 'unit')
  const kg = await runScenario(mm('kg'))
  assert.equal(outcome(kg).answer, undefined)
  assert.ok(reasons(kg).some(({ rejected }) => rejected.some(({ why }) => why === 'unit')))
})

test('9: a name that stands only in the picture is read, searched for, and cited with its place', async () => {
  const done = await runScenario({
    question: 'How many rooms does this hotel have?',
    llm: {
      decompose: [
        {
          visual: 'Which hotel is this?',
          knowledge: 'How many rooms does # have?',
          answerType: 'number',
        },
      ],
      plan: [{ tool: 'detect' }, { tool: 'ocr' }, { tool: 'web_search' }],
      reason: [
        {
          verdict: 'answer',
          candidates: [
            { answer: 'Hotel Aurora', support: [{ entry: 'e1', quote: 'Hotel Aurora' }] },
          ],
        },
        {
          verdict: 'answer',
          candidates: [{ answer: '120', support: [{ entry: 'e1', quote: '120 rooms' }] }],
        },
      ],
    },
    tools: [
      { tool: 'detect', reply: ok({ boxes: [] }) },
      {
        tool: 'ocr',
        reply: ok({
          lines: [
            { text: 'WELCOME', box: [1, 1, 20, 6] },
            { text: 'Hotel Aurora', box: [3, 10, 40, 20] },
          ],
        }),
      },
      {
        ...{ tool: 'web_search', args: { q: 'How many rooms does Hotel Aurora have?' } },
        reply: ok({ entries: [page('a.example', 'Hotel Aurora', 'The house has 120 rooms.')] }),
      },
      ...REST.filter(({ tool }) => tool !== 'ocr'),
    ],
  })
  assert.equal(outcome(done).answer?.short, '120')
  assert.equal(reasons(done)[0]?.by, 'code')
  assert.equal(reasons(done)[0]?.verdict, 'uninformative')
  const cited = outcome(done).answer?.citations.find(({ tool }) => tool === 'ocr')
  assert.deepEqual(cited?.box, [3, 10, 40, 20])
  assert.equal(cited?.quote, 'Hotel Aurora')
})
