import assert from 'node:assert/strict'
import type { Check } from './cases.ts'
import { chatStore } from './chat-store.ts'
import { replyStore } from './reply-store.ts'
import { tokenStore } from './token-store.ts'

const COST = { calls: 1, tokens: 200, pictures: 1, seconds: 0.5, money: 0.25 }

/** Tokens, replies that are given once, and conversations, on any backend. */
export function accessCases(check: Check): void {
  check('a token is known by its digest only, until it is revoked in its own space', async (db) => {
    const tokens = tokenStore(db)
    const record = {
      ...{ id: 'token_1', space: 'home', name: 'phone', scopes: ['read'] },
      ...{ budget: { calls: 5 }, createdAt: 7 },
    }
    await tokens.add('pupil_secret', record)
    assert.deepEqual(await tokens.find('pupil_secret'), record)
    assert.equal(await tokens.find('pupil_other'), undefined)
    const row = await db.read.selectFrom('tokens').selectAll().executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes('secret'))
    assert.deepEqual(await tokens.list('work'), [])
    assert.equal(await tokens.revoke('work', 'token_1', 9), false)
    assert.equal(await tokens.any(), true)
    assert.equal(await tokens.revoke('home', 'token_1', 9), true)
    assert.equal(await tokens.any(), false)
    assert.equal(await tokens.revoke('home', 'token_1', 9), false)
    assert.equal(await tokens.find('pupil_secret'), undefined)
    assert.deepEqual(await tokens.list('home'), [{ ...record, revokedAt: 9 }])
  })
  check('what a token spends adds up by day', async (db) => {
    const tokens = tokenStore(db)
    await tokens.spend('token_1', 3, COST)
    await tokens.spend('token_1', 3, COST)
    await tokens.spend('token_1', 4, COST)
    const both = { calls: 2, tokens: 400, pictures: 2, seconds: 1, money: 0.5 }
    assert.deepEqual({ ...(await tokens.spent('token_1', 3)) }, both)
    assert.deepEqual({ ...(await tokens.spent('token_1', 4)) }, COST)
    assert.equal((await tokens.spent('token_2', 3)).calls, 0)
  })
  check('a key is one request of one space, and its reply is kept', async (db) => {
    const replies = replyStore(db, 'home')
    const now = { now: 1000, keep: 500, stale: 100 }
    assert.deepEqual(await replies.claim('k', 'd', now), { is: 'ours' })
    assert.deepEqual(await replies.claim('k', 'd', now), { is: 'going' })
    assert.deepEqual(await replies.claim('k', 'e', now), { is: 'other' })
    assert.deepEqual(await replyStore(db, 'work').claim('k', 'd', now), { is: 'ours' })
    const reply = { status: 202, head: { location: '/v1/runs/1' }, body: '{}' }
    await replies.settle('k', reply)
    assert.deepEqual(await replies.claim('k', 'd', now), { is: 'done', reply })
    await replies.release('k')
    assert.deepEqual(await replies.claim('k', 'd', now), { is: 'done', reply })
    assert.deepEqual(await replies.claim('k', 'd', { ...now, now: 1501 }), { is: 'ours' })
    await replies.release('k')
    assert.deepEqual(await replies.claim('k', 'd', { ...now, now: 1501 }), { is: 'ours' })
  })
  check('a request whose process died may be carried out again', async (db) => {
    const replies = replyStore(db, 'home')
    const options = { keep: 500, stale: 100 }
    await replies.claim('k', 'd', { now: 1000, ...options })
    assert.equal((await replies.claim('k', 'd', { now: 1100, ...options })).is, 'going')
    assert.equal((await replies.claim('k', 'd', { now: 1101, ...options })).is, 'ours')
  })
  check('conversations are kept by space, newest first', async (db) => {
    const chats = chatStore(db, 'home')
    const chat = { id: 'a', title: 'A', turns: 1, body: '{}', createdAt: 1, updatedAt: 5 }
    await chats.put(chat)
    await chats.put({ ...chat, id: 'b', updatedAt: 6 })
    await chats.put({ ...chat, id: 'c', updatedAt: 6 })
    const first = await chats.list({ limit: 1 })
    const rest = await chats.list({ limit: 5, ...(first[0] && { before: first[0] }) })
    assert.deepEqual(
      [...first, ...rest].map(({ id }) => id),
      ['c', 'b', 'a'],
    )
    await chats.put({ ...chat, body: '{"x":1}', updatedAt: 7 })
    assert.deepEqual(await chats.get('a'), { ...chat, body: '{"x":1}', updatedAt: 7 })
    const other = chatStore(db, 'work')
    assert.equal(await other.get('a'), undefined)
    assert.equal(await other.remove('a'), false)
    assert.equal(await chats.remove('a'), true)
    assert.equal(await chats.get('a'), undefined)
  })
}
