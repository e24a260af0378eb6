import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLexicon } from './lexicon.ts'
import { namesByClass, namesStrictly } from './naming.ts'

const lexicon = await openLexicon()

test('senses that are no first senses are the right ones (W1)', () => {
  const wanted = {
    tiger: 'tiger%1:05:00::',
    leopard: 'leopard%1:05:00::',
    seal: 'seal%1:05:00::',
    ram: 'ram%1:05:00::',
    hammer: 'hammer%1:06:00::',
    volcano: 'volcano%1:17:00::',
    castle: 'castle%1:06:00::',
    bat: 'bat%1:05:00::',
  }
  for (const [id, key] of Object.entries(wanted)) assert.equal(lexicon.concept(id).synset, key)
})

test('every sense key of concepts and classes is a meaning of WordNet, and no two are one', () => {
  const ids = [...lexicon.concepts.keys()].map((id) => lexicon.synset(id).id)
  assert.equal(new Set(ids).size, ids.length)
})

const BY_CLASS: readonly (readonly [truth: string, answer: string, right: boolean])[] = [
  ['ferry', 'ship', true],
  ['ship', 'ferry', true],
  ['owl', 'eagle', true],
  ['owl', 'bird', true],
  ['owl', 'vertebrate', false],
  ['owl', 'penguin', false],
  ['tiger', 'leopard', true],
  ['cat', 'tiger', true],
  ['violin', 'guitar', true],
  ['cat', 'dog', false],
  ['motorcycle', 'bicycle', false],
]

test('names count by class within three edges, two up, below the general nodes (W2 to W4)', () => {
  for (const [truth, answer, right] of BY_CLASS) {
    assert.equal(namesByClass(lexicon, truth, answer), right, `${answer} for ${truth}`)
  }
})

test('strict names forgive case, article and plural, not ambiguity (W5)', () => {
  for (const name of ['a Saxophone', 'saxophones', 'sax']) {
    assert.ok(namesStrictly(lexicon, 'saxophone', name), name)
  }
  assert.ok(!namesStrictly(lexicon, 'bicycle', 'bike'))
  assert.ok(!namesStrictly(lexicon, 'motorcycle', 'bike'))
  assert.ok(!namesStrictly(lexicon, 'owl', 'bird'))
})

test('no name that stands for one concept stands for another', () => {
  const owners = new Map<string, string>()
  for (const { id, label, plural, synonyms } of lexicon.concepts.values()) {
    for (const name of new Set([label, plural, ...synonyms])) {
      assert.ok((owners.get(name) ?? id) === id, `${name}: ${owners.get(name)} and ${id}`)
      owners.set(name, id)
    }
  }
})

test('a concept finds its relatives, so that no scene confuses them', () => {
  assert.ok(lexicon.related('dog').has('poodle'))
  assert.ok(lexicon.related('poodle').has('dog'))
  assert.ok(lexicon.related('house').has('castle') === lexicon.related('castle').has('house'))
  assert.ok(lexicon.related('glove').has('boxing-glove'))
  assert.ok(!lexicon.related('owl').has('anchor'))
})

test('classes hold whom table and WordNet agree on, and know whom not', () => {
  const fruit = lexicon.classNamed('fruits')
  assert.ok(fruit?.members.has('apple') && fruit.disputed.has('tomato'))
  const animal = lexicon.classNamed('animal')
  assert.ok(animal?.members.has('owl') && animal.disputed.has('dragon'))
})
