import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decomposeByRules, partsText } from './decompose.ts'

const cut = (question: string) => {
  const { visual, knowledge, answerType, places } = decomposeByRules(question)
  return [visual.join(' + '), partsText(knowledge, visual.length), answerType, places?.join(' or ')]
}

test('a thing that is told by its place is asked for by its place', () => {
  const tent = 'Which thing is left of the tent?'
  const rows: readonly (readonly [question: string, knowledge: string, type: string])[] = [
    ['The thing left of the tent is a kind of what?', '# is a kind of what?', 'text'],
    ['Is the one left of the tent an animal?', 'Is # an animal?', 'yesno'],
    ['Look left of the tent. Is that an animal?', 'Is # an animal?', 'yesno'],
    ['Is it an animal that you see left of the tent?', 'Is # an animal?', 'yesno'],
    ['What sits left of the tent: is it an animal?', 'is # an animal?', 'yesno'],
    ['Can the object left of the tent be called a tool?', 'Can # be called a tool?', 'yesno'],
    ['What kind of thing is left of the tent?', 'What kind of thing is #?', 'name'],
  ]
  for (const [question, knowledge, type] of rows) {
    assert.deepEqual(cut(question), [tent, knowledge, type, undefined], question)
  }
  assert.deepEqual(cut('How old can the dog behind the red bicycle get?'), [
    'Which dog is behind the red bicycle?',
    'How old can # get?',
    'number',
    undefined,
  ])
})

test('a thing that is told by what is known of it is looked for, and its side is the answer', () => {
  const rows: readonly (readonly [question: string, knowledge: string])[] = [
    ['On which side is the thing that has strings, left or right?', 'Does # have strings?'],
    ['Is the object with a rudder on the left or on the right?', 'Does # have a rudder?'],
    ['A rudder belongs to one of these things. Is it left or right?', 'Does # have a rudder?'],
    ['One of these things is nocturnal. Left or right?', 'Is # nocturnal?'],
    ['Left or right: where is the thing that lives in water?', 'Is it true that # lives in water?'],
  ]
  for (const [question, knowledge] of rows) {
    const [visual, asked, type, places] = cut(question)
    assert.deepEqual(
      [visual, asked, type, places],
      ['Which thing is this?', knowledge, 'choice', 'left or right'],
      question,
    )
  }
})

test('two things that are compared are named one after the other', () => {
  const both = 'Which thing is the first one? + Which thing is the second one?'
  assert.deepEqual(cut('What are the two things in the picture both?').slice(0, 2), [
    both,
    'What are #1 and #2 both?',
  ])
  assert.deepEqual(cut('Both things are a kind of what?').slice(0, 2), [
    both,
    '#1 and #2 are a kind of what?',
  ])
})

test('a question about the picture alone is not cut', () => {
  assert.equal(cut('What is left of the tent?')[0], '')
  assert.equal(cut('Is the dog left of the tree?')[0], '')
  assert.equal(cut('Who sat to the left of the king at the coronation of 1953?')[0], '')
})
