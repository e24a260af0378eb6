import assert from 'node:assert/strict'
import { test } from 'node:test'
import { print } from '../../../../program/index.ts'
import { SIGNATURES } from '../../../../tools/index.ts'
import { induce } from '../induce.ts'
import { tokens } from '../tokens.ts'
import { GistReader } from './gist.ts'
import { lessonsOf, meaningOf } from './lessons.ts'
import { Softmax } from './softmax.ts'

const count = (thing: string): string =>
  `BOX0=LOC(image=IMAGE,object='${thing}')\nANSWER0=COUNT(box=BOX0)\nFINAL_RESULT=RESULT(var=ANSWER0)`
const colour = (thing: string): string =>
  `BOX0=LOC(image=IMAGE,object='${thing}')\nIMAGE0=CROP(image=IMAGE,box=BOX0)\n` +
  `ANSWER0=VQA(image=IMAGE0,question='What color is the ${thing}?')\nFINAL_RESULT=RESULT(var=ANSWER0)`

const SHOWN: readonly (readonly [instruction: string, program: string])[] = [
  ['How many owls are in the picture?', count('owl')],
  ['Give the number of kettles.', count('kettle')],
  ['Tell me how many drums you find here.', count('drum')],
  ['What colour is the harp?', colour('harp')],
  ['Name the colour of the tent in the picture.', colour('tent')],
  ['Look at the key. What colour do you see?', colour('key')],
]

const templates = SHOWN.flatMap(([instruction, program], i) => {
  const shown = { id: String(i), family: 'gqa', instruction, program, score: 1000 }
  return induce({ ...shown, verdict: 'right', origin: 'start' }, SIGNATURES) ?? []
})

test('programs mean the same in another order, with other names and with steps that nobody uses', () => {
  const one = `A0=VQA(image=LEFT,question='a?')\nA1=VQA(image=RIGHT,question='a?')\nR=RESULT(var=A0)`
  assert.equal(
    meaningOf(one),
    meaningOf(`A5=VQA(image=LEFT,question='a?')\nFINAL_RESULT=RESULT(var=A5)`),
  )
  assert.notEqual(meaningOf(one), meaningOf(one.replace('var=A0', 'var=A1')))
})

test('demonstrations of one program in other words are one shape', () => {
  const { shapes, lessons } = lessonsOf(templates)
  assert.equal(shapes.length, 2)
  assert.equal(lessons.length, templates.length)
})

test('an instruction in an order that was not shown is read by its gist', () => {
  const read = new GistReader(templates).read(
    tokens('Of the tents here, tell me how many you find.'),
  )
  assert.ok(read)
  assert.match(print(read.program), /object='tent'/)
  assert.match(print(read.program), /COUNT/)
  const other = new GistReader(templates).read(tokens('The colour that the wagon has is what?'))
  assert.ok(other)
  assert.match(print(other.program), /What color is the wagon\?/)
})

test('words that tell nothing are no instruction', () => {
  const reader = new GistReader(templates)
  assert.equal(reader.read(tokens('and and or')), undefined)
  assert.equal(new GistReader([]).read(tokens('How many dogs?')), undefined)
})

test('classes are told apart by what is seen of them, the same each time', () => {
  const examples = [
    { features: ['', 'wings'], label: 0 },
    { features: ['', 'wheels'], label: 1 },
  ]
  const model = new Softmax(examples, 2)
  assert.ok((model.logs(['', 'wings'])[0] ?? -9) > Math.log(0.6))
  assert.deepEqual(model.logs(['wheels']), new Softmax(examples, 2).logs(['wheels']))
})
