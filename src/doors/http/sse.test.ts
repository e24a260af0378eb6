import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UserFault } from '../../base/index.ts'
import { sseResponse, sseText } from './sse.ts'

const never = { now: () => 0, tick: () => 0, sleep: () => new Promise<void>(() => {}) }

test('an event is written with its name, place and data on one line', () => {
  assert.equal(
    sseText({ event: 'step', id: 3, data: { a: 'x\ny' } }),
    'event: step\nid: 3\ndata: {"a":"x\\ny"}\n\n',
  )
})

test('a quiet line is kept open by pings', async () => {
  let pings = 0
  const clock = { ...never, sleep: async () => void (++pings > 2 && (await new Promise(() => {}))) }
  const quiet = async function* (signal: AbortSignal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield { event: 'late', data: null }
  }
  const stop = new AbortController()
  const reader = sseResponse(quiet, { signal: stop.signal, clock }).body?.getReader()
  let text = ''
  while (!/(still here[\s\S]*){2}/.test(text))
    text += Buffer.from((await reader?.read())?.value ?? []).toString()
  assert.match(text, /^retry: 1000/)
  await reader?.cancel()
})

test('hanging up ends the source', async () => {
  const ended = Promise.withResolvers<void>()
  const endless = async function* (signal: AbortSignal) {
    try {
      for (let n = 0; ; n++) {
        yield { event: 'step', data: n }
        if (signal.aborted) return
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        )
      }
    } finally {
      ended.resolve()
    }
  }
  const stop = new AbortController()
  const reader = sseResponse(endless, { signal: stop.signal, clock: never }).body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await ended.promise
})

test('a source that breaks says so on the stream, and ends it', async () => {
  const broken = async function* () {
    yield { event: 'step', id: 1, data: null }
    throw new UserFault('E_GONE', 'The store has gone.')
  }
  const { signal } = new AbortController()
  const text = await sseResponse(broken, { signal, clock: never }).text()
  assert.match(text, /event: failed\ndata: \{"error":\{"kind":"UserFault","code":"E_GONE"/)
})
