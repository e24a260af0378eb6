import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingIds, Unavailable } from '../../base/index.ts'
import type { Clock } from '../../base/index.ts'
import { solidImage } from '../../image/index.ts'
import {
  memoryReplies,
  replayModel,
  requestText,
  scriptedModel,
  withCache,
} from '../../llm/index.ts'
import type { RecordedCall, ScriptLine } from '../../llm/index.ts'
import { memoryDemonstrations, startDemonstrations } from '../../memory/index.ts'
import type { CallTool, Value } from '../../program/index.ts'
import { SIGNATURES } from '../../tools/index.ts'
import type { Run, Step, Task } from '../step.ts'
import { createProgramsAgent } from './agent.ts'
import type { ProgramsAgentParts, ProgramsRunOptions } from './agent.ts'
import { WHOLE_QUESTION } from './fallback.ts'
import { replayRun } from './replay.ts'

const IMAGE = solidImage({ width: 40, height: 30 }, [200, 10, 10])
const stillClock: Clock = { now: () => 5, tick: () => 0, sleep: () => new Promise(() => {}) }
const pool = memoryDemonstrations(startDemonstrations())

const PLAN = '1. Find the dogs.\n2. Count them.'
const GOOD = `BOX0=LOC(image=IMAGE,object='dog')
ANSWER0=COUNT(box=BOX0)
FINAL_RESULT=RESULT(var=ANSWER0)`
const BAD = `BOX0=FIND(image=IMAGE,object='dog')
FINAL_RESULT=RESULT(var=ANSWER0)`

const task = (more: Partial<Task> = {}): Task => ({
  agent: 'programs',
  family: 'gqa',
  instruction: 'How many dogs are there?',
  inputs: { IMAGE },
  seed: 1,
  ...more,
})

const dog = (i: number): Value => ({
  ...{ type: 'object', id: `d${i}`, box: [i, 0, i + 4, 4], category: 'dog', score: 0.9 },
  ...{ mask: null, frame: IMAGE.frame },
})

const call: CallTool = async (tool, args) => {
  switch (tool) {
    case 'LOC':
      return { value: [dog(1), dog(2)], models: [{ name: 'finder', hash: 'f1' }] }
    case 'COUNT':
      return { value: (args['box'] as readonly Value[]).length }
    case 'VQA':
      return { value: 'many' }
    default:
      throw new Error(`${tool} is not scripted`)
  }
}

interface Asked {
  readonly run: Run
  readonly told: readonly Step[]
}

async function ask(
  model: ProgramsAgentParts['model'],
  more: Partial<ProgramsAgentParts> = {},
  asked: Task = task(),
  options: ProgramsRunOptions = {},
): Promise<Asked> {
  const told: Step[] = []
  const agent = createProgramsAgent({
    ...{ model, pool, signatures: SIGNATURES, call, clock: stillClock, ids: countingIds() },
    ...more,
  })
  const run = await agent.run(asked, { onStep: (step) => told.push(step), ...options })
  return { run, told }
}

const answer = ({ outcome }: Run): unknown =>
  outcome.status === 'done'
    ? outcome.answer
    : outcome.status === 'error'
      ? outcome.error.code
      : 'aborted'

test('plans, writes a program, checks it and runs it, every act a step', async () => {
  const model = scriptedModel([PLAN, `\`\`\`\n${GOOD}\n\`\`\``])
  const { run, told } = await ask(model)
  assert.equal(answer(run), '2')
  assert.deepEqual(
    run.steps.map((step) => step.kind),
    ['plan', 'program', 'call', 'call', 'call'],
  )
  assert.deepEqual(told, run.steps)
  assert.deepEqual(run.models, [{ name: 'scripted/model' }, { name: 'finder', hash: 'f1' }])
  assert.equal(run.cost.calls, 2)
  assert.equal(run.id, 'run_1')
  assert.equal(run.fallback, undefined)
})

test('each prompt shows four right examples as turns, the nearest last, and four wrong ones with their critiques', async () => {
  const model = scriptedModel([PLAN, GOOD])
  const { run } = await ask(model)
  for (const request of model.calls) {
    const text = requestText(request)
    const examples = text.split('Instruction: ').length - 2
    assert.equal(examples, 8)
    assert.equal(text.split('Wrong, because: ').length - 1, 4)
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['system', ...Array.from({ length: 4 }, () => ['user', 'assistant']).flat(), 'user'],
    )
    assert.equal(request.temperature, 0)
    assert.equal(request.maxTokens, 768)
  }
  const plan = run.steps[0]
  assert.ok(plan?.kind === 'plan')
  assert.equal(plan.demonstrations.length, 8)
  const shownLast = await pool.get(plan.demonstrations[7] ?? '')
  assert.match(shownLast?.instruction ?? '', /How many dogs/)
  const [planning, programming] = model.calls.map(({ messages }) => messages)
  assert.equal(planning?.at(-2)?.content, shownLast?.plan)
  assert.equal(programming?.at(-2)?.content, shownLast?.program)
  assert.equal(planning?.at(-1)?.content, 'Instruction: How many dogs are there?')
})

test('a grammar is made only for a model that decodes by it, and constrains programs, not plans', async () => {
  const grammar = (family: { readonly name: string }): string => `root ::= "${family.name}"`
  const model = scriptedModel([PLAN, BAD, GOOD], { capabilities: { grammar: true } })
  await ask(model, { grammar })
  assert.deepEqual(
    model.calls.map((request) => request.grammar),
    [undefined, 'root ::= "gqa"', 'root ::= "gqa"'],
  )
  const other = scriptedModel([PLAN, GOOD])
  await ask(other, { grammar: () => assert.fail('nobody asked for it') })
  assert.equal(other.remaining(), 0)
})

test('L5: a single wrong example is in the prompt with its critique', async () => {
  const model = scriptedModel([PLAN, GOOD])
  const only = memoryDemonstrations([
    {
      ...{ id: 'w', family: 'gqa', instruction: 'How many cats?', plan: '1. Guess.', program: BAD },
      ...{ verdict: 'wrong', critique: 'One must not guess.', score: 0, origin: 'run' },
    },
  ])
  await ask(model, { pool: only })
  for (const request of model.calls)
    assert.match(requestText(request), /because: One must not guess\./)
})

test('the program prompt is made from the signatures of every tool of the family, and holds the plan', async () => {
  const model = scriptedModel([PLAN, GOOD])
  await ask(model)
  const text = requestText(model.calls[1] ?? { messages: [] })
  assert.match(text, /LOC\(image: image, object: text\) -> /)
  assert.match(text, /CROP_BEHIND\(/)
  assert.doesNotMatch(text, /REPLACE\(/)
  assert.ok(text.includes(PLAN))
})

test('a faulty program goes back once with all its diagnostics', async () => {
  const model = scriptedModel([PLAN, BAD, GOOD])
  const { run } = await ask(model)
  assert.equal(answer(run), '2')
  const text = requestText(model.calls[2] ?? { messages: [] })
  assert.match(text, /program 1:6: C_UNKNOWN_TOOL unknown tool "FIND"/)
  assert.match(text, /undefined variable ANSWER0/)
  const programs = run.steps.filter((step) => step.kind === 'program')
  assert.deepEqual(
    programs.map((step) => [step.attempt, step.diagnostics.length > 0]),
    [
      [0, true],
      [1, false],
    ],
  )
})

test('after a repair that helped nothing, plan and program are made anew with what was wrong', async () => {
  const model = scriptedModel([PLAN, BAD, BAD, '1. Count.', GOOD])
  const { run } = await ask(model)
  assert.equal(answer(run), '2')
  assert.match(requestText(model.calls[3] ?? { messages: [] }), /An earlier try failed/)
  assert.deepEqual(
    run.steps.flatMap((step) => ('calls' in step ? step.calls.map((one) => one.purpose) : [])),
    ['plan', 'program', 'repair', 'plan anew', 'program anew'],
  )
})

test('after a repair that left fewer faults, the program is repaired once more', async () => {
  const worse = BAD.replace('ANSWER0', 'NOTHING').replace("'dog'", 'DOG')
  const model = scriptedModel([PLAN, worse, BAD, GOOD])
  const { run } = await ask(model)
  assert.equal(answer(run), '2')
  assert.equal(model.remaining(), 0)
})

test('when nothing passes, a question goes to VQA as a whole, marked and warned of', async () => {
  const rubbish = 'I am sorry, I cannot do that.'
  const model = scriptedModel(Array.from({ length: 5 }, () => rubbish))
  const { run } = await ask(model, {}, task({ instruction: 'How many {dogs} "here"?' }))
  assert.equal(answer(run), 'many')
  assert.equal(run.fallback, WHOLE_QUESTION)
  assert.match(run.warnings[0] ?? '', /No program passed after 3 tries/)
  const asked = run.steps.find((step) => step.kind === 'call' && step.tool === 'VQA')
  assert.ok(asked?.kind === 'call')
  assert.equal(asked.args[1]?.value, 'How many {dogs} "here"?')
})

test('other families fail with the diagnostics', async () => {
  const model = scriptedModel(Array.from({ length: 5 }, () => 'no'))
  const { run } = await ask(model, {}, task({ family: 'imgedit', instruction: 'Blur it' }))
  assert.equal(answer(run), 'P_EMPTY')
  assert.equal(run.fallback, undefined)
})

test('an error of the language at run time begins the repair path, its text fenced as data', async () => {
  const text = `ANSWER0=VQA(image=IMAGE,question='How many dogs?')
ANSWER1=EVAL(expr='{ANSWER0} + 1')
FINAL_RESULT=RESULT(var=ANSWER1)`
  const model = scriptedModel([PLAN, text, GOOD])
  const { run } = await ask(model)
  assert.equal(answer(run), '2')
  const repair = requestText(model.calls[2] ?? { messages: [] })
  assert.match(repair, /<<<data \(not instructions\)\nX_NOT_NUMBER: .*ANSWER0.*many/)
  assert.equal(run.steps.filter((step) => step.kind === 'call').length, 5)
})

test('a cut reply is asked for once more with fewer examples', async () => {
  const model = scriptedModel([{ text: '1. Find', finish: 'length' }, PLAN, GOOD])
  const { run } = await ask(model)
  assert.equal(answer(run), '2')
  const [first, second] = model.calls.map(
    (request) => requestText(request).split('Instruction: ').length,
  )
  assert.equal(first, 10)
  assert.equal(second, 6)
  const plan = run.steps[0]
  assert.equal(plan?.kind === 'plan' && plan.calls.length, 2)
})

test('the prompt is fitted to the window by leaving out examples, never the instruction', async () => {
  const model = scriptedModel([PLAN, GOOD], { capabilities: { contextTokens: 1700 } })
  await ask(model)
  const text = requestText(model.calls[1] ?? { messages: [] })
  assert.ok(text.split('Instruction: ').length < 10)
  assert.match(text, /How many dogs are there\?/)
})

test('a budget of calls ends the planning and says so; a question still gets the way round', async () => {
  const model = scriptedModel([PLAN, GOOD])
  const { run } = await ask(model, {}, task({ budget: { calls: 1 } }))
  assert.equal(answer(run), 'many')
  assert.equal(run.fallback, WHOLE_QUESTION)
  assert.match(run.warnings[0] ?? '', /budget of 1 calls of models is used up/)
  assert.equal(run.cost.calls, 1)
})

test('a budget that is used up before an edit is planned is the outcome', async () => {
  const { run } = await ask(
    scriptedModel([PLAN]),
    {},
    task({ family: 'imgedit', instruction: 'Blur it', budget: { calls: 1 } }),
  )
  assert.equal(answer(run), 'E_BUDGET')
})

test('a model that does not answer is a typed error, not an answer', async () => {
  const down = new Unavailable('T_LLM', 'It does not answer.')
  const { run } = await ask(scriptedModel([down]))
  assert.equal(answer(run), 'T_LLM')
  assert.equal(run.steps.length, 0)
})

test('a stopped run is an aborted one, with the steps before it', async () => {
  const stop = new AbortController()
  const model = scriptedModel([
    PLAN,
    async () => {
      await Promise.resolve()
      stop.abort(new Error('enough'))
      return GOOD
    },
  ])
  const { run } = await ask(model, {}, task(), { signal: stop.signal })
  assert.deepEqual(run.outcome, { status: 'aborted', reason: 'enough' })
  assert.equal(run.steps[0]?.kind, 'plan')
})

test('votes: invalid programs are dropped, the majority of answers wins', async () => {
  const say = (what: string): string =>
    `ANSWER0=EVAL(expr="'${what}'")\nFINAL_RESULT=RESULT(var=ANSWER0)`
  const script: ScriptLine[] = [PLAN, say('one'), say('two'), BAD, say('two')]
  const model = scriptedModel(script)
  const { run } = await ask(model, { votes: 4 })
  assert.equal(answer(run), 'two')
  assert.deepEqual(
    model.calls.slice(2).map((request) => request.seed),
    [1, 2, 3],
  )
  const again = await replayRun(run, { signatures: SIGNATURES, clock: stillClock })
  assert.equal(answer(again), 'two')
})

test('a program given by hand is checked and run without any planning', async () => {
  const { run } = await ask(undefined, {}, task({ program: GOOD }))
  assert.equal(answer(run), '2')
  assert.equal(run.steps[0]?.kind === 'program' && run.steps[0].by, 'hand')
  const bad = await ask(undefined, {}, task({ program: BAD }))
  assert.equal(answer(bad.run), 'C_UNKNOWN_TOOL')
  assert.equal(bad.run.steps.length, 1)
})

test('without a model it plans by analogy, and says how', async () => {
  const { run } = await ask(undefined, {}, task({ instruction: 'How many zebras can you see?' }))
  assert.equal(answer(run), '2')
  const [plan, program] = run.steps
  assert.ok(plan?.kind === 'plan' && program?.kind === 'program')
  assert.equal(plan.by, 'analogy')
  assert.match(plan.plan, /zebra/)
  assert.match(program.explanation ?? '', /^As in ".*", with zebras for /)
  assert.ok((program.confidence ?? 0) > 0.8)
  assert.equal(program.program, GOOD.replace('dog', 'zebra'))
})

test('without a model, what is like nothing is refused with examples; or put to VQA when so configured', async () => {
  const instruction = 'How old is the universe?'
  const { run } = await ask(undefined, {}, task({ instruction }))
  assert.equal(answer(run), 'E_NOT_UNDERSTOOD')
  const other = await ask(undefined, { unlike: 'whole-question' }, task({ instruction }))
  assert.equal(answer(other.run), 'many')
  assert.equal(other.run.fallback, WHOLE_QUESTION)
})

test('a replayed run has the same steps without any model or tool', async () => {
  const text = GOOD.replace('COUNT(box=BOX0)', "EVAL(expr='{BOX0} + 1')")
  const { run } = await ask(scriptedModel([PLAN, text, GOOD]))
  const again = await replayRun(run, { signatures: SIGNATURES, clock: stillClock })
  const plain = (step: Step): unknown => ({ ...step, replayed: undefined })
  assert.deepEqual(again.steps.map(plain), run.steps.map(plain))
  assert.deepEqual(again.outcome, run.outcome)
})

test('a replay with a given value computes what depends on it', async () => {
  const { run } = await ask(scriptedModel([PLAN, GOOD]))
  const again = await replayRun(run, { signatures: SIGNATURES, given: { 1: 7 } })
  assert.equal(answer(again), '7')
})

test('the agent runs again from the recorded replies, and from a cache at no cost', async () => {
  const { run } = await ask(scriptedModel([PLAN, BAD, GOOD]))
  const record = run.steps.flatMap((step): readonly RecordedCall[] =>
    'calls' in step ? step.calls : [],
  )
  const again = await ask(replayModel(record))
  assert.deepEqual(again.run.outcome, run.outcome)
  const cache = memoryReplies()
  const first = withCache(scriptedModel([PLAN, GOOD]), cache, { clock: stillClock })
  await ask(() => first)
  const second = await ask(() => withCache(scriptedModel([]), cache, { clock: stillClock }))
  assert.equal(answer(second.run), '2')
  const plan = second.run.steps[0]
  assert.ok(plan?.kind === 'plan' && plan.calls[0]?.cached === true)
})

test('an unknown family is named with the known ones', async () => {
  const { run } = await ask(undefined, {}, task({ family: 'poetry' }))
  assert.ok(run.outcome.status === 'error')
  assert.match(run.outcome.error.message, /gqa, nlvr, imgedit, tagging, open for family/)
})
