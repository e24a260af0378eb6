import assert from 'node:assert/strict'
import { test } from 'node:test'
import { article, isPlural, plural, pluralPhrase, singular, singularPhrase } from './inflect.ts'

const PAIRS =
  'dog dogs|person people|knife knives|bus buses|glass glasses_|box boxes|cherry cherries|boy boys|' +
  'woman women|sheep sheep|couch couches|horse horses|house houses|vase vases|tomato tomatoes|' +
  'giraffe giraffes|toothbrush toothbrushes|sandwich sandwiches|zebra zebras|potato potatoes'

test('singular and plural are each other’s reverse for everyday nouns', () => {
  for (const pair of PAIRS.split('|').filter((pair) => !pair.endsWith('_'))) {
    const [one = '', many = ''] = pair.split(' ')
    assert.equal(plural(one), many, one)
    assert.equal(singular(many), one, many)
  }
})

test('words that only look like plurals stay as they are', () => {
  for (const word of ['grass', 'bus', 'cactus', 'tennis', 'dress', 'is', 'gas', 'scissors']) {
    assert.equal(singular(word), word)
  }
  assert.ok(isPlural('scissors'))
  assert.ok(!isPlural('grass'))
})

test('in a phrase the head noun is changed', () => {
  assert.equal(singularPhrase('wine glasses'), 'wine glass')
  assert.equal(singularPhrase('glasses'), 'glasses')
  assert.equal(singularPhrase('baseball bats'), 'baseball bat')
  assert.equal(singularPhrase('bottles of wine'), 'bottle of wine')
  assert.equal(pluralPhrase('traffic light'), 'traffic lights')
  assert.equal(pluralPhrase('man in black'), 'men in black')
})

test('the article goes by sound', () => {
  assert.equal(article('umbrella'), 'an')
  assert.equal(article('unicorn'), 'a')
  assert.equal(article('hour'), 'an')
  assert.equal(article('dog'), 'a')
})
