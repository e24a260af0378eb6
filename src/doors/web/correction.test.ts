import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument, StepDocument } from '../../app/index.ts'
import { correctReducer, noCorrection } from './correct-state.ts'
import type { CorrectAction, CorrectState } from './correct-state.ts'
import { correctionBody, isMissing, toStepPixels, withoutOptions } from './correction.ts'

/** A picture of 400 × 200 that the step saw at half its size. */
const picture = {
  ...{ image: 'f00d', width: 200, height: 100 },
  box: [0, 0, 400, 200],
} as const
const cup = { box: [40, 40, 120, 120], label: 'cup', score: 0.7 } as const
const step = {
  ...{ index: 0, output: 'A', tool: 'LOC', line: 1, ms: 5, notices: [], models: [] },
  args: { image: picture, object: 'cup' },
  result: [cup, { box: [200, 40, 240, 80], label: 'cup', score: 0.4 }],
} as StepDocument
const reply = {
  ...step,
  ...{ index: 1, tool: 'VQA', args: { image: picture, question: 'What is it?' }, result: 'tea' },
} as StepDocument
const run = {
  ...{ run: 'run_1', answer: '2', program: 'A=LOC()', steps: [step, reply], inputs: {} },
} as unknown as RunDocument

const after = (...actions: readonly CorrectAction[]): CorrectState =>
  actions.reduce(correctReducer, noCorrection)
const wrong = { type: 'wrong', run, pointed: 0 } as const
const thing: CorrectAction = {
  type: 'aim',
  run,
  subject: { kind: 'thing', index: 0, box: cup.box, drawn: false },
}

test('a box of the original is sent in the pixels that the step saw, also of a part', () => {
  assert.deepEqual(toStepPixels([40, 40, 120, 120], picture), [20, 20, 60, 60])
  const part = { ...picture, box: [100, 50, 300, 150] } as const
  assert.deepEqual(toStepPixels([100, 50, 200, 100], part), [0, 0, 100, 50])
  assert.deepEqual(toStepPixels([0, 0, 400, 200], part), [0, 0, 200, 100], 'cut off at the border')
})

test('a wrong answer is put right in words, and one of two is turned round at once', () => {
  const state = after(wrong, { type: 'write', text: ' 3 ' })
  assert.deepEqual(correctionBody(state, run), {
    target: { kind: 'answer' },
    expected: { answer: '3' },
  })
  const either = { ...run, answer: 'yes' }
  assert.equal(correctReducer(noCorrection, { ...wrong, run: either }).text, 'no')
  assert.equal(isMissing(after(wrong)), 'text')
})

test('a found thing is renamed, or said not to be there', () => {
  const renamed = after(thing, { type: 'write', text: 'mug' })
  assert.deepEqual(correctionBody(renamed, run), {
    target: { kind: 'region', index: 0, picture: 'f00d', box: [20, 20, 60, 60] },
    expected: { label: 'mug' },
  })
  assert.equal(after(thing).text, 'cup', 'it begins with the name that it has')
  const gone = after(thing, { type: 'why', reason: 'not-there', run })
  assert.deepEqual(correctionBody(gone, run).expected, { rejected: true })
  assert.equal(correctionBody(gone, run).reason, 'not-there')
})

test('a thing that was missed is drawn, and named for what the step looked for', () => {
  const drawn = after(
    { type: 'aim', run, subject: { kind: 'step', index: 0 } },
    { type: 'draw', drawing: true },
    { type: 'drew', box: [300, 100, 380, 180] },
  )
  assert.deepEqual(correctionBody(drawn, run), {
    target: { kind: 'region', index: 0, picture: 'f00d', box: [150, 50, 190, 90] },
    expected: { label: 'cup' },
  })
})

test('what was found beside its place is moved there; the others stay', () => {
  const moved = after(
    thing,
    { type: 'why', reason: 'wrong-place', run },
    { type: 'drew', box: [60, 60, 140, 140] },
  )
  assert.deepEqual(correctionBody(moved, run), {
    target: { kind: 'step', index: 0 },
    expected: {
      label: 'cup',
      boxes: [
        [100, 20, 120, 40],
        [30, 30, 70, 70],
      ],
    },
    reason: 'wrong-place',
  })
})

test('a tap takes up what was found there, and elsewhere puts a new box down', () => {
  const size = { width: 400, height: 200 }
  const draw = [
    { type: 'aim', run, subject: { kind: 'step', index: 0 } },
    { type: 'draw', drawing: true },
  ] as const
  const hit = after(...draw, { type: 'tapped', at: { x: 50, y: 50 }, size, run })
  assert.deepEqual(hit.subject, { kind: 'thing', index: 0, box: cup.box, drawn: false })
  const free = after(...draw, { type: 'tapped', at: { x: 330, y: 100 }, size, run })
  assert.deepEqual(free.subject, { kind: 'thing', index: 0, box: [305, 75, 355, 125], drawn: true })
})

test('a reason leads to what is put right', () => {
  const plan = after(wrong, { type: 'why', reason: 'bad-plan', run })
  assert.deepEqual(correctionBody(plan, run).target, { kind: 'program' })
  const misread = after(wrong, { type: 'why', reason: 'misread-text', run })
  const read = correctReducer(misread, { type: 'write', text: 'coffee' })
  assert.deepEqual(correctionBody(read, run), {
    target: { kind: 'step', index: 1 },
    expected: { answer: 'coffee' },
    reason: 'misread-text',
  })
  const photo = after(
    wrong,
    { type: 'write', text: '3' },
    { type: 'why', reason: 'bad-photo', run },
  )
  assert.equal(correctionBody(photo, run).scope, 'this', 'a bad photograph teaches nothing')
})

test('what was shown is forgotten as soon as something else is said', () => {
  const came = { feedback: { id: 'c', run: 'run_1' }, retired: [] }
  const shown = after(
    wrong,
    { type: 'write', text: '3' },
    { type: 'check' },
    { type: 'checked', came },
  )
  const ticked = correctReducer(shown, { type: 'tick', example: 1 })
  assert.deepEqual([ticked.phase, ticked.without], ['shown', [1]])
  assert.deepEqual(correctReducer(ticked, { type: 'tick', example: 1 }).without, [])
  const said = correctReducer(ticked, { type: 'write', text: '4' })
  assert.deepEqual([said.phase, said.came, said.without], ['open', undefined, []])
})

test('options of the command line are left out of what the page says', () => {
  assert.equal(
    withoutOptions('What step 1 missed was not shown: give its place with --step and --box.'),
    'What step 1 missed was not shown.',
  )
  assert.equal(
    withoutOptions('A bad photograph is not learnt from.'),
    'A bad photograph is not learnt from.',
  )
})
