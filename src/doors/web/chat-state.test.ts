import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatEvent } from './chat-api.ts'
import { heard, newTurn } from './chat-state.ts'
import type { ChatTurn } from './chat-state.ts'

test('a turn grows by what is heard of it; its answer takes the place of what was begun', () => {
  const events: readonly ChatEvent[] = [
    { type: 'call-start', skill: 'detect', params: {} },
    { type: 'call-start', skill: 'caption', params: {} },
    { type: 'call-end', skill: 'detect', made: [], notes: [] },
    {
      ...{ type: 'call-end', skill: 'caption', made: [], notes: [] },
      error: { kind: 'Unavailable', code: 'T', message: 'no model', fields: {} },
    },
    { type: 'picture', name: 'image-2', image: 'f00d', width: 1, height: 1 },
    { type: 'say-delta', text: 'One ' },
    { type: 'say-delta', text: 'cup' },
  ]
  const turn = events.reduce<ChatTurn>(heard, newTurn('What is there?'))
  assert.deepEqual(turn.calls, [
    { skill: 'detect', state: 'done' },
    { skill: 'caption', state: 'failed', why: 'no model' },
  ])
  assert.deepEqual([turn.said, turn.pictures], ['One cup', ['f00d']])
  assert.equal(heard(turn, { type: 'answer', text: 'One cup.' }).said, 'One cup.')
})
