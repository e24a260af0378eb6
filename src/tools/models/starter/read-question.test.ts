import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownNames } from './names.ts'
import { mentioned, readWhole } from './read-question.ts'

const names = knownNames()

test('names are found in a text, the longest where they overlap, each once', () => {
  const found = mentioned(
    'Is the fire extinguisher left of the buses, or is the bus higher?',
    names,
  )
  assert.deepEqual(found, ['fire extinguisher', 'bus'])
})

test('a question in free words is read by its key words and the things that it names', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['Of the fox and the bus, which takes up more room?', { kind: 'larger', a: 'fox', b: 'bus' }],
    ['Count the foxes under the bus.', { kind: 'count', phrase: 'fox below the bus' }],
    [
      'Seen from the bus, does a fox stand left or right?',
      { kind: 'side', a: 'fox', b: 'bus', across: true },
    ],
    ['What colour has the bus?', { kind: 'colour', a: 'bus', options: [] }],
    [
      'Would you say the bus is red or blue?',
      { kind: 'colour', a: 'bus', options: ['red', 'blue'] },
    ],
    ['Do a fox and a bus have one colour?', { kind: 'same-colour', a: 'fox', b: 'bus' }],
    ['Does it show a fox, but no bus?', { kind: 'only', a: 'fox', b: 'bus' }],
    ['Does it show a fox or a bus or both?', { kind: 'any', a: 'fox', b: 'bus' }],
    ['Does it show a fox next to a bus?', { kind: 'all', a: 'fox', b: 'bus' }],
    ['Is that a fox or a bus?', { kind: 'which', a: 'fox', b: 'bus' }],
    ['Any sign of a fox?', { kind: 'exists', phrase: 'fox' }],
    ['Why is that so?', undefined],
  ]
  for (const [question, read] of cases) assert.deepEqual(readWhole(question, names), read, question)
})
