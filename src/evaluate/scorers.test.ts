import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exactEvqa, f1Evqa, normalizeEvqa, readEvqa, scoreEvqa } from './evqa.ts'
import {
  harmonic,
  normalizeInfoSeek,
  readInfoSeek,
  readInfoSeekPredictions,
  scoreInfoSeek,
} from './infoseek.ts'
import type { InfoSeekRow } from './infoseek.ts'
import {
  normalizeOkVqa,
  okVqaAccuracy,
  readOkVqa,
  readOkVqaPredictions,
  scoreOkVqa,
} from './okvqa.ts'
import { parseQuantity, scoreQuantity } from './score-quantity.ts'
import type { Quantity } from './quantity-strict.ts'
import { round2 } from './round.ts'

const SAME = 'same'
const VECTORS: readonly (readonly [
  text: string,
  strict: Quantity,
  sane: Quantity | undefined | 'same',
])[] = [
  ['6.54 - 6.86 cm', [6.54, 6.86], SAME],
  ['$1.5 million', 1.5, 1500000],
  ['1,250 m', 1250, SAME],
  ['10–20', [10, 20], SAME],
  ['2-3', [2, 3], SAME],
  ['10 -12', 10, [10, 12]],
  ['5 to 4', 5, [4, 5]],
  ['-5', -5, SAME],
  ['1e3', 1000, SAME],
  ['.5', 5, 0.5],
  ['3 m (9.8 ft)', [3, 9.8], 3],
  ['1,2345', 12345, undefined],
  ['two', [0, 0], 2],
  ['3,5', [3, 5], 3.5],
  ['18 of 26 elevators', [18, 26], 18],
  ['c. 300', 300, SAME],
  ['26 elevators, of which 18', 26, 26],
  ['2.5e-3', 0.0025, SAME],
  ['', [0, 0], undefined],
  ['between 40 and 50', [40, 50], SAME],
]

test('every quantity of the specification is read as it says, strict and sane', () => {
  for (const [text, strict, sane] of VECTORS) {
    assert.deepEqual(parseQuantity(text, 'strict'), strict, `strict "${text}"`)
    assert.deepEqual(parseQuantity(text, 'sane'), sane === SAME ? strict : sane, `sane "${text}"`)
  }
})

test('further readings of a careful person', () => {
  const sane = (text: string): Quantity | undefined => parseQuantity(text, 'sane')
  assert.equal(sane('1\u00a0234 m'), 1234)
  assert.equal(sane('−7 °C'), -7)
  assert.equal(sane('A-10'), 10)
  assert.equal(sane('a dozen eggs'), 12)
  assert.deepEqual(sane('1.5 to 2 million people'), [1500000, 2000000])
  assert.equal(sane('twenty-six lifts'), 26)
  assert.equal(sane('1.2.3 or 4'), 4)
  assert.equal(sane('(about 5)'), 5)
})

test('quantities are scored by range and overlap', () => {
  const cases: readonly (readonly [Quantity, Quantity, boolean])[] = [
    [[5, 35], [10, 30], true],
    [[10, 20], [0, 10], false],
    [[0, 20], [0, 10], true],
    [1.1, 1.0, true],
    [1.1000001, 1.0, false],
    [0.9, 1.0, true],
    [[0.9, 1.1], 1.0, true],
    [[18, 26], [23.4, 28.6], false],
    [[0, 0], [0.9, 1.1], false],
  ]
  for (const [prediction, answer, right] of cases) {
    assert.equal(
      scoreQuantity(prediction, answer, 'strict'),
      right,
      JSON.stringify([prediction, answer]),
    )
  }
  assert.equal(scoreQuantity(-0.95, -1.0, 'strict'), false)
  assert.equal(scoreQuantity(-0.95, -1.0, 'sane'), true)
})

test('InfoSeek texts are normalised as the specification lists', () => {
  const cases = {
    'a/an': 'aan',
    ' the ': '',
    'U.S.A.': 'usa',
    'A-10': 'a10',
    "don't": 'dont',
    Andréa: 'andréa',
    'The  Taj\u00a0Mahal': 'taj mahal',
  }
  for (const [text, plain] of Object.entries(cases)) assert.equal(normalizeInfoSeek(text), plain)
})

test('totals: harmonic mean, rounding, coverage', () => {
  assert.equal(harmonic(7.38, 8.89), 8.06)
  assert.equal(harmonic(12.28, 12.74), 12.51)
  assert.equal(harmonic(100, 50), 66.67)
  assert.equal(harmonic(0, 50), 0)
  assert.equal(round2((5 / 800) * 100), 0.62)
  const row = (id: string): InfoSeekRow => ({
    id,
    split: 'val_unseen_entity',
    type: 'string',
    answers: ['paris'],
  })
  const twice = scoreInfoSeek(
    [row('1')],
    [
      { id: '1', prediction: 'Paris' },
      { id: '1', prediction: 'Rome' },
    ],
    'strict',
  )
  assert.equal(twice.unseenEntity, 50)
  const half = [row('1'), row('2')]
  const strict = scoreInfoSeek(half, [{ id: '1', prediction: 'Paris' }], 'strict')
  assert.deepEqual([strict.unseenEntity, strict.coverage], [100, 50])
  assert.match(strict.quirks[0] ?? '', /1 references have no prediction/)
  const sane = scoreInfoSeek(half, [{ id: '1', prediction: 'Paris' }], 'sane')
  assert.deepEqual([sane.unseenEntity, sane.coverage], [50, 50])
  assert.throws(() => scoreInfoSeek(half, [{ id: '9', prediction: '' }], 'sane'), {
    code: 'E_SCORE_INPUT',
  })
})

test('InfoSeek files are read, and a broken line is told with its place', () => {
  const references = [
    '{"data_id":"a","data_split":"val_unseen_question","answer_eval":["1889","the year 1889"]}',
    '{"data_id":"b","data_split":"val_unseen_entity","answer_eval":[{"wikidata":157,"range":[141.3,172.7]}]}',
  ].join('\n')
  const types =
    '{"data_id":"a","question_type":"Time"}\n{"data_id":"b","question_type":"Numerical"}'
  const rows = readInfoSeek(references, types)
  assert.deepEqual(rows[1]?.range, [141.3, 172.7])
  const said = readInfoSeekPredictions(
    '{"data_id":"a","prediction":"opened in 1889"}\n{"data_id":"b","prediction":"157 m"}',
  )
  assert.equal(scoreInfoSeek(rows, said, 'strict').unseenQuestion, 0)
  assert.equal(scoreInfoSeek(rows, said, 'sane').unseenQuestion, 100)
  assert.equal(scoreInfoSeek(rows, said, 'strict').unseenEntity, 100)
  assert.throws(
    () => readInfoSeekPredictions('{"data_id":"a","prediction":"x"}\nnonsense'),
    /predictions, line 2/,
  )
})

test('OK-VQA answers are normalised as the specification lists', () => {
  const cases = {
    'The  Two dogs.': '2 dogs',
    'U.S.': 'us',
    '1,000 km': '1000 km',
    'red/white': 'red white',
    "it's": "it's",
    'a, b': 'b',
    'yes!': 'yes',
    '3.5': '3.5',
    '10:30': '10:30',
    'dont know': "don't know",
    't-shirt': 't shirt',
    'x-ray - old': 'xray old',
    none: '0',
    '50%': '50%',
    "an apple's": "apple's",
  }
  for (const [text, plain] of Object.entries(cases)) assert.equal(normalizeOkVqa(text), plain, text)
})

test('OK-VQA accuracy leaves each answer out in turn', () => {
  const ten = (word: string): string[] => Array.from({ length: 10 }, () => word)
  const some = (n: number): string[] => [
    ...Array.from({ length: n }, () => 'cat'),
    ...Array.from({ length: 10 - n }, (_, i) => `other${i}`),
  ]
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((n) => Math.round(okVqaAccuracy('cat', some(n), 'strict'))),
    [0, 30, 60, 90, 100],
  )
  assert.equal(okVqaAccuracy('cat', ten('cat'), 'strict'), 100)
  assert.equal(okVqaAccuracy('Cat', ten('cat'), 'strict'), 0)
  assert.equal(okVqaAccuracy('Cat', ten('cat'), 'sane'), 100)
  assert.equal(okVqaAccuracy('2', ten('two'), 'strict'), 0)
  assert.equal(okVqaAccuracy('2', ten('two'), 'sane'), 100)
  assert.equal(okVqaAccuracy('two', [...ten('two').slice(1), '2'], 'strict'), 100)
})

test('OK-VQA totals by type, from its files', () => {
  const answers = (words: readonly string[]) =>
    words.map((answer, i) => ({ answer, raw_answer: answer, answer_id: i }))
  const mixed = (n: number) =>
    answers(Array.from({ length: 10 }, (_, i) => (i < n ? 'cat' : `x${i}`)))
  const rows = readOkVqa(
    JSON.stringify({
      annotations: [
        { question_id: 1, question_type: 'one', answers: mixed(4) },
        { question_id: 2, question_type: 'one', answers: mixed(2) },
        { question_id: 3, question_type: 'two', answers: mixed(0) },
      ],
    }),
  )
  const said = readOkVqaPredictions(
    JSON.stringify([1, 2, 3].map((question_id) => ({ question_id, answer: 'cat' }))),
  )
  const score = scoreOkVqa(rows, said, 'strict')
  assert.equal(score.overall, 53.33)
  assert.deepEqual(score.byType, { one: 80, two: 0 })
  assert.equal(score.coverage, 100)
  assert.throws(() => scoreOkVqa(rows, said.slice(1), 'strict'), { code: 'E_SCORE_INPUT' })
  assert.equal(scoreOkVqa(rows, said.slice(1), 'sane').coverage, 66.67)
})

test('Encyclopedic-VQA answers are normalised and compared as the specification lists', () => {
  const cases = {
    'The answer is: Two.': '2',
    True: 'yes',
    'U.S.A.': 'usa',
    'red-brown': 'redbrown',
    dont: "don't",
    '1,000': '1000',
  }
  for (const [text, plain] of Object.entries(cases)) assert.equal(normalizeEvqa(text), plain, text)
  assert.ok(exactEvqa('6.5', '65', 'automatic'))
  const multi = (said: string, answer: string): boolean => exactEvqa(said, answer, 'multi_answer')
  assert.ok(multi('blue and red', 'red&&blue'))
  assert.ok(multi('red', 'red&&blue'))
  assert.ok(!multi('red, black', 'red&&blue'))
  assert.ok(multi('salt,pepper,oil,vinegar', 'salt&&pepper'))
  assert.ok(!multi('salt,pepper,oil,vinegar,mustard', 'salt&&pepper'))
  assert.ok(!multi('sand and gravel, clay', 'sand and gravel&&clay'))
  assert.throws(() => multi('x', 'a&&the'), { code: 'E_SCORE_INPUT' })
  assert.ok(exactEvqa('London', 'Paris|London', '2_hop'))
  assert.ok(Math.abs(f1Evqa('the big red house', 'red house') - 0.8) < 1e-9)
})

test('Encyclopedic-VQA files are read with quoted cells, coverage is told', () => {
  const rows = readEvqa(
    'question,answer,question_type\r\n"How, many?","a ""b""\nc",templated\nWhat?,red&&blue,multi_answer\n',
  )
  assert.equal(rows[0]?.answer, 'a "b"\nc')
  const score = scoreEvqa(rows, [undefined, 'red, blue'], 'evqa-em')
  assert.deepEqual([score.accuracy, score.coverage], [50, 50])
  assert.throws(() => readEvqa('question,answer\nx,y\n'), /question_type/)
})
