import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument, StepDocument } from '../../app/index.ts'
import { cannotSend, firstState, pageReducer } from './page-state.ts'
import type { PageAction, PageState } from './page-state.ts'

const picture = { name: 'street.jpg', address: 'blob:1' }
const cup = { box: [1, 2, 30, 40], label: 'cup', score: 0.8, on: 'IMAGE' } as const

function step(index: number, result: StepDocument['result']): StepDocument {
  return {
    ...{
      index,
      output: 'A',
      tool: 'LOC',
      args: {},
      result,
      ms: 1,
      line: 1,
      notices: [],
      models: [],
    },
  }
}

function after(...actions: readonly PageAction[]): PageState {
  return actions.reduce(pageReducer, firstState)
}

const run = {
  run: 'run_1',
  steps: [step(0, [cup]), step(1, 1)],
  program: 'A=…',
  instruction: 'How many?',
}
const finish = { type: 'finish', run: run as unknown as RunDocument } as const

test('a run comes to the page step by step, the newest thing seen is pointed at', () => {
  const state = after(
    { type: 'choose', pictures: [picture] },
    { type: 'write', instruction: 'How many cups?' },
    { type: 'send' },
    { type: 'sent', run: 'run_1' },
    { type: 'stream', part: { type: 'step', step: step(0, [cup]) } },
    { type: 'stream', part: { type: 'step', step: step(1, 1) } },
  )
  assert.equal(state.phase, 'running')
  assert.equal(state.steps.length, 2)
  assert.equal(state.pointed, 0)
  const done = pageReducer(state, { type: 'stream', part: finish })
  assert.equal(done.phase, 'done')
  assert.equal(done.pointed, 0)
  assert.equal(done.status, '')
})

test('a step that is told again after a break stands there once', () => {
  const again = { type: 'stream', part: { type: 'step', step: step(0, [cup]) } } as const
  assert.equal(after(again, again).steps.length, 1)
})

test('another picture clears the result, the third pushes out the first', () => {
  const done = after({ type: 'choose', pictures: [picture] }, { type: 'stream', part: finish })
  const two = [1, 2, 3].reduce(
    (state, n) =>
      pageReducer(state, { type: 'add', picture: { name: `${n}`, address: `blob:${n}` } }),
    done,
  )
  assert.equal(two.document, undefined)
  assert.deepEqual(
    two.pictures.map((one) => one.name),
    ['2', '3'],
  )
  assert.deepEqual(pageReducer(two, { type: 'remove', index: 0 }).pictures[0]?.name, '3')
})

test('an error ends the run on the page', () => {
  const error = { kind: 'UserFault', code: 'E_PICTURE_TYPE', message: 'No.', fields: {} } as const
  assert.equal(after({ type: 'send' }, { type: 'refused', error }).error?.code, 'E_PICTURE_TYPE')
  const failed = after({ type: 'stream', part: { type: 'failed', error } })
  assert.deepEqual([failed.phase, failed.error], ['done', error])
})

test('a break of the line is said while a run goes on, not after', () => {
  assert.notEqual(after({ type: 'send' }, { type: 'stream', part: { type: 'lost' } }).status, '')
  const late = after({ type: 'stream', part: finish }, { type: 'stream', part: { type: 'lost' } })
  assert.equal(late.status, '')
})

test('the button says what is missing', () => {
  assert.equal(cannotSend(firstState), 'Choose a picture first.')
  const chosen = after({ type: 'choose', pictures: [picture] })
  assert.equal(cannotSend(chosen), 'Say what you would like.')
  const ready = pageReducer(chosen, { type: 'write', instruction: 'How many?' })
  assert.equal(cannotSend(ready), undefined)
  assert.match(
    cannotSend(pageReducer(ready, { type: 'mode', mode: 'compare' })) ?? '',
    /second picture/,
  )
})
