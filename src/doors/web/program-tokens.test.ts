import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programTokens } from './program-tokens.ts'

test('a line is coloured by what its words are, and stays the same line', () => {
  const line = `BOX0=LOC(image=IMAGE,object='the "cat"',max=-3)  # find it`
  const tokens = programTokens(line)
  assert.equal(tokens.map((one) => one.text).join(''), line)
  const kind = (text: string): string | undefined => tokens.find((one) => one.text === text)?.kind
  assert.deepEqual(['BOX0', 'LOC', 'image', 'IMAGE', `'the "cat"'`, '-3', '# find it'].map(kind), [
    'variable',
    'tool',
    'argument',
    'variable',
    'text',
    'number',
    'comment',
  ])
  assert.equal(programTokens('for O in A')[0]?.kind, 'word')
})
