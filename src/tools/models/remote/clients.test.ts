import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Clock } from '../../../base/index.ts'
import { controllerClient } from './controller-client.ts'
import { readFrames } from './frames.ts'
import { golden } from './golden.cases.ts'
import { askModelWorker, likelyCauses } from './model-client.ts'
import type { WorkerRequest } from './model-client.ts'
import { dict, plainOf } from './python-value.ts'
import { keepRegistered } from './registration.ts'
import { OVER_BUDGET, SERVER_ERROR } from './strings.ts'
import { remoteTools } from './tool-client.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A peer on a loopback port that answers as it is told and is closed in the end. */
async function peer<T>(handle: Handle, use: (address: string) => Promise<T>): Promise<T> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const request: WorkerRequest = {
  ...{ model: 'llava-v1', prompt: golden.frames.request.prompt, temperature: 0, topP: 0.7 },
  ...{ maxNewTokens: 64, stop: '</s>', images: [] },
}

async function heard(address: string, asked = request, silenceMs = 5_000): Promise<string[]> {
  const said: string[] = []
  for await (const text of askModelWorker(address, asked, { silenceMs })) said.push(text)
  return said
}

test('frames are read however their bytes are cut', async () => {
  const { first = '', second = '', last = '' } = golden.frames
  const bytes = Buffer.from(first + second + last)
  for (let at = 0; at <= bytes.length; at++) {
    const parts = async function* (): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, at)
      yield bytes.subarray(at)
    }
    const texts: string[] = []
    for await (const read of readFrames(parts())) {
      assert.ok(read.outcome === 'frame')
      texts.push(read.frame.text)
    }
    assert.equal(texts.length, 3)
    assert.ok(texts[0]?.endsWith('I ne'))
  }
})

test('a model worker’s text comes without the prompt, the repeated last frame once', async () => {
  const { first = '', second = '', last = '' } = golden.frames
  const said = await peer(
    (_, response) => response.end(first + second + last + last),
    (address) => heard(address),
  )
  assert.equal(said.length, 3)
  assert.equal(said[0], '"thoughts🤔" I ne')
  assert.ok(said[2]?.endsWith('Please wait for a moment.\n'))
})

test('each failure of a model worker is one clear outcome', async () => {
  const {
    failure = '',
    proxy_unknown_model: unknown = '',
    proxy_dead_worker: dead = '',
  } = golden.frames
  const budget = `{"text": ${JSON.stringify(request.prompt + OVER_BUDGET)}, "error_code": 0}\u0000`
  const rows: readonly (readonly [string, RegExp])[] = [
    [failure, /failed: the model worker failed/],
    [unknown, /failed: no worker has that model/],
    [dead, /failed: the worker cannot be reached/],
    [budget, /too long for this model/],
    ['<html>Bad gateway</html>', /something that is no frame: <html>/],
    ['{"text": "x"}\u0000', /no frame/],
    ['', /without a word/],
  ]
  for (const [body, message] of rows) {
    const run = peer(
      (_, response) => response.end(body),
      (address) => heard(address),
    )
    await assert.rejects(run, message)
  }
  const five = peer(
    (_, response) => response.writeHead(500).end('Internal Server Error'),
    (address) => heard(address),
  )
  await assert.rejects(five, /answered 500: Internal Server Error/)
})

test('a model worker that falls silent or dies in the middle is given up', async () => {
  const { first = '' } = golden.frames
  const silent = peer(
    (_, response) => response.write(first),
    (address) => heard(address, request, 30),
  )
  await assert.rejects(silent, /silent for 0.03 s/)
  const dying = peer(
    (_, response) => response.write(first, () => response.destroy()),
    (address) => heard(address),
  )
  await assert.rejects(dying)
})

test('likely causes of a failure without a reason are named', () => {
  assert.deepEqual(likelyCauses({ ...request, images: ['x'], model: 'weights', stop: '' }), [
    'no stop text was sent',
    'the prompt has 0 <image> but 1 pictures were sent',
    '"weights" has no "llava" in its name, so the reference ignores pictures',
  ])
  assert.deepEqual(likelyCauses(request), [])
})

test('the controller’s replies, good and bad, never surprise the client', async () => {
  const reply = (path: string, body: string): (typeof golden.controller)[number] | undefined =>
    golden.controller.find((row) => row.path === path && row.body === body)
  const handle: Handle = (asked, response) => {
    const row = reply(asked.url ?? '', '') ?? reply('/nope', '')
    response.writeHead(row?.status ?? 500).end(row?.reply ?? '')
  }
  await peer(handle, async (address) => {
    const client = controllerClient(address)
    assert.deepEqual(await client.models(), [])
    await client.refresh()
    await assert.rejects(client.workerFor('x'), /answered 500: Internal Server Error/)
  })
  const empty: Handle = (asked, response) =>
    response.end(asked.url === '/list_models' ? '{"models":["sam","blip2"]}' : '{"address":""}')
  await peer(empty, async (address) => {
    const missing = controllerClient(address).workerFor('ram')
    await assert.rejects(missing, /No worker for "ram" is registered at .*; registered: blip2, sam/)
  })
})

test('a tool worker’s reply comes back with its numbers, its failures with the reason', async () => {
  const body = dict({ image: null })
  const call = (handle: Handle, timeoutMs = 5_000) =>
    peer(handle, (address) =>
      remoteTools({ addresses: { ram: address }, timeoutMs }).call('ram', body),
    )
  const good = await call((_, response) => response.end('{"tags":"a, b","size":[384,384]}'))
  assert.deepEqual(plainOf(good), { tags: 'a, b', size: [384, 384] })
  const reason = JSON.stringify({ text: `${SERVER_ERROR}\n\n(no boxes)`, error_code: 50001 })
  const rows: readonly (readonly [Handle, RegExp])[] = [
    [(_, response) => response.end(reason), /ram failed: no boxes/],
    [(_, response) => response.end('{"error_code":50002,"text":""}'), /no memory left/],
    [(_, response) => response.writeHead(500).end('Internal Server Error'), /answered 500/],
    [(_, response) => response.end('<html>hello</html>'), /answered no JSON: <html>/],
    [(_, response) => response.end('[1]'), /something that is no object/],
    [(_, response) => response.destroy(), /does not answer/],
  ]
  for (const [handle, message] of rows) await assert.rejects(call(handle), message)
  const part = JSON.stringify({ text: '(Expecting value: line 1 column 1)', error_code: 50001 })
  await assert.rejects(
    call((_, response) => response.end(part)),
    /The part behind ram failed/,
  )
})

test('a worker that hangs is timed out, then left alone until its rest is over', async () => {
  let now = 0
  const clock: Clock = { now: () => now, tick: () => now, sleep: async () => {} }
  let calls = 0
  const handle: Handle = (_, response) => {
    calls++
    if (calls > 1) response.end('{"caption":"x"}')
  }
  await peer(handle, async (address) => {
    const tools = remoteTools({ addresses: { blip2: address }, timeoutMs: 40, clock })
    await assert.rejects(tools.call('blip2', dict({})), /gave no reply within 0.04 s/)
    await assert.rejects(tools.call('blip2', dict({})), /left alone for a while/)
    assert.equal(calls, 1)
    now = 61_000
    assert.deepEqual(plainOf(await tools.call('blip2', dict({}))), { caption: 'x' })
  })
})

test('a signal stops a call with its own reason', async () => {
  const stop = new AbortController()
  const handle: Handle = () => stop.abort(new Error('the user left'))
  const run = peer(handle, (address) =>
    remoteTools({ addresses: { ram: address } }).call('ram', dict({}), { signal: stop.signal }),
  )
  await assert.rejects(run, /the user left/)
})

test('a worker registers late, again when it was forgotten, and stops with its signal', async () => {
  const stop = new AbortController()
  const asked: string[] = []
  const waits: number[] = []
  const clock: Clock = {
    now: () => 0,
    tick: () => 0,
    sleep: async (ms) => {
      waits.push(ms)
      if (waits.length === 4) stop.abort()
    },
  }
  const replies = [new Error('refused'), 'null', '{"exist":true}', '{"exist":false}', 'null']
  const fetch = async (address: string): Promise<Response> => {
    asked.push(new URL(address).pathname)
    const reply = replies.shift() ?? 'null'
    if (reply instanceof Error) throw reply
    return new Response(reply)
  }
  const status = () => ({ model_names: ['ram'], speed: 1, queue_length: 0 })
  const common = { controller: 'http://c', worker: 'http://w', status, clock, fetch }
  await keepRegistered({ ...common, signal: stop.signal })
  const [register, beat] = ['/register_worker', '/receive_heart_beat']
  assert.deepEqual(asked, [register, register, beat, beat, register])
  assert.deepEqual(waits, [5_000, 15_000, 15_000, 15_000])
})
