import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingIds } from '../../base/index.ts'
import { solidImage } from '../../image/index.ts'
import { memoryDemonstrations } from '../../memory/index.ts'
import type { CallTool } from '../../program/index.ts'
import {
  createToolbox,
  dict,
  NO_BACKENDS,
  scriptedDetector,
  testContext,
} from '../../tools/index.ts'
import { analogyChat, createChatSession, createChattingAgent, createRepository } from './index.ts'
import { openChat, startDialogues } from './index.ts'
import type { ChatPart, Conversation } from './index.ts'

const cat = { box: [10, 5, 30, 25], score: 0.876, name: 'cat' } as const
const backends = { ...NO_BACKENDS, detectors: [scriptedDetector({ cat: [cat], dog: [] })] }
const toolbox = createToolbox({ backends })
const call: CallTool = (name, args, context) =>
  toolbox.call(name, args, testContext({ signal: context.signal, newId: context.newId }))

function session(conversation?: Conversation) {
  const pool = memoryDemonstrations(startDialogues())
  const repository = createRepository({ backends })
  const agent = createChattingAgent({ model: analogyChat({ pool }), repository, call })
  const given = conversation === undefined ? {} : { conversation }
  return createChatSession({ agent, repository, pool, ids: countingIds(), ...given })
}

async function answerOf(parts: AsyncIterable<ChatPart>): Promise<string> {
  let answer = ''
  for await (const part of parts) if (part.type === 'answer') answer = part.text
  return answer
}

test('a saved chat reopens with its pictures, results and corrections, and goes on', async () => {
  const chat = session()
  assert.equal(chat.addPicture(solidImage({ width: 100, height: 50 }, [9, 8, 7])), 'picture1')
  assert.equal(await answerOf(chat.say('How many cats are there?')), 'I count 1 cat.')
  await chat.correct({ value: 'There are two.', author: 'me', reason: 'one hides' })
  const text = JSON.stringify(await chat.save())
  const again = session(await openChat(JSON.parse(text)))
  assert.equal(JSON.stringify(await again.save()), text)
  assert.equal(await answerOf(again.say('And what about dogs?')), 'I count 0 dogs in the picture.')
  await assert.rejects(openChat({ format: 'other' }), /no conversation of Pupil/)
})

test('a corrected call is remembered, and the next such question is done right', async () => {
  const chat = session()
  chat.addPicture(solidImage({ width: 100, height: 50 }, [9, 8, 7]))
  await answerOf(chat.say('Gather the cat.'))
  const actions = [{ name: 'grounding_dino', params: dict({ caption: 'cat' }) }]
  await chat.correct({ actions, author: 'me' })
  assert.match(await answerOf(chat.say('Gather the cat.')), /^I found 1 cat/)
  assert.match(await answerOf(chat.say('Gather the dog.')), /^I found no dog/)
})

test('regenerating takes the whole exchange away first', async () => {
  const chat = session()
  chat.addPicture(solidImage({ width: 100, height: 50 }, [9, 8, 7]))
  await answerOf(chat.say('How many cats are there?'))
  const before = chat.conversation.turns.length
  assert.equal(await answerOf(chat.regenerate()), 'I count 1 cat.')
  assert.equal(chat.conversation.turns.length, before)
})

test('every skill is listed, those that cannot run with the reason', async () => {
  const listed = await session().skills()
  const state = new Map(listed.map((one) => [one.skill.names[0], one]))
  assert.equal(state.get('grounding_dino')?.where, 'here')
  const missing = state.get('stable-diffusion')
  assert.ok(missing?.where === 'nowhere')
  assert.match(missing.missing, /No offline model can generate pictures/)
  assert.ok(listed.length >= 16)
})
