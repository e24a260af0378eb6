import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cropImage, solidImage } from '../image/index.ts'
import type { ObjectRecord } from '../image/index.ts'
import { scriptedModel } from '../llm/index.ts'
import { FAMILIES, parse, runProgram } from '../program/index.ts'
import type { CallTool, Family } from '../program/index.ts'
import { SIGNATURES } from '../tools/index.ts'
import { normaliseAnswer, sameAnswer } from './agrees.ts'
import type { Attempt } from './attempt.ts'
import { globalReflector, inferAnswer, localReflector } from './by-model.ts'
import { conceptsOfSteps } from './concept-of.ts'
import { convertSteps } from './convert.ts'
import { checkByReplay, replayReflector } from './replay.ts'

const IMAGE = solidImage({ width: 90, height: 90 }, [10, 60, 200])
const object = (id: string, x: number, score = 0.9): ObjectRecord => ({
  ...{ type: 'object', id, box: [x, 0, x + 10, 10], category: 'dog', score, mask: null },
  frame: IMAGE.frame,
})

async function attempt(
  program: string,
  call: CallTool,
  options: { family?: Family; instruction?: string } = {},
): Promise<Attempt> {
  const { family = FAMILIES.gqa, instruction = 'What is asked?' } = options
  const inputs = { IMAGE }
  const run = await runProgram(parse(program), { inputs, call, signatures: SIGNATURES, family })
  return { family, signatures: SIGNATURES, instruction, inputs, program, ...run }
}

const COUNTING = `BOX0=LOC(image=IMAGE,object='dog')
BOX1=LOC(image=IMAGE,object='cat')
N0=COUNT(box=BOX0)
N1=COUNT(box=BOX1)
A=EVAL(expr="{N0} + {N1}")
FINAL_RESULT=RESULT(var=A)`

const TWO_QUESTIONS = `A0=VQA(image=IMAGE,question='Is it day?')
A1=VQA(image=IMAGE,question='Is it warm?')
A=EVAL(expr="'yes' if {A0} == 'yes' and {A1} == 'yes' else 'no'")
FINAL_RESULT=RESULT(var=A)`

test('results are told in words, by step', async () => {
  const run = await attempt(COUNTING, async (tool, args) =>
    tool === 'LOC'
      ? args['object'] === 'dog'
        ? { value: [object('d', 3)] }
        : { value: [], notices: [{ code: 'N', message: 'only looked twice' }] }
      : { value: (args['box'] as unknown[]).length },
  )
  const words = await convertSteps(run.steps)
  assert.deepEqual(
    words.map(({ index, result }) => `${index} ${result}`),
    [
      '0 1 found: dog at top left [3, 0, 13, 10], score 0.90',
      '1 nothing found; only looked twice',
      '2 1',
      '3 0',
      '4 1',
      '5 1',
    ],
  )
  assert.equal(words[0]?.call, "BOX0=LOC(image=IMAGE,object='dog')")
})

test('replay blames the unsure step of two that could explain a wrong count, and says what was missed', async () => {
  const run = await attempt(COUNTING, async (tool, args) => {
    if (tool !== 'LOC') return { value: (args['box'] as unknown[]).length }
    const dog = args['object'] === 'dog'
    return { value: dog ? [object('d', 3, 0.95)] : [object('c', 40, 0.35), object('e', 60, 0.9)] }
  })
  const { blames } = await replayReflector().reflect(run, { answer: '2' })
  assert.deepEqual([blames[0]?.step, blames[0]?.tool, blames[0]?.concept], [1, 'LOC', 'cat'])
  assert.equal((blames[0]?.expected as ObjectRecord[]).length, 1)
  assert.equal(blames[0]?.confirmed, true)
  assert.ok((blames[0]?.confidence ?? 0) > (blames[1]?.confidence ?? 1))
})

test('two faults at once are found as a pair', async () => {
  const run = await attempt(TWO_QUESTIONS, async () => ({ value: 'no', score: 0.5 }))
  const { blames } = await replayReflector().reflect(run, { answer: 'yes' })
  assert.deepEqual(
    blames.map(({ step, expected }) => [step, expected]),
    [
      [0, 'yes'],
      [1, 'yes'],
    ],
  )
})

test('of several places that were missed the one is given that another tool takes for the thing', async () => {
  const run = await attempt(COUNTING, async (tool, args) =>
    tool === 'LOC'
      ? { value: args['object'] === 'dog' ? [object('d', 3, 0.95)] : [] }
      : { value: (args['box'] as unknown[]).length },
  )
  const places = [object('a', 20).box, object('b', 50).box]
  const { blames } = await replayReflector({
    proposals: async () => places,
    opinion: async (_, box, concept) => (concept === 'cat' && box === places[1] ? 0.9 : 0.1),
  }).reflect(run, { answer: '2' })
  const [blame] = blames
  assert.deepEqual([blame?.step, blame?.concept], [1, 'cat'])
  assert.deepEqual((blame?.expected as ObjectRecord[])[0]?.box, places[1])
})

test('a later step is judged by what it is asked once an earlier one is set right', async () => {
  const program = `BOX0=LOC(image=IMAGE,object='dog')
IMAGE0=CROP(image=IMAGE,box=BOX0)
A=VQA(image=IMAGE0,question='What is it?')
B=EVAL(expr="'yes' if {A} == 'poodle' else 'no'")
FINAL_RESULT=RESULT(var=B)`
  const asked: number[] = []
  const call: CallTool = async (tool, args) => {
    if (tool === 'LOC') return { value: [object('d', 3, 0.2)] }
    const image = args['image'] as typeof IMAGE
    if (tool === 'CROP')
      return { value: cropImage(image, (args['box'] as ObjectRecord[])[0]?.box ?? [0, 0, 9, 9]) }
    asked.push(image.frame.x)
    return { value: 'unknown', score: 0.3 }
  }
  const run = await attempt(program, call)
  await replayReflector({ call, proposals: async () => [[50, 0, 60, 10]] }).reflect(run, {
    answer: 'yes',
  })
  assert.ok(new Set(asked).size > 1, 'the question is asked again of the other crop')
})

test('without a right answer, or when nothing explains it, replay finds nobody to blame', async () => {
  const run = await attempt(TWO_QUESTIONS, async () => ({ value: 'no' }))
  assert.deepEqual((await replayReflector().reflect(run, {})).blames, [])
  assert.deepEqual((await replayReflector().reflect(run, { answer: 'seven' })).blames, [])
})

test('a crash of a tool blames the tool, one of the language the program', async () => {
  const broken = await attempt(TWO_QUESTIONS, async () => Promise.reject(new Error('gone')))
  const blame = (await replayReflector().reflect(broken, {})).blames[0]
  assert.deepEqual([blame?.location, blame?.step], ['tool', 0])
  const wrong = 'A=VQA(image=IMAGE,question="How many?")\nB=EVAL(expr="{A} + 1")\nR=RESULT(var=B)'
  const crashed = await attempt(wrong, async () => ({ value: 'many' }))
  assert.equal((await replayReflector().reflect(crashed, {})).blames[0]?.location, 'program')
})

const CLAIM = (more: object): string => JSON.stringify({ reason: 'it is so', ...more })

test('global reflection blames the tool that was called at the step, with its concept', async () => {
  const run = await attempt(COUNTING, async (tool, args) =>
    tool === 'LOC' ? { value: [] } : { value: (args['box'] as unknown[]).length },
  )
  const model = scriptedModel([
    CLAIM({ location: 'tool', step: 2, reason: 'SEG would have seen the cat', confidence: 0.8 }),
  ])
  const verdict = await globalReflector({ model }).reflect(run, { answer: '1' })
  assert.deepEqual(verdict.blames[0], {
    ...{ location: 'tool', step: 1, tool: 'LOC', concept: 'cat', confidence: 0.8 },
    reason: 'SEG would have seen the cat',
  })
  assert.equal(verdict.calls.length, 1)
  assert.match(verdict.calls[0]?.prompt ?? '', /step 2: BOX1=LOC.*\n.*nothing found/)
})

test('L13: a step that the program does not have is asked for again once, then nobody is blamed', async () => {
  const run = await attempt(TWO_QUESTIONS, async () => ({ value: 'no' }))
  const wrong = CLAIM({ location: 'tool', step: 9 })
  const model = scriptedModel([wrong, wrong])
  const verdict = await globalReflector({ model }).reflect(run, { answer: 'yes' })
  assert.deepEqual(verdict.blames, [])
  assert.equal(model.calls.length, 2)
  const better = scriptedModel([wrong, CLAIM({ location: 'tool', step: 1, expected: 'yes' })])
  const again = await globalReflector({ model: better }).reflect(run, { answer: 'yes' })
  assert.deepEqual([again.blames[0]?.step, again.blames[0]?.expected], [0, 'yes'])
})

test('L14: a blamed tool that cannot learn makes it a fault of the program', async () => {
  const program =
    'A=CROP(image=IMAGE,box=[[0,0,5,5]])\nB=VQA(image=A,question="What?")\nR=RESULT(var=B)'
  const run = await attempt(program, async (tool) => ({ value: tool === 'CROP' ? IMAGE : 'sky' }))
  const model = scriptedModel([CLAIM({ location: 'tool', step: 1 })])
  const { blames } = await globalReflector({ model }).reflect(run, { answer: 'sea' })
  assert.deepEqual([blames[0]?.location, blames[0]?.step], ['program', 0])
})

test('a model that writes lines instead of JSON is read, and prose that names a tool decides nothing', async () => {
  const run = await attempt(TWO_QUESTIONS, async () => ({ value: 'no' }))
  const lines = 'location: tool\nstep: 2\nreason: the plan and the program are fine'
  const verdict = await globalReflector({ model: scriptedModel([lines]) }).reflect(run, {})
  assert.deepEqual([verdict.blames[0]?.location, verdict.blames[0]?.step], ['tool', 1])
  const prose = 'The VQA tool in the program is to blame, or the plan.'
  const nothing = await globalReflector({ model: scriptedModel([prose, prose]) }).reflect(run, {})
  assert.deepEqual(nothing.blames, [])
})

test('local reflection ends at the first wrong step, and finding none is a regular outcome', async () => {
  const run = await attempt(TWO_QUESTIONS, async () => ({ value: 'no' }))
  const right = CLAIM({ location: 'none' })
  const model = scriptedModel([right, CLAIM({ location: 'tool', step: 2, expected: 'Yes' })])
  const verdict = await localReflector({ model }).reflect(run, { answer: 'yes' })
  assert.deepEqual([verdict.by, verdict.blames[0]?.step, verdict.calls.length], ['local', 1, 2])
  const all = scriptedModel([right, right, right, right])
  const none = await localReflector({ model: all }).reflect(run, { answer: 'yes' })
  assert.deepEqual([none.blames, none.calls.length], [[], 4])
})

test('a claim that no replay supports is put behind what explains the fault', async () => {
  const program = `A0=VQA(image=IMAGE,question='Colour?')
A1=VQA(image=IMAGE,question='Is it day?')
FINAL_RESULT=RESULT(var=A1)`
  const run = await attempt(program, async (_tool, { question }) => ({
    value: question === 'Colour?' ? 'red' : 'no',
  }))
  const model = scriptedModel([CLAIM({ location: 'tool', step: 1, confidence: 0.9 })])
  const claimed = await globalReflector({ model }).reflect(run, { answer: 'yes' })
  const checked = await checkByReplay(claimed, run, { answer: 'yes' })
  assert.deepEqual(
    checked.blames.map(({ step }) => step),
    [1, 0],
  )
  assert.equal(checked.blames[0]?.expected, 'yes')
})

test('an answer is inferred only if the rest of the program then ends as wished', async () => {
  const program = `A0=VQA(image=IMAGE,question='Colour?')
A=EVAL(expr="'yes' if {A0} == 'blue' else 'no'")
FINAL_RESULT=RESULT(var=A)`
  const run = await attempt(program, async () => ({ value: 'green' }))
  const blame = { location: 'tool', step: 0, confidence: 1, reason: 'wrong colour' } as const
  const model = scriptedModel(['{"answers":["red","Blue","navy"]}', '{"answers":["red"]}'])
  const found = await inferAnswer(run, { answer: 'yes' }, blame, { model })
  assert.equal(found.answer, 'blue')
  const none = await inferAnswer(run, { answer: 'yes' }, blame, { model })
  assert.equal(none.answer, undefined)
})

test('L6: what each tool of a program had to know', async () => {
  const program = `OBJ0=SEG(image=IMAGE)
OBJ1=SELECT(image=IMAGE,object=OBJ0,query='the mug',category=None)
IMAGE0=REPLACE(image=IMAGE,object=OBJ1,prompt='a teapot')
FINAL_RESULT=RESULT(var=IMAGE0)`
  const call: CallTool = async (tool) =>
    tool === 'REPLACE' ? { value: IMAGE } : { value: [object('o', 1)] }
  const run = await attempt(program, call, { family: FAMILIES.imgedit })
  assert.deepEqual(
    conceptsOfSteps(run.steps).map(({ tool, concept }) => `${tool} ${concept}`),
    ['SEG mug', 'SELECT mug', 'REPLACE teapot'],
  )
})

test('L9: answers say the same across articles, numbers in words, plurals and truth values', () => {
  assert.notEqual('two', '2')
  assert.ok(sameAnswer('two', '2'))
  assert.ok(sameAnswer('The Dogs.', 'dog'))
  assert.ok(sameAnswer('true', 'yes'))
  assert.ok(!sameAnswer('yes', 'no'))
  assert.ok(!sameAnswer('red', 'redder'))
  assert.equal(normaliseAnswer('a baseball bat'), 'baseball bat')
})
