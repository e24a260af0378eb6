import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grounding } from './grounding.ts'
import { createPictureSource } from './pictures.ts'
import { fixtureLibrary } from './tasks/fixtures.ts'

const library = await fixtureLibrary()
const { lexicon } = library
const taught = library.sprites.filter(({ style }) => style !== 'twemoji')
const source = createPictureSource(lexicon, taught)

test('a search finds pictures of known and new concepts, each a drawing on a ground of its own', () => {
  for (const name of ['owl', 'guitar', 'sax', 'a photo of an owl']) {
    const found = source.searchWithTruth(name, { n: 5, seed: 1 })
    assert.equal(found.length, 5)
    for (const { picture, truth } of found) {
      assert.ok(picture.width >= 192 && picture.width <= 320)
      assert.equal(picture.rgb.length, picture.width * picture.height * 3)
      assert.equal(truth.noise, 'none')
      assert.ok(picture.licence.length > 0 && picture.attribution.length > 0)
    }
  }
})

test('the same search gives the same pictures, and pages follow each other', () => {
  const both = source.search('owl', { n: 6, seed: 3 })
  assert.deepEqual(source.search('owl', { n: 6, seed: 3 }), both)
  assert.deepEqual(
    source.search('owl', { n: 3, seed: 3, page: 1 }).map(({ id }) => id),
    both.slice(3).map(({ id }) => id),
  )
})

test('noise comes at its rate, half another concept, half anything, titled as asked', () => {
  const found = ['owl', 'bus', 'violin', 'apple', 'chair', 'key', 'bell', 'tent'].flatMap((name) =>
    source.searchWithTruth(name, { n: 50, noise: 0.3, seed: 5, duplicates: 0 }),
  )
  const share = (kind: string): number =>
    found.filter(({ truth }) => truth.noise === kind).length / found.length
  assert.ok(Math.abs(share('wrong-concept') - 0.15) < 0.06, `${share('wrong-concept')}`)
  assert.ok(Math.abs(share('wrong-picture') - 0.15) < 0.06, `${share('wrong-picture')}`)
  const marked = found.filter(({ truth }) => truth.watermark).length / found.length
  assert.ok(Math.abs(marked - 0.1) < 0.06, `${marked}`)
  for (const { picture } of found.slice(0, 50)) assert.equal(picture.title, 'owl')
})

test('with two drawings of a concept, seven pictures hold repeats, and the bench knows', () => {
  const found = source.searchWithTruth('owl', { n: 7 })
  const drawings = new Set(found.map(({ truth }) => truth.drawing))
  assert.ok(drawings.size <= 2)
  assert.equal(found.filter(({ truth }) => truth.duplicate).length, 7 - drawings.size)
  assert.equal(new Set(found.map(({ picture }) => picture.id)).size, 7)
})

test('keywords find what shares them; unknown words are told with near ones', () => {
  assert.ok(source.search('sailing', { n: 2 }).length + source.search('boat', { n: 2 }).length > 2)
  assert.throws(
    () => source.search('saxophon', { n: 1 }),
    (fault: { cure?: string }) => fault.cure?.includes('saxophone') === true,
  )
})

test('the development and final styles are refused, with the reason (W18)', () => {
  assert.throws(() => createPictureSource(lexicon, library.sprites), { code: 'E_STYLE' })
  const final = taught.slice(0, 1).map((one) => ({ ...one, style: 'final-a' as const }))
  assert.throws(() => createPictureSource(lexicon, final), /for testing/)
  assert.throws(() => grounding(library, 'owl', { n: 1, styles: ['twemoji'] }), { code: 'E_STYLE' })
})

test('grounding scenes hold the concept and never what is said to be absent', () => {
  for (const concept of ['owl', 'guitar']) {
    const scenes = grounding(library, concept, { n: 4, seed: 2, size: 128 })
    assert.ok(scenes.length >= 3)
    for (const { graph, absent } of scenes) {
      const shown = graph.objects.map((one) => one.concept)
      assert.ok(shown.includes(concept))
      assert.equal(absent?.length, 5)
      for (const id of absent ?? []) assert.ok(!shown.includes(id))
      for (const id of shown) {
        assert.ok(id === concept || lexicon.concept(id).split === 'known', id)
      }
      assert.ok(graph.objects.every(({ style }) => style !== 'twemoji'))
    }
  }
})
