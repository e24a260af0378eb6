import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNumber, editDistance, expected, nearestNames } from './check.ts'
import { errorData, errorLine } from './errors.ts'

test('an error for a bad argument says what was expected, where, what came, and the way out', () => {
  const error = expected('a number from 0 to 1', 'maxOverlap', 5, 'Give 0.5 for half.')
  assert.equal(
    errorLine(errorData(error)),
    'Expected a number from 0 to 1 for maxOverlap but got 5 (number). Give 0.5 for half.',
  )
  assert.equal(error.code, 'E_ARGUMENT')
})

test('numbers out of range, of no number or not whole are refused', () => {
  assert.equal(checkNumber(2, 'n', { min: 1, max: 3 }), 2)
  for (const bad of [0, 4, NaN, '2', undefined]) {
    assert.throws(() => checkNumber(bad, 'n', { min: 1, max: 3 }), /Expected a number from 1 to 3/)
  }
  assert.throws(() => checkNumber(1.5, 'n', { integer: true }), /a whole number/)
})

test('the nearest names are offered by edit distance', () => {
  assert.equal(editDistance('LOCC', 'LOC'), 1)
  assert.deepEqual(nearestNames('LOCC', ['VQA', 'LOC', 'COUNT']), ['LOC'])
  assert.deepEqual(nearestNames('xylophone', ['LOC']), [])
})

test('a message and its way out are two sentences', () => {
  const line = (message: string): string => errorLine({ message, cure: 'Loop less.' })
  assert.equal(line('more than 500 steps'), 'more than 500 steps. Loop less.')
  assert.equal(line('It is "full."'), 'It is "full." Loop less.')
  assert.equal(line('What is it?'), 'What is it? Loop less.')
})
