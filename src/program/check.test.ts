import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { check } from './check.ts'
import { CHECK_CASES } from './check.cases.ts'
import type { Diagnostic } from './diagnostic.ts'
import { mayRun, programFault } from './diagnostic.ts'
import { FAMILIES } from './families.ts'
import { FIXTURE_SIGNATURES } from './fixtures.ts'
import { parse } from './parse.ts'

type FamilyName = keyof typeof FAMILIES

const diagnose = (text: string, family: FamilyName = 'open'): readonly Diagnostic[] =>
  check(parse(text), { family: FAMILIES[family], signatures: FIXTURE_SIGNATURES })

const codes = (text: string, family: FamilyName = 'open'): string[] =>
  diagnose(text, family).map((one) => `${one.code}@${one.line}:${one.column}`)

describe('checking (program-language 11.2)', () => {
  for (const [id, family, text, expected] of CHECK_CASES) {
    it(`${id} ${family}: ${expected.join(' ') || 'no fault'}`, () => {
      assert.deepEqual(codes(text, family), expected)
    })
  }

  it('names variable and step of an undefined variable', () => {
    const [, , text] = CHECK_CASES[0] ?? []
    assert.equal(diagnose(text ?? '', 'gqa')[0]?.message, 'undefined variable ANSWER1, step 2')
  })
})

describe('values', () => {
  const cases: readonly (readonly [text: string, ...codes: string[]])[] = [
    ['A=CROP(image=IMAGE,box=[1,2,30,40])\nR=RESULT(var=A)'],
    ['A=CROP(image=IMAGE,box=[[1,2,30,40],[0,0,1,1]])\nR=RESULT(var=A)'],
    ['A=CROP(image=IMAGE,box=[30,2,1,40])\nR=RESULT(var=A)', 'C_VALUE@1:24'],
    ['A=CROP(image=IMAGE,box=[1,2,3])\nR=RESULT(var=A)', 'C_TYPE@1:24'],
    ['A=CROP(image=IMAGE,box=[])\nR=RESULT(var=A)', 'C_VALUE@1:24'],
    ["A=VQA(image=IMAGE,question=' ')\nR=RESULT(var=A)", 'C_VALUE@1:28'],
    ["A=LIST(query='a',max=2.5)\nR=RESULT(var=A)", 'C_VALUE@1:22'],
    ["A=LIST(query='a',max='2')\nR=RESULT(var=A)", 'C_TYPE@1:22'],
    ["A=LIST(query='a',max=101)\nR=RESULT(var=A)", 'C_VALUE@1:22'],
    ['A=LIST(query=3)\nR=RESULT(var=A)'],
    ['A=SEG(image=None)\nR=RESULT(var=A)', 'C_TYPE@1:13'],
    [
      "A=SEG(image=IMAGE)\nB=SELECT(image=IMAGE,object=A,query=['cup','{A}'],category=None)\nR=RESULT(var=B)",
      'C_TYPE@2:45',
    ],
    ["A=SEG(image=IMAGE)\nB=EMOJI(image=IMAGE,object=A,emoji='Smiling Face')\nR=RESULT(var=B)"],
    ["A=SEG(image=IMAGE)\nB=EMOJI(image=IMAGE,object=A,emoji=';)')\nR=RESULT(var=B)"],
    ["R=RESULT(var='yes')", 'C_TYPE@1:14'],
    ['A=SEG(image=IMAGE)\nB=EVAL(expr=A)\nR=RESULT(var=B)', 'C_TYPE@2:13'],
    ["A=EVAL(expr=\"'{IMAGE}' == 'x'\")\nR=RESULT(var=A)", 'C_TYPE@1:15'],
    [
      'A=VQA(IMAGE,"q","r")\nR=RESULT(var=A)',
      'W_POSITIONAL@1:7',
      'W_POSITIONAL@1:13',
      'C_TOO_MANY_ARGS@1:17',
    ],
    ['A=NEW(x=B)\nR=RESULT(var=A)', 'C_UNKNOWN_TOOL@1:3', 'C_UNDEFINED@1:9'],
    ['__a=SEG(image=IMAGE)\nR=RESULT(var=IMAGE)', 'C_NAME@1:1'],
    ['A=SEG(image=IMAGE)', 'W_UNUSED@1:1', 'C_NO_RESULT@1:1'],
    ['R=RESULT(var=IMAGE)\nS=RESULT(var=IMAGE)', 'C_MANY_RESULTS@2:1'],
    ['toString=SEG(image=IMAGE)\nR=RESULT(var=toString)'],
    ['R=RESULT(var=constructor)', 'C_UNDEFINED@1:14'],
  ]
  for (const [text, ...expected] of cases) {
    it(`reports ${expected.join(' ') || 'nothing'} for ${JSON.stringify(text)}`, () => {
      assert.deepEqual(codes(text).toSorted(), expected.toSorted())
    })
  }
})

describe('blocks', () => {
  const seg = 'A=SEG(image=IMAGE)\n'
  const cases: readonly (readonly [about: string, text: string, ...codes: string[]])[] = [
    ['a list is needed', 'for O in IMAGE gather O as L\nend\nR=RESULT(var=L)', 'C_TYPE@1:10'],
    [
      'the limit is 1 to 100',
      `${seg}for O in A limit 101 gather O as L\nend\nR=RESULT(var=L)`,
      'C_VALUE@2:18',
    ],
    [
      'body variables end with it',
      `${seg}for O in A\nB=COUNT(box=O)\nend\nR=RESULT(var=B)`,
      'W_UNUSED@3:1',
      'C_UNDEFINED@5:14',
    ],
    [
      'two loops may use the same names',
      `${seg}for O in A gather O as L\nend\nfor O in A gather O as M\nend\nB=COUNT(box=L)\nC=COUNT(box=M)\nD=EVAL(expr='{B}+{C}')\nR=RESULT(var=D)`,
    ],
    [
      'a carried name is assigned once',
      `${seg}for O in A carry V from IMAGE\nV=BGBLUR(image=V,object=O)\nV=BGBLUR(image=V,object=O)\nend\nR=RESULT(var=V)`,
      'C_REASSIGNED@4:1',
    ],
    [
      'a carried name may be assigned in each arm',
      `${seg}for O in A carry V from IMAGE\nif "len(A) > 1"\nV=BGBLUR(image=V,object=O)\nelse\nV=COLORPOP(image=V,object=O)\nend\nend\nR=RESULT(var=V)`,
    ],
    [
      'a carried value keeps its type',
      `${seg}for O in A carry V from IMAGE\nV=COUNT(box=O)\nend\nR=RESULT(var=V)`,
      'C_TYPE@3:1',
    ],
    [
      'an inner loop may carry the carried name on',
      `${seg}for O in A carry V from IMAGE\nfor P in A carry V from V\nV=BGBLUR(image=V,object=P)\nend\nend\nR=RESULT(var=V)`,
    ],
    [
      'an input cannot be carried',
      `${seg}for O in A carry IMAGE from IMAGE\nIMAGE=BGBLUR(image=IMAGE,object=O)\nend\nR=RESULT(var=IMAGE)`,
      'C_REASSIGNED@2:18',
      'C_REASSIGNED@3:1',
    ],
    [
      'what is gathered must be set',
      `${seg}for O in A gather Q as L\nend\nR=RESULT(var=L)`,
      'C_UNDEFINED@2:19',
    ],
    [
      'what is gathered must be set surely',
      `${seg}for O in A gather Q as L\nif '1'\nQ=COUNT(box=O)\nend\nend\nR=RESULT(var=L)`,
      'C_MAYBE_UNDEFINED@2:19',
    ],
    [
      'an unreadable loop gives one error',
      `${seg}for O in 3\nB=COUNT(box=O)\nend\nR=RESULT(var=A)`,
      'P_EXPECTED@2:10',
      'W_UNUSED@3:1',
    ],
    ['conditions are checked', `${seg}if "{A} >"\nend\nR=RESULT(var=A)`, 'C_EXPR@2:10'],
  ]
  for (const [about, text, ...expected] of cases) {
    it(about, () => assert.deepEqual(codes(text), expected))
  }
})

describe('families', () => {
  it('takes only the picture of TAG as the result of tagging', () => {
    assert.deepEqual(codes('R=RESULT(var=IMAGE)', 'tagging'), ['C_TYPE@1:14'])
  })

  it('offers a tool that names the family in its signature', () => {
    const own = { name: 'MINE', args: [], out: 'text', families: ['gqa'], about: '' } as const
    const options = { family: FAMILIES.gqa, signatures: [own] }
    assert.deepEqual(check(parse('A=MINE()\nR=RESULT(var=A)'), options), [])
  })

  it('takes inputs that are given instead of the family’s', () => {
    const inputs = [{ name: 'IMAGE2', kind: 'image' }] as const
    const options = { family: FAMILIES.open, signatures: FIXTURE_SIGNATURES, inputs }
    assert.deepEqual(check(parse('R=RESULT(var=IMAGE2)'), options), [])
  })
})

describe('the fault that goes back to a model', () => {
  it('holds every error with place and hint, and the code of the first', () => {
    const found = diagnose('A=LOCC(image=IMAGE)\nR=RESULT(var=B)')
    assert.equal(mayRun(found), false)
    const fault = programFault(found)
    assert.equal(fault.code, 'C_UNKNOWN_TOOL')
    assert.match(
      fault.message,
      /^program 1:3: C_UNKNOWN_TOOL unknown tool "LOCC" Did you mean LOC\? Tools: /,
    )
    assert.match(fault.message, /program 2:14: C_UNDEFINED undefined variable B, step 2/)
  })
})

describe('whole cases (program-language 11.6)', () => {
  const cases: readonly (readonly [about: string, family: FamilyName, text: string])[] = [
    [
      '1: a bus left of the lamp',
      'gqa',
      `BOX0=LOC(image=IMAGE,object='lamp')
IMAGE0=CROP_LEFTOF(image=IMAGE,box=BOX0)
BOX1=LOC(image=IMAGE0,object='bus')
ANSWER0=COUNT(box=BOX1)
ANSWER1=EVAL(expr="'yes' if {ANSWER0} > 0 else 'no'")
FINAL_RESULT=RESULT(var=ANSWER1)`,
    ],
    [
      '2: the sofa above the rug',
      'gqa',
      `BOX0=LOC(image=IMAGE,object='rug')
IMAGE0=CROP_ABOVE(image=IMAGE,box=BOX0)
ANSWER0=VQA(image=IMAGE0,question='What colour is the sofa?')
FINAL_RESULT=RESULT(var=ANSWER0)`,
    ],
    [
      '3: three dogs in total',
      'nlvr',
      `ANSWER0=VQA(image=LEFT,question='How many dogs are there?')
ANSWER1=VQA(image=RIGHT,question='How many dogs are there?')
ANSWER2=EVAL(expr='{ANSWER0} + {ANSWER1} == 3')
FINAL_ANSWER=RESULT(var=ANSWER2)`,
    ],
    [
      '12: two faces hidden',
      'imgedit',
      `OBJ0=FACEDET(image=IMAGE)
OBJ1=SELECT(image=IMAGE,object=OBJ0,query='A',category=None)
IMAGE0=EMOJI(image=IMAGE,object=OBJ1,emoji='winking_face')
OBJ2=SELECT(image=IMAGE,object=OBJ0,query='B',category=None)
IMAGE1=EMOJI(image=IMAGE0,object=OBJ2,emoji='8)')
FINAL_RESULT=RESULT(var=IMAGE1)`,
    ],
    [
      'tagging',
      'tagging',
      `OBJ0=FACEDET(image=IMAGE)
LIST0=LIST(query='famous painters',max=20)
OBJ1=CLASSIFY(image=IMAGE,object=OBJ0,categories=LIST0)
IMAGE0=TAG(image=IMAGE,object=OBJ1)
FINAL_RESULT=RESULT(var=IMAGE0)`,
    ],
  ]
  for (const [about, family, text] of cases) {
    it(`${about}: no fault`, () => assert.deepEqual(codes(text, family), []))
  }
})
