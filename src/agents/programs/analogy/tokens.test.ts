import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokens } from './tokens.ts'

const read = (instruction: string): string =>
  tokens(instruction)
    .map(({ cls, canon }) => (cls === 'word' || cls === 'color' ? canon : `<${canon}>`))
    .join(' ')

/** Each row says the same in several ways. */
const SAME: readonly (readonly string[])[] = [
  ['How many dogs are in the picture', 'how many dogs are in this photo?', 'How many dogs are'],
  [
    'Is there a dog left of the car?',
    'is there a dog to the left of the car',
    'Is there a dog on the left side of the car?',
  ],
  [
    'Both pictures contain a dog.',
    'There is a dog in both pictures.',
    'In each of the two images there is a dog',
  ],
  [
    'The left picture shows more cars than the right one',
    'There are more cars on the left than on the right',
  ],
  [
    'Make everything gray but the bus',
    'Turn everything black and white except the bus',
    'Everything should be grey except the bus',
  ],
  ['Please tag every dog', 'Label all dogs', 'mark each dog'],
  ['There are two or more dogs', 'There are at least 2 dogs'],
  ["What's the sofa's colour?", 'What is the color of the sofa?'],
  ["Hide Tom's face", 'Hide the face of Tom'],
]

test('what is said in another order or other small words reads the same', () => {
  for (const [first = '', ...others] of SAME) {
    for (const other of others) {
      const plain = (text: string): string => text.replace(/<DET> |<AUX> ?|<PREP> /g, '').trim()
      assert.equal(plain(read(other)), plain(read(first)), `${first} / ${other}`)
    }
  }
})

test('numbers, sides and relations are one token each', () => {
  assert.equal(read('twenty-one geese'), '<21> goose')
  assert.equal(read('a pair of shoes'), '<2> shoe')
  assert.equal(read('dogs left of the picture'), 'dog <LEFT>')
  assert.equal(read('dogs left of the car'), 'dog <LEFTOF> <DET> car')
  assert.equal(read('in the left picture and in the other one'), '<LEFT> <AND> <RIGHT>')
})

test('words that are also verbs or auxiliaries are things after a determiner', () => {
  assert.equal(read('Tag the label'), '<TAG> <DET> label')
  assert.equal(read('Remove the trash can'), '<REMOVE> <DET> trash can')
})

test('oranges are no colour, and orange is', () => {
  assert.deepEqual(
    tokens('orange oranges').map(({ cls }) => cls),
    ['color', 'word'],
  )
})
