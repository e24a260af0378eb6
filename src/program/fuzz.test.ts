import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../base/index.ts'
import { check } from './check.ts'
import { evaluate } from './evaluate.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES, withoutPositions } from './fixtures.ts'
import { parse } from './parse.ts'
import { print } from './print.ts'
import { stateOf } from './state.ts'
import { substitute } from './substitute.ts'

// 100,000 inputs in all; more by an argument: `node src/program/fuzz.test.ts 1000000`.
const asked = Number(process.argv[2])
const TOTAL = Number.isInteger(asked) && asked > 0 ? asked : 100_000
const runs = (share: number): { numRuns: number } => ({ numRuns: Math.ceil(TOTAL * share) })

const NAMES = ['A', 'B', 'IMAGE', 'BOX0', 'constructor', 'toString', '__proto__', 'for', 'x']
const name = fc.constantFrom(...NAMES)
const TOOLS = ['LOC', 'COUNT', 'EVAL', 'RESULT', 'SELECT', 'EMOJI', 'loc', 'constructor', 'NOPE']
const PIECES = [
  ...['=', '(', ')', '[', ']', ',', ';', ':', '#', "'", '"', '\\', "\\'", '{', '}', '{{', '`', '“'],
  ...[
    '\n',
    '\r\n',
    ' ',
    '\t',
    '\u00a0',
    '\ufeff',
    '```',
    '- ',
    'Step 1: ',
    '3. ',
    'f',
    'r',
    '-',
    '+',
  ],
  ...[
    'if ',
    'elif ',
    'else',
    'for ',
    ' in ',
    'end',
    ' limit ',
    ' carry ',
    ' from ',
    ' gather ',
    ' as ',
  ],
  ...[
    'True',
    'None',
    '12',
    '0.5',
    '1e999',
    '1_0',
    'image=',
    'object=',
    "'the cat's bowl'",
    '"{A}"',
  ],
]
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PIECES),
      name,
      fc.constantFrom(...TOOLS),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

const text = fc.string({ unit: 'binary', maxLength: 12 }).map((inner) => {
  const escaped = inner.replace(/[\\'\r\n]/g, (unit) =>
    unit === '\n' ? '\\n' : unit === '\r' ? '\\r' : `\\${unit}`,
  )
  return `'${escaped}'`
})
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    name,
    text,
    fc.integer({ min: -1000, max: 1000 }).map(String),
    fc.constantFrom('True', 'false', 'null'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
  ),
})).value
const step = fc
  .tuple(name, fc.constantFrom(...TOOLS), fc.array(fc.tuple(name, value), { maxLength: 3 }))
  .map(
    ([output, tool, args]) =>
      `${output}=${tool}(${args.map(([arg, one]) => `${arg}=${one}`).join(',')})`,
  )
const block = fc.letrec((tie) => ({
  lines: fc
    .array(fc.oneof({ maxDepth: 2 }, step, tie('if'), tie('for')), { maxLength: 3 })
    .map((lines) => lines.join('\n')),
  if: fc
    .tuple(text, tie('lines'), tie('lines'))
    .map(([condition, a, b]) => `if ${condition}\n${a}\nelse\n${b}\nend`),
  for: fc
    .tuple(name, name, tie('lines'))
    .map(([a, b, body]) => `for ${a} in ${b} limit 3 carry ${b} from ${a}\n${body}\nend`),
})).lines as fc.Arbitrary<string>

/** Reads and checks anything: no throw, and every diagnostic has a place in the text. */
function survive(input: string): void {
  const program = parse(input)
  for (const family of [FAMILIES.open, FAMILIES.nlvr]) {
    const found = check(program, { family, signatures: FIXTURE_SIGNATURES })
    for (const { code, line, column, length } of found) {
      assert.match(code, /^[PCW]_[A-Z_]+$/)
      assert.ok(line >= 1 && column >= 1 && length >= 1)
    }
  }
  const errors = program.diagnostics.some((one) => one.severity === 'error')
  if (errors || !program.whole) return
  const again = parse(print(program))
  assert.deepEqual(withoutPositions(again), withoutPositions(program))
  assert.deepEqual(again.diagnostics, [])
  assert.equal(print(again), print(program))
}

describe('fuzz', () => {
  it('parser and checker survive any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), survive), runs(0.15))
  })

  it('parser and checker survive soups of the language’s own words', () => {
    fc.assert(fc.property(soup, survive), runs(0.3))
  })

  it('printing and parsing well-formed programs changes nothing', () => {
    fc.assert(fc.property(block, survive), runs(0.05))
  })

  const words = [
    '{A}',
    '{B}',
    'A',
    '{toString}',
    '__proto__',
    'constructor',
    "'yes'",
    "'{A}'",
    '"x"',
  ]
  const operators = [
    '+',
    '-',
    '*',
    '/',
    '//',
    '%',
    '==',
    '!=',
    '<',
    '<=',
    'in',
    'not in',
    'and',
    'or',
    'xor',
    'not',
    'if',
    'else',
    '(',
    ')',
    '[',
    ']',
    ',',
    'len(',
    'round(',
    'concat(',
    '=',
    '**',
    '.',
  ]
  const state = stateOf({ A: 'twenty-one', B: [1, 'no', null], C: true })
  const expression = fc
    .array(
      fc.oneof(
        fc.constantFrom(...words),
        fc.constantFrom(...operators),
        fc.nat().map(String),
        fc.string({ unit: 'binary', maxLength: 2 }),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(' '))
  const valued = fc.letrec((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('{A}', '{B}', '{C}', '3', '0.5', "'red'", 'yes', 'none', '[1,2]'),
      fc
        .tuple(tie('expression'), fc.constantFrom(...operators.slice(0, 15)), tie('expression'))
        .map(([a, o, b]) => `(${a} ${o} ${b})`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([a, c, b]) => `(${a} if ${c} else ${b})`),
      tie('expression').map((one) => `not ${one}`),
      tie('expression').map((one) => `str(${one})`),
    ),
  })).expression as fc.Arbitrary<string>

  /** Gives a plain value of the language or a fault of EVAL, nothing else. */
  function contained(input: string): void {
    try {
      const result = evaluate(input, state)
      assert.ok(
        ['string', 'number', 'boolean'].includes(typeof result) ||
          result === null ||
          Array.isArray(result),
      )
      assert.ok(typeof result !== 'number' || (Number.isFinite(result) && !Object.is(result, -0)))
    } catch (error) {
      if (!isFault(error)) throw error
      assert.match(error.code, /^X_[A-Z_]+$/)
      assert.equal(error.kind, 'ModelFault')
    }
  }

  it('EVAL contains soups of words and operators', () => {
    fc.assert(fc.property(expression, contained), runs(0.25))
  })

  it('EVAL contains well-formed expressions', () => {
    fc.assert(fc.property(valued, contained), runs(0.15))
  })

  it('EVAL contains any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), contained), runs(0.05))
  })

  it('substitution inserts values once, whatever they hold', () => {
    const inserted = fc.property(fc.string({ unit: 'binary' }), (inner) => {
      assert.equal(substitute('<{A}|{{A}}>', stateOf({ A: inner })), `<${inner}|{A}>`)
    })
    fc.assert(inserted, runs(0.05))
  })

  it('a long text without end costs no more than its length', () => {
    for (const unit of [
      "A=F(x='",
      '((((',
      '[[[[',
      'not ',
      "'a' '",
      '{A',
      '```\n',
      'if "',
      '- - ',
      'A=F(\n',
      "if '1'\n",
      "if '1'\nelse\n",
      'for A in B\n',
      'for A in B\nend\n',
    ]) {
      survive(unit.repeat(Math.floor(20_000 / unit.length)))
      contained(unit.repeat(Math.floor(2000 / unit.length)))
    }
  })
})
