import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLexicon } from './lexicon.ts'
import { PROPERTIES } from './properties.ts'

const lexicon = await openLexicon()

test('every property quotes the gloss of the concept, or of what it is a kind of', () => {
  const missing = PROPERTIES.flatMap(({ says, truths }) =>
    Object.entries(truths).flatMap(([id, quote]) => {
      const sense = lexicon.synset(id)
      const glosses = [sense, ...lexicon.wordnet.above(sense.id)].map(({ gloss }) => gloss)
      return glosses.some((gloss) => gloss.includes(quote)) ? [] : [`${id} ${says}: "${quote}"`]
    }),
  )
  assert.deepEqual(missing, [])
})

test('no concept has a property and lacks it, and every row can be asked', () => {
  for (const { says, truths, falsehoods } of PROPERTIES) {
    for (const id of [...Object.keys(truths), ...falsehoods]) lexicon.concept(id)
    for (const id of falsehoods) {
      assert.ok(!(id in truths), `${id} ${says}`)
      for (const holder of Object.keys(truths)) {
        assert.ok(!lexicon.related(holder).has(id), `${id} is too near to ${holder}, which ${says}`)
      }
    }
    const known = falsehoods.filter((id) => lexicon.concept(id).split === 'known')
    assert.ok(known.length >= 2, says)
  }
})
