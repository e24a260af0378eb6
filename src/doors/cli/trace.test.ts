import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument, StepDocument } from '../../app/index.ts'
import { callText, costText, milliseconds, traceText, valueText } from './trace.ts'
import type { Paint } from './style.ts'

const plain = (text: string): string => text
const paint: Paint = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
}
const image = { image: 'a'.repeat(64), width: 640, height: 480, box: [0, 0, 640, 480] } as const
const cup = { box: [1, 2, 30, 40], label: 'cup', score: 0.8 } as const

function step(more: Partial<StepDocument>): StepDocument {
  return {
    ...{ index: 0, output: 'BOX0', tool: 'LOC', args: { image, object: 'cup' }, result: [cup] },
    ...{ ms: 412, line: 1, notices: [], models: [] },
    ...more,
  }
}

test('values are told in a few words', () => {
  assert.equal(valueText([]), 'nothing')
  assert.equal(valueText([cup]), '1 object: cup 0.80 [1, 2, 30, 40]')
  assert.equal(valueText([cup, cup]), '2 objects')
  assert.equal(valueText(image), 'picture 640 x 480')
  assert.equal(valueText(['owl', 3, true, null]), 'owl, 3, yes, none')
  assert.equal([...valueText('x'.repeat(200))].length, 60)
  assert.equal(valueText('two\nlines'), 'two lines')
})

test('a call is told by what is not a picture, unless there is nothing else', () => {
  assert.equal(callText(step({})), 'BOX0=LOC(object=cup)')
  assert.equal(
    callText(step({ tool: 'SEG', args: { image } })),
    'BOX0=SEG(image=picture 640 x 480)',
  )
})

test('times are told in the unit that fits', () => {
  assert.deepEqual([0.24, 41.6, 1234].map(milliseconds), ['0.2 ms', '42 ms', '1.2 s'])
})

const run = {
  ...{
    run: 'run_1',
    family: 'gqa',
    instruction: 'How many cups?',
    program: "BOX0=LOC(image=IMAGE,object='cup')",
  },
  steps: [
    step({ notices: [{ code: 'N_X', message: 'Mind this.' }] }),
    step({
      index: 1,
      path: '2/1',
      error: { kind: 'UserFault', code: 'T_INPUT', message: 'No.', fields: {} },
    }),
  ],
  making: { by: 'analogy', attempts: 2, confidence: 0.876, explanation: 'As in "How many dogs?".' },
  costs: { calls: 2, tokens: 900, seconds: 1.5, money: 0.0012, pictures: 1 },
} as unknown as RunDocument

test('the trace tells how the program was made, each step, its notices and its failure', () => {
  assert.equal(
    traceText(run, paint),
    [
      'How many cups?  run_1 · gqa',
      'program made by analogy, 88 % near, at attempt 2',
      '  As in "How many dogs?".',
      "  BOX0=LOC(image=IMAGE,object='cup')",
      '',
      '  1        BOX0=LOC(object=cup)  1 object: cup 0.80 [1, 2, 30, 40]  412 ms',
      '  2 (2/1)  BOX0=LOC(object=cup)  T_INPUT No.                        412 ms',
      '  step 1: N_X Mind this.',
      '',
    ].join('\n'),
  )
})

test('costs are told in one line', () => {
  assert.equal(costText(run), '2 steps · 1.5 s · 2 model calls · 900 tokens · $0.0012')
})
