import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../base/index.ts'
import { openWordnet } from './wordnet.ts'
import { wordnetFacts } from './wordnet-facts.ts'

const wordnet = openWordnet()
const source = wordnetFacts(() => wordnet)
const ask = async (q: string, subject?: string) =>
  (await source.call({ q, ...(subject === undefined ? {} : { subject }) }, { clock: systemClock }))
    .entries ?? []

test('the vectors of the specification are found', async () => {
  const [tower] = await ask('Eiffel Tower')
  for (const word of ['300 meters high', 'Paris', '1889'])
    assert.ok(tower?.text?.includes(word), word)
  assert.match(tower?.text ?? '', /is an instance of tower/)
  assert.match(tower?.text ?? '', /is part of Paris/)
  const [taj] = await ask('Taj Mahal')
  for (const word of ['Agra', '1649']) assert.ok(taj?.text?.includes(word), word)
  assert.equal((await ask('crane')).length, 5)
  assert.deepEqual(await ask('Tower Bridge', 'Tower Bridge of nowhere in particular xyzzy'), [])
})

test('a question is looked up by its subject, or by the longest noun in it', async () => {
  assert.match((await ask('What family does a dog belong to?'))[0]?.text ?? '', /dog/)
  assert.match((await ask('How tall can it get?', 'giraffe'))[0]?.title ?? '', /giraffe/)
  assert.match((await ask('What is a fire engine used for?'))[0]?.title ?? '', /fire engine/)
})

test('families and orders of living things are said in plain sentences', async () => {
  const [dog] = await ask('dog')
  assert.match(dog?.text ?? '', /dog belongs to the genus Canis\./)
  assert.match(dog?.text ?? '', /dog belongs to the family Canidae\./)
})
