import type { FAMILIES } from './families.ts'

/** Conformance vectors of checking (program-language §11.2). */
export const CHECK_CASES: readonly (readonly [
  id: string,
  family: keyof typeof FAMILIES,
  text: string,
  diagnostics: readonly string[],
])[] = [
  [
    'K1',
    'gqa',
    "A=VQA(image=IMAGE,question='Dogs?')\nB=EVAL(expr=\"'yes' if {A} + {ANSWER1} == 2 else 'no'\")\nR=RESULT(var=B)",
    ['C_UNDEFINED@2:29'],
  ],
  ['K2', 'gqa', "A=VQA(Image=IMAGE,question='Dogs?')\nR=RESULT(var=A)", ['W_ARG_CASE@1:7']],
  [
    'K3',
    'gqa',
    "A=loc(IMAGE,'dog')\nB=COUNT(box=A)\nR=RESULT(var=B)",
    ['W_TOOL_CASE@1:3', 'W_POSITIONAL@1:7', 'W_POSITIONAL@1:13'],
  ],
  ['K4', 'gqa', 'A=ROTATE(image=IMAGE)\nR=RESULT(var=A)', ['C_UNKNOWN_TOOL@1:3']],
  ['K5', 'nlvr', 'A=COUNT(box=LEFT)\nR=RESULT(var=A)', ['C_NOT_IN_FAMILY@1:3', 'C_TYPE@1:13']],
  ['K6', 'gqa', 'A=LOC(image=IMAGE)\nB=COUNT(box=A)\nR=RESULT(var=B)', ['C_MISSING_ARG@1:3']],
  [
    'K7',
    'gqa',
    'A=COUNT(box=IMAGE,limit=3)\nR=RESULT(var=A)',
    ['C_TYPE@1:13', 'C_UNKNOWN_ARG@1:19'],
  ],
  [
    'K8',
    'gqa',
    "A=VQA(image=IMAGE,question='q?',image=IMAGE)\nR=RESULT(var=A)",
    ['C_DUPLICATE_ARG@1:33'],
  ],
  ['K9', 'gqa', "A=LOC(image=IMAGE,object='dog')\nR=RESULT(var=A)", ['C_TYPE@2:14']],
  ['K10', 'gqa', "A=VQA(image=IMAGE,question='Is {IMAGE} red?')\nR=RESULT(var=A)", ['C_TYPE@1:32']],
  [
    'K11',
    'gqa',
    "A=VQA(image=IMAGE,question='Is {{it}} {B}?')\nR=RESULT(var=A)",
    ['C_UNDEFINED@1:39'],
  ],
  [
    'K12',
    'gqa',
    "A=EVAL(expr=\"'yes' if {B} > 0 and else 'no'\")\nR=RESULT(var=A)",
    ['C_EXPR@1:35'],
  ],
  [
    'K13',
    'gqa',
    'A=EVAL(expr="max(1,2)")\nB=EVAL(expr="exec(1)")\nR=RESULT(var=A)',
    ['W_UNUSED@2:1', 'C_EXPR@2:14'],
  ],
  [
    'K14',
    'gqa',
    "R=RESULT(var=A)\nA=VQA(image=IMAGE,question='q?')",
    ['C_RESULT_NOT_LAST@1:1', 'C_UNDEFINED@1:14', 'W_UNUSED@2:1'],
  ],
  [
    'K15',
    'tagging',
    "A=LIST(query='tall birds',max=-1)\nB=FACEDET(image=IMAGE)\nC=CLASSIFY(image=IMAGE,object=B,categories=A)\nD=TAG(image=IMAGE,object=C)\nR=RESULT(var=D)",
    ['C_VALUE@1:31'],
  ],
  [
    'K16',
    'imgedit',
    "A=FACEDET(image=IMAGE)\nB=EMOJI(image=IMAGE,object=A,emoji='dragon king')\nR=RESULT(var=B)",
    ['C_VALUE@2:36'],
  ],
  ['K17', 'imgedit', 'IMAGE=SEG(image=IMAGE)\nR=RESULT(var=IMAGE)', ['C_REASSIGNED@1:1']],
  [
    'K18',
    'open',
    'A=SEG(image=IMAGE)\nif "len({A}) > 1"\nB=COUNT(box=A)\nend\nR=RESULT(var=B)',
    ['C_MAYBE_UNDEFINED@5:14'],
  ],
  [
    'K19',
    'open',
    'A=SEG(image=IMAGE)\nif "len({A}) > 1"\nB=COUNT(box=A)\nelse\nB=EVAL(expr="0")\nend\nR=RESULT(var=B)',
    [],
  ],
  [
    'K20',
    'imgedit',
    "A=SEG(image=IMAGE)\nB=SELECT(image=IMAGE,object=A,query='cup')\nfor O in B carry V from IMAGE\nV=REPLACE(image=V,object=O,prompt='a rose')\nend\nR=RESULT(var=V)",
    [],
  ],
  [
    'K21',
    'open',
    "A=LOC(image=IMAGE,object='cup')\nfor O in A gather Q as L\nI=CROP(image=IMAGE,box=O)\nQ=VQA(image=I,question='What colour is it?')\nend\nR=RESULT(var=L)",
    [],
  ],
  [
    'K22',
    'open',
    'A=VQA(image=IMAGE,question=\'q?\')\nif "{A}"\nR=RESULT(var=A)\nend',
    ['C_RESULT_PLACE@3:1'],
  ],
  ['K23', 'gqa', 'A=SEG(image=IMAGE\nB=COUNT(box=A)\nR=RESULT(var=B)', ['P_EXPECTED@1:18']],
  [
    'K24',
    'gqa',
    "for=VQA(image=IMAGE,question='q?')\nR=RESULT(var=IMAGE)",
    ['C_NAME@1:1', 'C_TYPE@2:14'],
  ],
]
