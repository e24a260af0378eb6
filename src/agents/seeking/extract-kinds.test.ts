import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedKind, yesOrNo } from './extract-kinds.ts'
import type { Entry } from './types.ts'

const entry = (id: string, text: string): Entry => ({
  ...{ id, text, kind: 'entity', suspect: [] },
  source: { tool: 'kb_lookup', provider: 'test', step: 1 },
})
const OWL = entry(
  'e1',
  [
    'owl: nocturnal bird of prey with hawk-like beak and claws.',
    'owl is a kind of bird of prey.',
    'Wider still, owl is a kind of bird, vertebrate, animal, object.',
  ].join('\n'),
)
const DUCK = entry(
  'e2',
  'duck: swimming bird.\nduck is a kind of waterfowl.\nWider still, duck is a kind of bird, animal, object.',
)
const query = { subjects: ['owl'], entries: [OWL], answerType: 'yesno' as const }
const said = (question: string, more: { place?: string } = {}) =>
  yesOrNo({ ...query, question, ...more })?.candidates?.[0]

test('what is of a class is told by the sentence that says so', () => {
  const yes = said('Is owl a bird?')
  assert.equal(yes?.answer, 'yes')
  assert.match(yes?.support[0]?.quote ?? '', /^Wider still, owl is a kind of bird/)
  assert.equal(said('Would you count owl among the birds?')?.answer, 'yes')
})

test('what is of other classes only is told as no, and a property that is not mentioned as nothing', () => {
  assert.equal(said('Is owl a tool?')?.answer, 'no')
  assert.equal(said('Tell me whether owl is a tool.')?.answer, 'no')
  assert.equal(said('Is owl nocturnal?')?.answer, 'yes')
  assert.equal(said('Is owl extinct?'), undefined)
})

test('with a side, yes is the side and no is nothing', () => {
  assert.equal(said('Does owl have a beak?', { place: 'left' })?.answer, 'left')
  assert.equal(said('Does owl have strings?', { place: 'left' }), undefined)
})

test('the nearest kind that two things share answers for both, quoted from each', () => {
  const shared = sharedKind({
    ...{ question: 'What are owl and duck both?', answerType: 'name' },
    ...{ subjects: ['owl', 'duck'], entries: [OWL, DUCK] },
  })
  assert.equal(shared?.candidates?.[0]?.answer, 'bird')
  assert.deepEqual(
    shared?.candidates?.[0]?.support.map(({ entry: id }) => id),
    ['e1', 'e2'],
  )
  assert.equal(
    sharedKind({ question: '', answerType: 'name', subjects: ['owl'], entries: [OWL] }),
    undefined,
  )
})
