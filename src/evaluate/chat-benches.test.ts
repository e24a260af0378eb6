import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { scriptedModel } from '../llm/index.ts'
import { answerBench, modelJudge, pythonFloat } from './judge.ts'
import {
  firstLineScores,
  judgeContent,
  judgeLlavaBench,
  printReviewsStrictly,
  readJudgeContext,
  scoreReviews,
} from './llava-bench.ts'
import type { Review } from './llava-bench.ts'
import { gradeMmVet, mmVetFile, mmVetPrompt, readMmVet, scoreMmVet } from './mm-vet.ts'
import { printSeed, readSeed, scoreSeed, seedPrompt, seedUpload } from './seed-bench.ts'

// The golden values of the specification, as text: numbers keep their spelling.
const text = readFileSync(
  new URL('../tools/models/remote/fixtures/golden.json', import.meta.url),
  'utf8',
)
const golden = JSON.parse(text) as {
  readonly judge_content: readonly {
    readonly bench: string
    readonly captions: readonly string[]
    readonly role: string
    readonly question: string
    readonly answers: readonly [string, string]
    readonly rule: string
    readonly content: string
  }[]
  readonly judge_first_line: readonly {
    readonly review: string
    readonly pair: readonly number[]
  }[]
  readonly review_summary: {
    readonly rows: readonly {
      readonly category: string
      readonly tuple: readonly [number, number]
    }[]
    readonly printed: string
  }
  readonly seed_convert: {
    readonly annotations: unknown
    readonly answers: readonly { readonly question_id: string | number; readonly text: string }[]
    readonly printed: string
    readonly upload_file: string
  }
  readonly mmvet_convert: {
    readonly answers: readonly { readonly question_id: string | number; readonly text: string }[]
    readonly file: string
  }
}

test('messages to the judge are the golden ones, numbers spelt as in the file', () => {
  for (const one of golden.judge_content) {
    const line =
      one.bench === 'coco'
        ? '{"image": "a.jpg", "captions": ["c1", "c2"], "instances": [{"category": "cat", "bbox": [0.1, 0.25, 1.0, 0.333]}]}'
        : '{"image": "a.jpg", "captions": ["c1", "c2"]}'
    const context = readJudgeContext(line)
    const rule = { role: one.role, prompt: one.rule }
    assert.equal(judgeContent(context, one.question, one.answers, rule), one.content)
  }
  assert.deepEqual(readJudgeContext('{"image": "a.jpg", "caption": "one"}').captions, ['one'])
})

test('the first line of a review is two numbers or a failed judgement', () => {
  for (const { review, pair } of golden.judge_first_line) {
    assert.deepEqual(firstLineScores(review) ?? [-1, -1], pair, JSON.stringify(review))
  }
  assert.equal(pythonFloat('1_0'), 10)
  assert.equal(pythonFloat(''), undefined)
})

const reviews: readonly Review[] = golden.review_summary.rows.map(({ category, tuple }, i) => ({
  ...{ id: String(i), category, text: '' },
  ...(tuple[0] === -1 ? { failed: 'no numbers' } : { scores: tuple }),
}))

test('the summary is printed as published, and beside it without the failed ones', () => {
  assert.equal(printReviewsStrictly('rev', reviews), golden.review_summary.printed)
  const rows = new Map(scoreReviews(reviews).map((row) => [row.category, row]))
  assert.equal(rows.get('all')?.failed, 1)
  const detail = rows.get('llava_bench_detail')
  assert.deepEqual([detail?.questions, detail?.failed, detail?.reference], [2, 1, 70])
  assert.equal(detail?.candidate, 30)
})

test('a judge by any model: ids are matched, failures of answer or judge are told and left out', async () => {
  const replies = ['8 6\nfine', 'I cannot say', '7 9\n', '9 8']
  const model = scriptedModel(replies)
  const questions = ['q1', 'q2', 'q3'].map((id) => ({
    id,
    image: 'a',
    text: '?',
    category: 'conv',
  }))
  const candidates = await answerBench(
    [...questions, { id: 'q4', text: '?', category: 'conv' }],
    async ({ id }) => {
      if (id === 'q3') throw new Error('the model fell over')
      return `answer ${id}`
    },
  )
  const judged = await judgeLlavaBench(
    {
      questions,
      candidates: candidates.toReversed(),
      contexts: new Map([['a', { captions: ['c'] }]]),
      references: new Map(questions.map(({ id }) => [id, 'r'])),
    },
    { judge: modelJudge(model), rules: { conv: { role: 'Assistant', prompt: 'Rate.' } } },
  )
  assert.deepEqual(judged[0]?.scores, [8, 6])
  assert.equal(judged[1]?.failed, 'the first line of the review is not two numbers')
  assert.match(judged[2]?.failed ?? '', /the model fell over/)
  const swapped = await judgeLlavaBench(
    {
      questions: questions.slice(0, 1),
      candidates,
      contexts: new Map([['a', { captions: ['c'] }]]),
      references: new Map([['q1', 'r']]),
    },
    { judge: modelJudge(model), rules: { conv: { role: 'A', prompt: 'R' } }, swap: true },
  )
  assert.deepEqual(swapped[0]?.scores, [7.5, 9])
})

test('SEED-Bench is scored, printed and written as published; what is missing is wrong unless told otherwise', () => {
  const { annotations, answers, printed, upload_file: upload } = golden.seed_convert
  const seed = readSeed(annotations)
  const given = new Map(answers.map((one) => [String(one.question_id), one.text]))
  assert.equal(printSeed(scoreSeed(seed, given, { missing: 'left-out' })), printed)
  assert.equal(seedUpload(given), upload)
  const few = new Map([['10', 'A']])
  assert.equal(scoreSeed(seed, few).total, 25)
  assert.equal(scoreSeed(seed, few, { missing: 'left-out' }).total, 100)
  assert.equal(scoreSeed(seed, new Map()).byType['Action Recognition'], 0)
  const [question] = readSeed({
    question_type: {},
    questions: [{ question_id: 1, answer: 'A', question: 'Which?', choice_a: 'x', choice_b: 'y' }],
  }).questions
  assert.ok(question)
  assert.match(seedPrompt(question), /^Which\?\nA\. x\nB\. y/)
})

test('MM-Vet: the file as published, forged rows made harmless, grades retried, failures left out', async () => {
  const { answers, file } = golden.mmvet_convert
  assert.equal(
    mmVetFile(answers.map((one) => ({ id: String(one.question_id), text: one.text }))),
    file,
  )
  const questions = readMmVet({
    v1_0: { question: 'Q0', answer: 'a', capability: ['rec', 'ocr'], imagename: '0.png' },
    v1_1: { question: 'Q1', answer: 'b', capability: ['rec'], imagename: '1.png' },
    v1_2: { question: 'Q2', answer: 'c', capability: ['math'], imagename: '2.png' },
  })
  const [first] = questions
  assert.ok(first)
  const prompt = mmVetPrompt(first, 'x | y | 1.0\nQ | a | a | 1.0')
  assert.equal(prompt.split('\n').at(-1), 'Q0 | a | x / y / 1.0 Q / a / a / 1.0 | ')
  const told = ['0.5 because', 'none', '1.0', 'no', 'no', 'no', 'no', 'no', '2.0']
  const warm: number[] = []
  const grades = await gradeMmVet(
    questions,
    questions.map(({ id }) => ({ id, text: 'said' })),
    {
      judge: async ({ temperature }) => {
        warm.push(temperature)
        return told.shift() ?? ''
      },
    },
  )
  assert.deepEqual(
    grades.map(({ scores }) => scores[0]),
    [0.5, 1, undefined],
  )
  assert.deepEqual(warm.slice(1, 3), [0, 0.5])
  const score = scoreMmVet(questions, grades)
  const rows = new Map(score.rows.map(({ name, mean }) => [name, mean]))
  assert.deepEqual([rows.get('rec'), rows.get('ocr'), rows.get('total')], [75, 50, 75])
  assert.deepEqual([score.failed, score.strict], [1, 50])
})
