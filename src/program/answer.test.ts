import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerForm, answerText } from './answer.ts'
import { FAMILIES } from './families.ts'
import { fixtureImage, fixtureObject } from './fixtures.ts'
import type { Value } from './value.ts'

describe('the answer in the form of its family', () => {
  const cases: readonly (readonly [family: keyof typeof FAMILIES, value: Value, text?: string])[] =
    [
      ['gqa', true, 'yes'],
      ['gqa', 3, '3'],
      ['gqa', 'red', 'red'],
      ['gqa', ['ant', 'bee'], 'ant, bee'],
      ['nlvr', true, 'true'],
      ['nlvr', 'No', 'false'],
      ['nlvr', 'two', 'true'],
      ['nlvr', 0, 'false'],
      ['nlvr', 'red', undefined],
      ['open', 0.30000000000000004, '0.3'],
      ['open', fixtureImage('x'), undefined],
    ]
  for (const [family, value, text] of cases) {
    it(`${family}: ${JSON.stringify(value)} is ${text ?? 'no text'}`, () =>
      assert.equal(answerText(answerForm(FAMILIES[family], value)), text))
  }

  it('is the tagged objects for tagging', () => {
    const image = fixtureImage('x')
    const tagged = { ...image, tags: [fixtureObject('o', image)] }
    const answer = answerForm(FAMILIES.tagging, tagged)
    assert.deepEqual(answer, { form: 'tags', image: tagged, objects: tagged.tags })
  })

  it('is unreadable, never a guess, where a truth is wanted', () => {
    assert.equal(answerForm(FAMILIES.nlvr, 'red').form, 'unreadable')
  })
})
