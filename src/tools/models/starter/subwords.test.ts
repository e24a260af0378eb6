import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createSubwords, END, START } from './subwords.ts'

interface Fixture {
  readonly merges: readonly (readonly [number, number])[]
  readonly cases: readonly {
    readonly text: string
    readonly merged: readonly number[]
    readonly encoded: readonly number[]
  }[]
}

// Written by train/starter/text.py.
const fixture = JSON.parse(
  await readFile(new URL('./subwords.fixture.json', import.meta.url), 'utf8'),
) as Fixture
const subwords = createSubwords(fixture.merges)

test('texts become the ids that Python gives them', () => {
  for (const { text, merged, encoded } of fixture.cases) {
    assert.deepEqual(subwords.merged(text), merged, text)
    assert.deepEqual(subwords.encode(text), encoded, text)
  }
})

test('ids become their text again, start, end and padding left out', () => {
  assert.equal(subwords.words(subwords.encode('a photo of an owl')), 'a photo of an owl')
  assert.equal(subwords.words([START, ...subwords.merged('café'), END]), 'café')
})

test('a text too long for its place keeps start and end', () => {
  const ids = subwords.encode('x y z '.repeat(20), 8)
  assert.equal(ids.length, 8)
  assert.equal(ids[0], START)
  assert.equal(ids[7], END)
})
