import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWordnet } from '../../sources/wordnet.ts'
import { COCO, COCO_NAMES, GROUPS } from './coco.ts'
import { classSenses, cocoVocabulary } from './vocabulary.ts'

const wordnet = await openWordnet()
const vocabulary = cocoVocabulary(async () => wordnet)

async function words(word: string): Promise<readonly string[] | undefined> {
  const reading = await vocabulary.read(word)
  return reading.known ? reading.words : undefined
}

test('there are 80 classes, each with its meaning in WordNet where it has one', () => {
  assert.equal(COCO_NAMES.length, 80)
  assert.equal(new Set(COCO_NAMES).size, 80)
  assert.equal(classSenses(wordnet).length, COCO.filter((one) => one.sense !== undefined).length)
  for (const [group, members] of Object.entries(GROUPS)) {
    assert.ok(
      members.every((name) => COCO_NAMES.includes(name)),
      group,
    )
  }
})

test('a class is read without a notice, also in the plural and with an article', async () => {
  for (const word of ['dog', 'dogs', 'the dog', 'Traffic Lights', 'people', 'skis', 'scissors']) {
    const reading = await vocabulary.read(word)
    assert.ok(reading.known && reading.notices.length === 0, word)
  }
})

test('synonyms and wider words are read, and the reading is told', async () => {
  const sofa = await vocabulary.read('sofas')
  assert.deepEqual(sofa, {
    known: true,
    words: ['couch'],
    notices: [{ code: 'N_WORD', message: '"sofas" is read as couch.' }],
  })
  assert.deepEqual(await words('fruit'), ['banana', 'apple', 'orange'])
  assert.deepEqual(await words('felines'), ['cat'])
  assert.deepEqual(await words('citrus fruit'), ['orange'])
  assert.ok((await words('mammal'))?.includes('zebra'))
})

test('who a person is cannot be told, which is said', async () => {
  const reading = await vocabulary.read('women')
  assert.ok(reading.known)
  assert.deepEqual(reading.words, ['person'])
  assert.match(reading.notices[0]?.message ?? '', /cannot tell who or what kind of person/)
})

test('other words are unknown, with the nearest known ones and what would know them', async () => {
  const poodle = await vocabulary.read('poodle')
  assert.ok(!poodle.known && poodle.near[0] === 'dog')
  for (const word of ['tulip', 'kettle', 'sky', 'thing', 'glove', 'qwzx']) {
    const reading = await vocabulary.read(word)
    assert.ok(!reading.known && reading.would.includes('detector'), word)
  }
})
