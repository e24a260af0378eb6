import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryDemonstrations } from '../../../memory/index.ts'
import { check, mayRun, parse } from '../../../program/index.ts'
import { COCO_NAMES } from '../../../tools/index.ts'
import { createChatPlanner } from './chat-planner.ts'
import { writtenOut } from './follow-up.ts'
import { heldOutQuestions } from './held-out.cases.ts'
import { CHAT_FAMILY, CHAT_SIGNATURES } from './language.ts'
import { narrowed } from './narrow.ts'
import { dialogueProgram, startDialogues } from './start-dialogues.ts'

const pool = memoryDemonstrations(startDialogues())
const planner = createChatPlanner(pool, COCO_NAMES)

test('every recorded dialogue passes the checker of its little language', () => {
  for (const { id, program = '' } of startDialogues()) {
    const found = check(parse(program), { family: CHAT_FAMILY, signatures: CHAT_SIGNATURES })
    assert.ok(mayRun(found), `${id}: ${JSON.stringify(found)}`)
  }
})

test('right skill and arguments for at least 90 % of 1,000 questions in unseen wordings', async () => {
  let right = 0
  const questions = heldOutQuestions(1000, 'unseen')
  for (const { question, skill, args } of questions) {
    const action = (await planner.plan(question))?.stages[0]?.[0]
    const same = Object.entries(args).every(([name, text]) => action?.params.get(name) === text)
    if (action?.name === skill && same) right++
  }
  assert.ok(right >= 900, `${right} of ${questions.length}`)
})

test('what was taught counts at once, word for word before everything else', async () => {
  const taught = memoryDemonstrations(startDialogues())
  const own = createChatPlanner(taught, COCO_NAMES)
  const question = 'Do the garden check for the dog.'
  assert.notEqual((await own.plan(question))?.stages[0]?.[0]?.name, 'grounded_sam')
  await taught.put({
    ...{ id: 'mine', family: 'chat', instruction: question, verdict: 'right', score: 0 },
    program: dialogueProgram(["SEGMENT(image=IMAGE,caption='dog')"], 'TELL_FOUND'),
    origin: 'human',
  })
  const plan = await own.plan('Do the garden check for the cat.')
  assert.deepEqual([...(plan?.stages[0]?.[0]?.params ?? [])], [['caption', 'cat']])
  assert.equal(plan?.stages[0]?.[0]?.name, 'grounded_sam')
})

test('skills that build on each other become stages, others one stage', async () => {
  const plan = await planner.plan('Segment the cat and fill it with a rose.')
  const names = plan?.stages.map((stage) => stage.map(({ name }) => name))
  assert.deepEqual(names, [['grounded_sam'], ['inpainting']])
})

test('phrases are cut down to known things with their adjectives', () => {
  const words = new Set(['bench', 'bicycle', 'traffic light'])
  assert.deepEqual(narrowed(['photographer caught', 'old bicycles'], words), ['old bicycle'])
  assert.deepEqual(narrowed(['traffic lights pole'], words), ['traffic light'])
  assert.deepEqual(narrowed(['unicorn'], words), ['unicorn'])
})

test('a question that leans on the one before is written out', () => {
  const earlier = { question: 'How many dogs are there?', things: ['dog'] }
  assert.equal(writtenOut('And what about cats?', earlier), 'How many cats are there?')
  assert.equal(writtenOut('Where is it?', earlier), 'Where is the dog?')
  assert.equal(writtenOut('Where is it?', undefined), 'Where is it?')
})

test('a place in brackets, other pictures and kinds of things say by their form which skill they want', async () => {
  const rows: readonly (readonly [
    question: string,
    skill: string,
    param: string,
    value: unknown,
  ])[] = [
    ['What is this at [0.4, 0.25]? Mask it.', 'sam', 'points', [[0.4, 0.25]]],
    ['Outline what is inside [0.1, 0.2, 0.5, 0.6].', 'sam', 'boxes', [[0.1, 0.2, 0.5, 0.6]]],
    ['Show me further photos of a tram.', 'retrieval', 'prompt', 'tram'],
    ['Do you know what a tram is?', 'retrieval', 'prompt', 'tram'],
  ]
  for (const [question, skill, param, value] of rows) {
    const action = (await planner.plan(question))?.stages[0]?.[0]
    assert.deepEqual([action?.name, action?.params.get(param)], [skill, value], question)
  }
  const count = (await planner.plan('How many photos of a dog are in the picture?'))?.stages[0]?.[0]
  assert.notEqual(count?.name, 'retrieval')
})

test('the other one is the second of two things; it asks the same of it, or where it is', () => {
  const earlier = { question: 'Where are the dog and the cat?', things: ['dog', 'cat'] }
  assert.equal(writtenOut('And the other one?', earlier), 'Where is the cat?')
  assert.equal(writtenOut('Now remove the other one.', earlier), 'Now remove the cat.')
})
