import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parse } from './parse.ts'
import { PARSE_CASES } from './parse.cases.ts'
import { print } from './print.ts'
import { withoutPositions } from './fixtures.ts'

const codes = (text: string): string[] =>
  parse(text).diagnostics.map((one) => `${one.code}@${one.line}:${one.column}`)

const lines = (text: string): string[] => print(parse(text)).split('\n').filter(Boolean)

describe('parsing (program-language 11.1)', () => {
  for (const [id, text, printed, diagnostics] of PARSE_CASES) {
    it(`${id} reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(lines(text), printed)
      assert.deepEqual(codes(text).toSorted(), diagnostics.toSorted())
    })
  }

  it('gives the same tree for the canonical text of every case', () => {
    for (const [, text] of PARSE_CASES) {
      const tree = parse(print(parse(text)))
      const again = parse(print(tree))
      assert.deepEqual(withoutPositions(again), withoutPositions(tree))
    }
  })
})

describe('texts as models write them', () => {
  const read = ['A=SEG(image=IMAGE)', 'R=RESULT(var=A)']

  it('accepts CRLF, CR, a byte-order mark, leading blanks, no-break spaces and comments', () => {
    assert.deepEqual(lines('\ufeff  A=SEG(image=IMAGE) # one\r\n\u00a0\tR=RESULT(var=A);\r'), read)
    assert.deepEqual(codes('\ufeffA=SEG(image=IMAGE)\r\rR=RESULT(var=A)\r'), [])
  })

  it('accepts labels in any letter case, one after another, or alone on a line', () => {
    const text = 'PROGRAM:\nstep 1: A=SEG(image=IMAGE)\n* 2) R=RESULT(var=A)'
    assert.deepEqual(lines(text), read)
    assert.deepEqual(codes(text), [])
  })

  it('reads the first fence that holds a statement, also an unclosed one', () => {
    const text = 'Plan:\n```\nfind it\n```\n```py\nA=SEG(image=IMAGE)\nR=RESULT(var=A)'
    assert.deepEqual(lines(text), read)
    assert.deepEqual(codes(text), [])
  })

  it('puts positions in the text as received, fence included', () => {
    assert.deepEqual(codes('Here:\n```\nA=SEG(image=+1)\n```'), ['P_NUMBER@3:13'])
  })

  it('takes if and for in prose as prose', () => {
    assert.deepEqual(
      codes('if you like:\nfor you\nA=SEG(image=IMAGE)\nR=RESULT(var=A)\nend of it'),
      ['W_PROSE@1:1', 'W_PROSE@2:1', 'W_PROSE@5:1'],
    )
  })

  it('gives one error for a call spread over lines that lacks a comma', () => {
    const text = "A=LOC(\n  image=IMAGE\n  object='dog'\n)\nB=COUNT(box=A)"
    assert.deepEqual(codes(text), ['P_EXPECTED@2:14'])
    assert.deepEqual(lines(text), ['B=COUNT(box=A)'])
  })

  it('gives one error for a condition that is not quoted, and keeps its block', () => {
    const text = 'A=SEG(image=IMAGE)\nif {A} > 0:\nB=COUNT(box=A)\nend\nR=RESULT(var=A)'
    assert.deepEqual(codes(text), ['P_EXPECTED@2:4'])
  })
})

describe('errors of the text', () => {
  const cases: readonly (readonly [text: string, ...codes: string[]])[] = [
    ['', 'P_EMPTY@1:1'],
    ['A=F(x=.5)', 'P_NUMBER@1:7'],
    ['A=F(x=1_000)', 'P_NUMBER@1:7'],
    ['A=F(x=0x1f)', 'P_NUMBER@1:7'],
    ['A=F(x=1e999)', 'P_NUMBER@1:7'],
    ['A=F(x=-)', 'P_NUMBER@1:7'],
    ['A=F(x=[[[[1]]]])'],
    ['A=F(x=[[[[[1]]]]])', 'P_LIMIT@1:11'],
    ["A=F(x='a')[0]", 'P_INDEX@1:11'],
    ['A=F(x=1) then', 'P_EXPECTED@1:10'],
    ['A=F(x=1);;', 'P_EXPECTED_STEP@1:10'],
    ['A=F(,)', 'P_EXPECTED@1:5'],
    ['A=F(x=1,)'],
    ["A='yes'", 'P_EXPECTED@1:3'],
    [`A=F(x=${'b'.repeat(65)})`, 'P_LIMIT@1:7'],
    [`A=F(x='${'b'.repeat(2001)}')`, 'P_LIMIT@1:7'],
    ["A=F(x=1)\nelif '1'\nelse\nend", 'P_BLOCK@2:1', 'P_BLOCK@3:1', 'P_BLOCK@4:1'],
    ["if '1'\nelse\nelse\nend", 'P_BLOCK@3:1'],
    ['for A in B limit 2 limit 3\nend', 'P_EXPECTED@1:20'],
    ['for A in B carry C\nend', 'P_EXPECTED@1:19'],
    ['A=F(x=1)\nif “x”\nend', 'P_SMART_QUOTE@2:4'],
    ["if '1'\nif '1'\nif '1'\nif '1'\nend\nend\nend\nend", 'P_BLOCK@4:1'],
    ["A=F(x='a\\", 'P_UNTERMINATED_STRING@1:7'],
  ]
  for (const [text, ...expected] of cases) {
    it(`reports ${expected.join(' ') || 'nothing'} for ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(codes(text), expected)
    })
  }

  it('refuses a text of more than 20,000 characters and a 101st step', () => {
    assert.deepEqual(codes(' '.repeat(20_001)), ['P_LIMIT@1:20001'])
    assert.deepEqual(codes('A=F()\n'.repeat(101)), ['P_LIMIT@101:1'])
  })

  it('says what was expected and what was found', () => {
    const [first] = parse("A=LOC(image=IMAGE,object='dog' 'cat')").diagnostics
    assert.equal(first?.message, `expected "," or ")", found "'"`)
    assert.match(first?.hint ?? '', /double quotes/)
  })
})

describe('printing', () => {
  it('keeps the backslash pairs of an expression, whatever the delimiter', () => {
    for (const text of [
      String.raw`A=EVAL(expr="{A} == 'rock \'n\' roll'")`,
      String.raw`A=EVAL(expr="{A} == 'it\'s \"x\"'")`,
      String.raw`A=EVAL(expr='{A} == "say \\"')`,
    ]) {
      const tree = parse(text)
      assert.deepEqual(tree.diagnostics, [])
      assert.deepEqual(withoutPositions(parse(print(tree))), withoutPositions(tree))
    }
  })

  it('escapes control characters and chooses the quote that needs no escape', () => {
    const text = String.raw`A=F(x="it's\n\u0007",y='"',z='\'"')`
    assert.equal(print(parse(text)), String.raw`A=F(x="it's\n\u0007",y='"',z='\'"')`)
  })
})
