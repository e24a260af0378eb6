import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWordnet } from './wordnet.ts'
import { wordnetLister } from './wordnet-lister.ts'

const wordnet = await openWordnet()
const lister = wordnetLister(async () => wordnet)

test('meanings come most usual first, with their words and what they are a kind of', () => {
  const [dog] = wordnet.meanings('dog')
  assert.deepEqual(dog?.words.slice(0, 2), ['dog', 'domestic dog'])
  const animal = wordnet.meanings('animal')[0]
  assert.ok(dog !== undefined && animal !== undefined && wordnet.isKind(dog.id, animal.id))
  assert.ok(!wordnet.isKind(animal.id, dog.id))
})

test('first, last and absent words of the index are looked up rightly', () => {
  assert.ok(wordnet.meanings('a').length > 0)
  assert.ok(wordnet.meanings('zymurgy').length > 0)
  assert.ok(wordnet.meanings('traffic light').length > 0)
  for (const word of ['', 'zzzz', 'aaaaaaaaaa', '  1 this software']) {
    assert.deepEqual(wordnet.meanings(word), [], word)
  }
})

test('kinds stop at the limit and never hold the meaning itself', () => {
  const bird = wordnet.meanings('bird')[0]
  assert.ok(bird !== undefined)
  const kinds = wordnet.kinds(bird.id, 50)
  assert.equal(kinds.length, 50)
  assert.ok(!kinds.some((one) => one.id === bird.id))
})

test('LIST names well-known kinds, at most as many as asked', async () => {
  const birds = await lister.list('kinds of birds', 20)
  assert.ok(birds.known)
  const names = birds.text.split('\n')
  assert.equal(names.length, 20)
  for (const name of ['eagle', 'owl', 'duck', 'penguin']) assert.ok(names.includes(name), name)
  const cats = await lister.list('big cats', 20)
  assert.ok(cats.known && cats.text.split('\n').includes('lion'))
})

test('LIST tells what it cannot weigh, and refuses what is no kind of thing', async () => {
  const tall = await lister.list('tall birds', 5)
  assert.equal(tall.known && tall.notices[0]?.code, 'N_CONDITION_LEFT_OUT')
  assert.equal((await lister.list('characters in Friends', 5)).known, false)
  assert.equal((await lister.list('qwzx blorp', 5)).known, false)
})

test('a sense key names one meaning, whatever its place in the list', async () => {
  assert.match(wordnet.sense('seal%1:05:00::')?.gloss ?? '', /marine mammals/)
  assert.match(wordnet.sense('palm_tree%1:20:00::')?.gloss ?? '', /family Palmae/)
  assert.equal(wordnet.sense('seal%1:05:77::'), undefined)
  assert.equal(wordnet.sense('seal'), undefined)
})

test('pointers give what a meaning is part of and what belongs to it', async () => {
  const tree = wordnet.sense('tree%1:20:00::')
  assert.ok(tree !== undefined)
  const groups = wordnet.pointers(tree.id, '#m').flatMap((id) => wordnet.synset(id).words)
  assert.ok(groups.includes('forest'))
  assert.deepEqual(wordnet.pointers(tree.id, '%zz'), [])
})
