import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fakeOpenAiServer } from '../../testing/index.ts'
import type { FakeAnswer, FakeRequest } from '../../testing/index.ts'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('eval-bench')
after(() => pupil.remove())

interface Report {
  readonly figures: readonly { readonly name: string; readonly value: number }[]
  readonly coverage: number
  readonly failed: readonly { readonly id: string; readonly reason: string }[]
  readonly notes: readonly string[]
  readonly published?: string
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = pupil.folder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

const lines = (...rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const figure = ({ figures }: Report, name: string): number | undefined =>
  figures.find((one) => one.name === name)?.value

test('InfoSeek is scored strictly and sanely, coverage beside both', async () => {
  const cwd = folderWith({
    'said.jsonl': lines(
      { data_id: 'a', prediction: 'The Paris' },
      { data_id: 'b', prediction: '9' },
    ),
    'refs.jsonl': lines(
      { data_id: 'a', data_split: 'val_unseen_question', answer_eval: ['Paris'] },
      { data_id: 'b', data_split: 'val_unseen_entity', answer_eval: [{ range: [8, 10] }] },
      { data_id: 'c', data_split: 'val_unseen_entity', answer_eval: ['Rome'] },
    ),
    'types.jsonl': lines(
      { data_id: 'a', question_type: 'String' },
      { data_id: 'b', question_type: 'Numerical' },
      { data_id: 'c', question_type: 'String' },
    ),
  })
  const argv = ['eval', 'infoseek', 'said.jsonl', '--references', 'refs.jsonl']
  const said = await pupil([...argv, '--types', 'types.jsonl', '--json'], { cwd })
  const [strict, sane] = documentOf<{ reports: Report[] }>(said).reports
  assert.ok(strict !== undefined && sane !== undefined, said.err)
  assert.deepEqual(
    [strict, sane].map((one) => one.coverage),
    [66.67, 66.67],
  )
  const entity = [strict, sane].map((one) => figure(one, 'unseen entity'))
  assert.deepEqual(entity, [100, 50])
  const told = await pupil([...argv, '--types', 'types.jsonl', '--mode', 'sane'], { cwd })
  assert.match(told.out, /^InfoSeek, sane\n[^]*Coverage: 66\.67 % of 3 questions\./)
  const missing = await pupil(argv, { cwd })
  assert.deepEqual([missing.code, /Expected a file for --types/.test(missing.err)], [2, true])
})

test('OK-VQA by its own rules; ids that differ are refused by the strict mode only', async () => {
  const answers = (text: string, n: number) =>
    Array.from({ length: 10 }, (_, i) => ({ answer: i < n ? text : 'dog', raw_answer: text }))
  const annotations = [
    { question_id: 1, question_type: 'one', answers: answers('cat', 3) },
    { question_id: 2, question_type: 'two', answers: answers('two', 10) },
  ]
  const cwd = folderWith({
    'all.json': JSON.stringify([
      { question_id: 1, answer: 'cat' },
      { question_id: 2, answer: '2' },
    ]),
    'one.json': JSON.stringify([{ question_id: 1, answer: 'cat' }]),
    'notes.json': JSON.stringify({ annotations }),
  })
  const argv = ['--annotations', 'notes.json', '--json']
  const said = await pupil(['eval', 'okvqa', 'all.json', ...argv], { cwd })
  const [strict, sane] = documentOf<{ reports: Report[] }>(said).reports.map((one) =>
    figure(one, 'all'),
  )
  assert.deepEqual([strict, sane], [45, 95])
  const few = await pupil(['eval', 'okvqa', 'one.json', ...argv, '--mode', 'sane'], { cwd })
  assert.equal(documentOf<{ reports: Report[] }>(few).reports[0]?.coverage, 50)
  const refused = await pupil(['eval', 'okvqa', 'one.json', ...argv], { cwd })
  assert.equal(refused.code, 1)
})

test('E-VQA exactly, by tokens and by a judge, who is never called BEM', async (t) => {
  const server = await fakeOpenAiServer([{ text: 'Yes.' }, { text: 'maybe' }])
  t.after(() => server.close())
  const cwd = folderWith({
    'said.jsonl': lines({ row: 0, prediction: 'the Lamb' }, { row: 1, prediction: 'blue' }),
    'test.csv':
      'question,answer,question_type\nWhat?,lamb|sheep,templated\nWhich?,red,automatic\nWho?,x,2_hop\n',
    ...configOf(server.baseUrl),
  })
  const argv = ['eval', 'evqa', 'said.jsonl', '--questions', 'test.csv', '--json']
  const judge = ['--judge', 'openai-compatible/judge']
  const [report] = documentOf<{ reports: Report[] }>(
    await pupil([...argv, ...judge], { cwd }),
  ).reports
  assert.ok(report !== undefined)
  assert.deepEqual(
    [figure(report, 'evqa-em'), figure(report, 'evqa-judge'), report.coverage],
    [33.33, 50, 66.67],
  )
  assert.deepEqual(report.failed, [{ id: '1', reason: 'the judge said neither yes nor no' }])
  assert.match(report.notes.join(), /not comparable with figures scored by BEM/)
  const twice = folderWith({
    'said.jsonl': lines({ row: 0, prediction: 'a' }, { row: 0, prediction: 'b' }),
    'test.csv': 'question,answer,question_type\nWhat?,lamb,templated\n',
  })
  assert.match((await pupil(argv.slice(0, -1), { cwd: twice })).err, /row 0 is given twice/)
})

const configOf = (baseURL: string): Readonly<Record<string, string>> => ({
  'pupil.config.json': JSON.stringify({
    models: { planner: 'openai-compatible/judge', chat: 'openai-compatible/chat' },
    providers: { 'openai-compatible': { baseURL } },
  }),
})

/** Who judges replies by what it judges; who chats sees a picture. */
const judging = (request: FakeRequest): FakeAnswer => {
  const text = JSON.stringify(request.body['messages'])
  if (request.body['model'] === 'chat') {
    return { text: /image_url/.test(text) ? 'A cat on a sofa.' : 'Nothing.' }
  }
  return { text: /Where/.test(text) ? 'no numbers today' : '8 6\nBecause.' }
}

const BENCH = {
  'q.jsonl': lines(
    { question_id: 1, image: 'cat.jpg', text: 'Describe it.', category: 'caption' },
    { question_id: 2, image: 'cat.jpg', text: 'Where is it?', category: 'grounding' },
    { question_id: 3, image: 'none.jpg', text: 'Read it.', category: 'ocr' },
  ),
  'c.jsonl': lines({ image: 'cat.jpg', caption: 'a cat' }, { image: 'none.jpg', caption: 'x' }),
  'r.jsonl': lines(
    { question_id: 1, text: 'A cat.' },
    { question_id: 2, text: 'Left.' },
    { question_id: 3, text: 'STOP' },
  ),
}

test('the tools bench answers now and judges by a model; what failed is told and in no mean', async (t) => {
  const server = await fakeOpenAiServer(judging)
  t.after(() => server.close())
  const cwd = folderWith({ ...BENCH, ...configOf(server.baseUrl) })
  mkdirSync(join(cwd, 'images'))
  const cat = new URL('../../../test/fixtures/photos/chelsea.jpg', import.meta.url).pathname
  writeFileSync(join(cwd, 'images', 'cat.jpg'), readFileSync(cat))
  const files = ['--questions', 'q.jsonl', '--contexts', 'c.jsonl', '--references', 'r.jsonl']
  const now = ['--pictures', 'images', '--skills', 'plain', '-o', 'said.jsonl']
  const said = await pupil(['eval', 'tools', ...files, ...now, '--json'], { cwd })
  const [report] = documentOf<{ reports: Report[] }>(said).reports
  assert.ok(report !== undefined, said.err)
  assert.equal(figure(report, 'all'), 75)
  assert.deepEqual(
    report.failed.map(({ id }) => id),
    ['2', '3'],
  )
  assert.match(report.failed[1]?.reason ?? '', /none\.jpg is not in the folder/)
  // The published script averages the two failures in as -1.
  assert.match(report.published ?? '', /^q\.jsonl\nall 66\.6 20\.0 13\.3/)
  const written = readFileSync(join(cwd, 'said.jsonl'), 'utf8')
  assert.match(written, /"question_id":"1".*A cat on a sofa/)
  const again = await pupil(['eval', 'tools', ...files, '--answers', 'said.jsonl'], { cwd })
  assert.match(again.out, /Failed, in no mean: 2\./)
})

test('SEED-Bench and MM-Vet from answers that were given before', async (t) => {
  const server = await fakeOpenAiServer([{ text: '0.5' }, { text: '1.0' }])
  t.after(() => server.close())
  const choices = { choice_a: 'x', choice_b: 'y', choice_c: 'z', choice_d: 'w' }
  const row = { data_type: 'image', question_type_id: 1, question: 'Which?', ...choices }
  const cwd = folderWith({
    'seed.json': JSON.stringify({
      question_type: { 'Scene Understanding': 1 },
      questions: [
        { ...row, question_id: '1', data_id: 'a', answer: 'A' },
        { ...row, question_id: '2', data_id: 'b', answer: 'B' },
      ],
    }),
    'seed.jsonl': lines({ question_id: '1', text: 'A' }),
    'vet.json': JSON.stringify({
      v1_0: { question: 'q', answer: 'a', capability: ['rec'], imagename: '0.png' },
      v1_1: { question: 'q', answer: 'a', capability: ['ocr'], imagename: '1.png' },
    }),
    'vet.jsonl': lines({ question_id: 'v1_0', text: 'a' }, { question_id: 'v1_1', text: 'b' }),
    ...configOf(server.baseUrl),
  })
  const seed = ['eval', 'seed', '--annotations', 'seed.json', '--answers', 'seed.jsonl']
  const scored = await pupil(seed, { cwd })
  assert.match(scored.out, /^SEED-Bench\nall +50\.00\n/)
  assert.match(scored.out, /Coverage: 50\.00 % of 2 questions/)
  const vet = ['eval', 'mm-vet', '--annotations', 'vet.json', '--answers', 'vet.jsonl']
  const graded = await pupil(vet, { cwd })
  assert.match(graded.out, /total +75\.00 +n 2/)
  assert.match(graded.out, /judged by openai-compatible\/judge/)
})

test('without answers, pictures or a judge it says what is missing', async () => {
  const cwd = folderWith(BENCH)
  const files = ['--questions', 'q.jsonl', '--contexts', 'c.jsonl', '--references', 'r.jsonl']
  const nobody = await pupil(['eval', 'llava-bench', ...files, '--answers', 'r.jsonl'], { cwd })
  assert.match(nobody.err, /A model must judge.*--judge/)
  const none = await pupil(['eval', 'llava-bench', ...files, '--judge', 'ollama/x'], { cwd })
  assert.match(none.err, /answers or a folder of pictures/)
})
