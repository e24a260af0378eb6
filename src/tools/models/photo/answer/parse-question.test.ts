import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Phrase } from '../phrase.ts'
import { parseQuestion } from './parse-question.ts'

function short(value: unknown): string {
  if (Array.isArray(value)) return value.map(short).join(' + ')
  if (value === null || typeof value !== 'object') return String(value)
  if ('noun' in value) {
    const { colours, noun, wears, place, relation } = value as Phrase
    const rest = [
      wears === undefined ? '' : `wears ${wears}`,
      place === undefined ? '' : `@${place}`,
      relation === undefined ? '' : `${relation.how} (${short(relation.to)})`,
    ]
    return [...colours, noun === '' ? 'it' : noun, ...rest].filter((part) => part !== '').join(' ')
  }
  return Object.entries(value)
    .filter(([key, inner]) => key !== 'kind' && inner !== false)
    .map(([key, inner]) => `${key}: ${short(inner)}`)
    .join('; ')
}

function reading(question: string): string {
  const ask = parseQuestion(question)
  return ask === undefined ? 'beyond' : `${ask.kind} ${short(ask)}`
}

const cases: readonly (readonly [question: string, reading: string])[] = [
  ['How many people are there?', 'count thing: people'],
  ['how many people are in the picture', 'count thing: people'],
  ['How many red cars can you see?', 'count thing: red cars'],
  ['How many dogs are to the left of the car?', 'count thing: dogs left of (car)'],
  ['Count the cups on the table.', 'count thing: cups on (table)'],
  ['Please tell me how many chairs there are.', 'count thing: chairs'],
  ['Are there two dogs?', 'count thing: dogs; test: how: exactly; than: 2'],
  ['Are there more than three cups?', 'count thing: cups; test: how: more than; than: 3'],
  ['Are there more dogs than cats?', 'compare-counts things: dogs + cats; how: more'],
  ['Is there a dog to the left of the car?', 'exists things: dog left of (car)'],
  ['Are there any people in this image?', 'exists things: people'],
  [
    'Is there a wine glass left of the person in red?',
    'exists things: wine glass left of (person wears red)',
  ],
  ['Is there a cat and a dog?', 'exists things: cat + dog'],
  ['Do you see a bus or a truck?', 'exists things: bus or a truck'],
  ['Is the dog on the left side of the picture?', 'exists things: dog @left'],
  ['Is the cup on the table?', 'exists things: cup on (table)'],
  ['Is the person wearing orange?', 'exists things: person wears orange'],
  ['What colour is the bus?', 'colour thing: bus; part: all'],
  ['What color is it?', 'colour thing: it; part: all'],
  ["What colour is the man's shirt?", 'colour thing: man; part: clothes'],
  ['What color is the suit?', 'colour thing: person; part: clothes'],
  ['What colour is the background?', 'colour part: background'],
  ['What is the main colour of the picture?', 'colour part: all'],
  ['Is the bus red?', 'is-colour thing: bus; colours: red'],
  ['Is the car red or blue?', 'is-colour thing: car; colours: red + blue'],
  ['Where is the dog?', 'where thing: dog'],
  ['Is the dog on the left or the right?', 'where thing: dog; among: left + right'],
  [
    'Is the dog to the left or to the right of the car?',
    'which-relation thing: dog; to: car; among: left of + right of',
  ],
  ['Is the dog bigger than the cat?', 'size things: dog + cat; how: bigger; form: yes-no'],
  ['Which is smaller, the dog or the cat?', 'size things: dog + cat; how: smaller; form: which'],
  ['What does the sign say?', 'read only: text; thing: sign'],
  ['What is written on the bus?', 'read only: text; thing: bus'],
  ["What's on the road sign?", 'read only: text; thing: road sign'],
  ['The label says what?', 'read only: text; thing: label'],
  ['What is on the table?', 'what many: true; where: how: on; to: table'],
  ['What number is on the bus?', 'read only: numbers; thing: bus'],
  ['Read the text.', 'read only: text'],
  ['What animal is this?', 'what group: animal'],
  ['What kind of animal is in the picture?', 'what group: animal'],
  ['What is on the table?', 'what many: true; where: how: on; to: table'],
  ['What is in the picture?', 'what many: true'],
  ['What is this?', 'what '],
  ['Is this a cat or a dog?', 'is-what options: cat + dog'],
  ['Who is this?', 'who '],
  ['Is this Anna?', 'who name: Anna'],
  ['Is it day or night?', 'light words: day + night'],
  ['Is it dark?', 'light words: dark'],
  ['Is the picture black and white?', 'monochrome yesMeans: monochrome'],
  ['What is the man doing?', 'beyond'],
  ['Is the man happy?', 'beyond'],
  ['What material is the table made of?', 'beyond'],
  ['Why is the sky blue?', 'beyond'],
  ['What is the weather like?', 'beyond'],
]

for (const [question, wanted] of cases) {
  test(`"${question}" asks: ${wanted}`, () => assert.equal(reading(question), wanted))
}
