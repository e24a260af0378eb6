import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullFrame } from './fixtures.ts'
import { openLexicon } from '../lexicon.ts'
import type { Task } from '../tasks/task.ts'
import { missingJudge } from '../judge/judge.ts'
import { scoreTags } from './score-tags.ts'
import { scoreTask } from './score-task.ts'

const lexicon = await openLexicon()
const means = { lexicon, judge: missingJudge() }

const question = (answer: string, accepted: readonly string[] = []): Task =>
  ({ family: 'gqa', answer, accepted, scenes: [] }) as unknown as Task

test('answers are compared after normalisation; synonyms count, near names count by class', async () => {
  const cases: readonly [
    truth: string,
    said: string | number | boolean,
    strict: boolean,
    near: boolean,
  ][] = [
    ['2', 2, true, true],
    ['2', 'two', true, true],
    ['yes', true, true, true],
    ['grey', 'Gray', true, true],
    ['saxophone', 'a Saxophone', true, true],
    ['saxophone', 'owl', false, false],
    ['ferry', 'ship', false, true],
    ['left', 'right', false, false],
  ]
  for (const [truth, said, strict, byClass] of cases) {
    const score = await scoreTask(question(truth), { value: said, before: undefined }, means)
    assert.deepEqual([score.strict, score.byClass], [strict, byClass], `${truth}: ${said}`)
  }
})

test('a run without a value is wrong', async () => {
  const score = await scoreTask(question('yes'), { value: undefined, before: undefined }, means)
  assert.deepEqual(score, { strict: false, byClass: false })
})

test('tags are matched one to one: a second box on the same thing is one too many', () => {
  const expected = [{ id: '1', concept: 'ferry', label: 'ferry', box: [0, 0, 100, 100] as const }]
  const given = [fullFrame([0, 0, 100, 90], 'ferry'), fullFrame([0, 0, 90, 100], 'ferry')]
  const { strict, located } = scoreTags(lexicon, expected, given)
  assert.deepEqual(strict, { hits: 1, misses: 0, surplus: 1 })
  assert.deepEqual(located, { hits: 1, misses: 0, surplus: 1 })
})

test('a near name counts by class, a box elsewhere counts for nothing', () => {
  const expected = [{ id: '1', concept: 'ferry', label: 'ferry', box: [0, 0, 100, 100] as const }]
  const score = scoreTags(lexicon, expected, [fullFrame([0, 0, 100, 100], 'ship')])
  assert.equal(score.strict.hits, 0)
  assert.equal(score.byClass.hits, 1)
  const away = scoreTags(lexicon, expected, [fullFrame([120, 0, 220, 100], 'ferry')])
  assert.deepEqual(away.located, { hits: 0, misses: 1, surplus: 1 })
})
