import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFault } from '../base/index.ts'
import type { ModelFault } from '../base/index.ts'
import { evaluate, evaluateCondition } from './evaluate.ts'
import { EVALUATE_CASES, SUBSTITUTE_CASES } from './evaluate.cases.ts'
import { stateOf } from './state.ts'
import { substitute } from './substitute.ts'
import type { Value } from './value.ts'

function fault(work: () => unknown): ModelFault {
  try {
    work()
  } catch (error) {
    if (isFault(error) && error.kind === 'ModelFault') return error as ModelFault
    throw error
  }
  throw new assert.AssertionError({ message: 'expected a fault' })
}

describe('EVAL (program-language 11.4)', () => {
  for (const [id, expression, state, outcome] of EVALUATE_CASES) {
    it(`${id} ${expression} over ${JSON.stringify(state)}`, () => {
      if (!('code' in outcome)) {
        assert.deepEqual(evaluate(expression, stateOf(state)), outcome.value)
        return
      }
      const { code, fields } = fault(() => evaluate(expression, stateOf(state)))
      assert.equal(code, outcome.code)
      if (outcome.at !== undefined) assert.equal(fields['at'], outcome.at)
      if (outcome.variable !== undefined) assert.equal(fields['variable'], outcome.variable)
      if (outcome.value !== undefined) assert.equal(fields['value'], outcome.value)
    })
  }
})

describe('substitution (program-language 11.3)', () => {
  for (const [id, text, state, result] of SUBSTITUTE_CASES) {
    it(`${id} ${text}`, () => assert.equal(substitute(text, stateOf(state)), result))
  }

  it('names a variable that is not there', () => {
    assert.equal(fault(() => substitute('{A}', stateOf({}))).code, 'X_UNDEFINED')
  })
})

describe('values of expressions', () => {
  const cases: readonly (readonly [expression: string, value: Value])[] = [
    ['not not yes', true],
    ['1 < 2 < 3 < 3', false],
    ['(1 < 2) == yes', true],
    ['7 // -2', -4],
    ['-7 % 3', 2],
    ['--3', 3],
    ['-0', 0],
    ['round(1.005, 2)', 1.01],
    ['round(-2.5)', -3],
    ['round(1234.5, -2)', 1200],
    ['int(-2.7) + float("3")', 1],
    ['min([3, "two"]) + max(1, 2)', 4],
    ['sum([])', 0],
    ['str(True)', 'yes'],
    ['bool("3")', true],
    ["f'a' == 'A '", true],
    ["'{{x}}'", '{x}'],
    ['None == 0', true],
    ['[1, "two"] == ["one", 2]', true],
    ['[1] == 1', false],
    ['"a" in "Banana"', true],
    ['3 in [1, "three"]', true],
    ['"nine hundred and ninety-nine" + 1', 1000],
    ['"a hundred" + 1', 101],
    ['"two thousand" == 2000', false],
    ['1 if "" == "" else 2', 1],
    [String.raw`'a\u0041\n' == 'aa'`, true],
    ['"it" < 3 if no else "fine"', 'fine'],
  ]
  for (const [expression, value] of cases) {
    it(`${expression} is ${JSON.stringify(value)}`, () =>
      assert.deepEqual(evaluate(expression, stateOf({})), value))
  }
})

describe('faults of expressions', () => {
  const cases: readonly (readonly [expression: string, code: string, at: number])[] = [
    ['1 && 2', 'X_SYNTAX', 2],
    ['2 ** 3', 'X_SYNTAX', 2],
    ['1 <> 2', 'X_SYNTAX', 2],
    ['1 === 1', 'X_SYNTAX', 4],
    ['A is 3', 'X_SYNTAX', 2],
    ['{A.b}', 'X_SYNTAX', 0],
    ['{A:.2f}', 'X_SYNTAX', 0],
    ['(1', 'X_SYNTAX', 2],
    ['1 2', 'X_SYNTAX', 2],
    ['.5', 'X_SYNTAX', 0],
    ['0x1f', 'X_SYNTAX', 0],
    ["'open", 'X_SYNTAX', 0],
    ["r'x'", 'X_SYNTAX', 0],
    ['round(1, 2, 3)', 'X_FUNCTION', 0],
    ['constructor(1)', 'X_FUNCTION', 0],
    ['__proto__', 'X_UNDEFINED', 0],
    ['1 + min([])', 'X_RANGE', 8],
    ['1 in 2', 'X_TYPE', 5],
    ['len("abc")', 'X_TYPE', 4],
    ['1e300 * 1e300', 'X_RANGE', 0],
    ['1 % 0', 'X_DIV_ZERO', 4],
    [`${'('.repeat(60)}1${')'.repeat(60)}`, 'X_LIMIT', 50],
    [`1${' + 1'.repeat(600)}`, 'X_LIMIT', 2000],
  ]
  for (const [expression, code, at] of cases) {
    it(`${expression.slice(0, 40)} is ${code} at ${at}`, () => {
      const found = fault(() => evaluate(expression, stateOf({ A: 1 })))
      assert.deepEqual([found.code, found.fields['at']], [code, at])
    })
  }

  it('names variable, value and step', () => {
    const state = stateOf({ ANSWER0: 'many', ANSWER1: 1 })
    const { message } = fault(() =>
      evaluate('{ANSWER0} + {ANSWER1} == 3', state, { where: 'EVAL, step 3' }),
    )
    assert.equal(message, "ANSWER0 is 'many', not a number (EVAL, step 3)")
  })

  it('tells the way out of other languages', () => {
    assert.equal(fault(() => evaluate('A = 1', stateOf({ A: 1 }))).cure, 'Use ==.')
    assert.equal(fault(() => evaluate('lenn(A)', stateOf({ A: 1 }))).cure, 'Did you mean len?')
  })

  it('takes a condition by the rules of the logical context', () => {
    assert.equal(evaluateCondition('{A}', stateOf({ A: '2' })), true)
    assert.equal(fault(() => evaluateCondition('{A}', stateOf({ A: 'red' }))).code, 'X_NOT_BOOLEAN')
  })
})
