import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseName, singular, splitTexts } from './names.ts'

test('singulars follow the rules of English and its exceptions', () => {
  const pairs = {
    dogs: 'dog',
    benches: 'bench',
    boxes: 'box',
    buses: 'bus',
    bus: 'bus',
    glasses: 'glass',
    berries: 'berry',
    ties: 'tie',
    potatoes: 'potato',
    shoes: 'shoe',
    people: 'person',
    knives: 'knife',
    sheep: 'sheep',
    skis: 'skis',
    grass: 'grass',
    tennis: 'tennis',
    horses: 'horse',
    vases: 'vase',
  }
  for (const [plural, one] of Object.entries(pairs)) assert.equal(singular(plural), one, plural)
})

test('names are compared without case, article, plural and joining marks', () => {
  assert.equal(normaliseName(' The Baseball_Bats '), 'baseball bat')
  assert.equal(normaliseName('grass-merged'), 'grass merged')
  assert.equal(normaliseName('mice (computer equipment)'), 'mouse (computer equipment)')
  assert.equal(normaliseName('Cafe\u0301'), 'café')
})

test('a query is split at commas, trimmed, and loses what is empty or repeated', () => {
  assert.deepEqual(splitTexts(' dog,,Dog '), ['dog'])
  assert.deepEqual(splitTexts('a, b'), splitTexts('a,b'))
  assert.deepEqual(splitTexts(['red wine, dry', 'cup']), ['red wine, dry', 'cup'])
})
