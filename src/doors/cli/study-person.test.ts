import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../app/index.ts'
import { paintFor } from './style.ts'
import { choiceOf, readingOf, studyPerson } from './study-person.ts'

type Output = Parameters<Person['read']>[0]

const entries: Output['entries'] = [
  {
    ...{ id: 'e1', text: 'tower\nIt has 26 elevators.', kind: 'page', suspect: [] },
    source: { tool: 'kb_lookup', provider: 'test', step: 1 },
  },
]
const view: Output = {
  ...{ question: 'How many?', asked: 'How many?', phase: 'knowledge', state: 'vqa', focus: {} },
  ...{ known: [], actions: [{ tool: 'kb_lookup', args: { q: 'tower' } }], excluded: [] },
  ...{ objects: [], left: 3, tool: 'kb_lookup', entries },
}

test('a choice is a number, with a new query or an object, and why', () => {
  assert.deepEqual(choiceOf('2'), { choice: 1 })
  assert.deepEqual(choiceOf('2 height of it # more telling'), {
    ...{ choice: 1, query: 'height of it', object: 'height of it', why: 'more telling' },
  })
  assert.equal(choiceOf('second'), undefined)
})

test('a reading quotes the entry as it is, or is sent back', () => {
  assert.deepEqual(readingOf('u', { entries }), { verdict: 'uninformative' })
  assert.deepEqual(readingOf('a 1 26', { entries }), {
    verdict: 'answer',
    candidates: [{ answer: '26', support: [{ entry: 'e1', quote: '26' }] }],
  })
  assert.deepEqual(readingOf('a 1 26 elevators = yes', { entries }), {
    verdict: 'answer',
    candidates: [{ answer: 'yes', support: [{ entry: 'e1', quote: '26 elevators' }] }],
  })
  assert.match(String(readingOf('a 1 27', { entries })), /does not stand in entry 1/)
  assert.match(String(readingOf('i 4', { entries })), /no entry 4/)
})

test('a person is asked until the line can be used, and gives up with q or at the end', async () => {
  const said: string[] = []
  const lines = ['what?', '?', '1', 'a 1 26']
  const io = {
    env: {},
    stdin: process.stdin,
    stdout: { write: () => true },
    stderr: { write: () => true },
    cwd: '/',
  }
  const person = studyPerson({
    lines: { next: async () => lines.shift() },
    write: (text) => void said.push(text),
    paint: paintFor(io.stdout, io, false),
  })
  assert.deepEqual(await person.choose(view), { choice: 0 })
  assert.equal((await person.read(view)).verdict, 'answer')
  assert.match(said.join('\n'), /1 kb_lookup "tower"/)
  assert.equal(await person.choose(view), undefined)
})
