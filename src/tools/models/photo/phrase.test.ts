import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePhrase } from './phrase.ts'
import type { Phrase } from './phrase.ts'

/** A phrase in short: colours, noun, clothes, place, pick, relation. */
function short({ colours, noun, wears, place, pick, relation }: Phrase): string {
  return [
    ...colours,
    noun === '' ? 'it' : noun,
    ...(wears === undefined ? [] : [`wears ${wears}`]),
    ...(place === undefined ? [] : [`@${place}`]),
    ...(pick === undefined ? [] : [`#${pick}`]),
    ...(relation === undefined ? [] : [`${relation.how} (${short(relation.to)})`]),
  ].join(' ')
}

const cases: readonly (readonly [text: string, reading: string])[] = [
  ['the red car', 'red car'],
  ['people in the picture', 'people'],
  ['persons there', 'persons'],
  ['a dog to the left of the car', 'dog left of (car)'],
  ['the dog that is left of the person in red', 'dog left of (person wears red)'],
  ['the biggest dog on the left', 'dog @left #biggest'],
  ['man in a red shirt', 'man wears red'],
  ['a woman wearing a blue dress', 'woman wears blue'],
  ['the orange', 'orange'],
  ['orange cars', 'orange cars'],
  ['dark blue bus', 'blue bus'],
  ['black and white cat', 'black white cat'],
  ['white wine glass', 'white wine glass'],
  ['leftmost person', 'person #leftmost'],
  ['dog on the right side of the photo', 'dog @right'],
  ['cars are parked on the right', 'cars @right'],
  ['cup on the table in the picture', 'cup on (table)'],
  ['cat under the chair', 'cat below (chair)'],
  ['cup next to the laptop', 'cup next to (laptop)'],
  ['boats in the water', 'boats in (water)'],
  ['bird between the dog and the cat', 'bird between (dog and the cat)'],
  ['it', 'it'],
  ['this', 'it'],
]

for (const [text, reading] of cases) {
  test(`"${text}" is read as ${reading}`, () => assert.equal(short(parsePhrase(text)), reading))
}

test('what people do is not dropped in silence', () => {
  assert.equal(parsePhrase('people are sitting').noun, 'people are sitting')
})
