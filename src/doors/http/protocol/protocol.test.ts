import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import {
  analogyChat,
  createChatHost,
  createRepository,
  createSkillHost,
} from '../../../agents/index.ts'
import { createChattingAgent, newConversation, SKILLS } from '../../../agents/index.ts'
import { addPicture, startDialogues, workerChat } from '../../../agents/index.ts'
import type { ChatPart } from '../../../agents/index.ts'
import { seededRandom } from '../../../base/index.ts'
import type { Clock } from '../../../base/index.ts'
import { solidImage } from '../../../image/index.ts'
import { memoryDemonstrations } from '../../../memory/index.ts'
import type { CallTool } from '../../../program/index.ts'
import { controllerClient, createToolbox, NO_BACKENDS, remoteTools } from '../../../tools/index.ts'
import { scriptedDetector, testContext } from '../../../tools/index.ts'
import { golden } from '../../../tools/models/remote/golden.cases.ts'
import { failureFrame, writeFrame } from './frame.ts'
import { createProtocolApp, serveProtocol } from './mount-protocol.ts'
import { permits } from './permits.ts'
import type { ToolHost } from './worker-hosts.ts'
import { WorkerTable } from './worker-table.ts'

interface Ticking extends Clock {
  to(ms: number): void
}

function handClock(): Ticking {
  let now = 0
  return { now: () => now, tick: () => now, sleep: async () => {}, to: (ms) => void (now = ms) }
}

const post = (path: string, body: unknown = ''): Request =>
  new Request(`http://local${path}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const status = (...names: string[]) => ({ model_names: names, speed: 1, queue_length: 0 })

async function peer<T>(
  listener: RequestListener,
  use: (address: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('frames are written byte for byte', () => {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  const prompt = golden.frames.request.prompt
  const first = writeFrame({ text: `${prompt}"thoughts🤔" I ne`, code: 0 })
  assert.equal(decode(first), golden.frames['first'])
  const failure = JSON.parse(decode(failureFrame(1, 'why')).replace('\u0000', ''))
  const theirs = JSON.parse((golden.frames['failure'] ?? '').replace('\u0000', ''))
  assert.deepEqual(failure, { ...theirs, reason: 'why' })
})

test('the controller answers as the reference does, and says what was wrong where that fails', async () => {
  const fetch = async (): Promise<Response> => {
    throw new Error('refused')
  }
  const { app } = createProtocolApp({ fetch })
  for (const row of golden.controller) {
    const { method, path, body } = row
    const init = { method, ...(method === 'POST' ? { body } : {}) }
    const response = await app.fetch(new Request(`http://local${path}`, init))
    const text = await response.text()
    if (row.status === 500) {
      assert.equal(response.status, 400)
      assert.match(text, /"detail":"Expected a /)
    } else if (path !== '/') {
      assert.equal(response.status, row.status, path)
      assert.equal(text, row.reply, path)
      if (row.allow !== undefined) assert.equal(response.headers.get('allow'), row.allow)
      if (row.location_path !== undefined) {
        assert.equal(response.headers.get('location'), row.location_path)
      }
    }
  }
})

test('the shortest queue is handed out, aliases share it, a heartbeat sets it', async () => {
  const { app } = createProtocolApp()
  const { register, ask_m_five_times, then_heartbeat, ask_m2_three_times } = golden.dispatch
  for (const worker of register) await app.fetch(post('/register_worker', worker))
  const ask = async (model: string): Promise<string> => {
    const reply = await app.fetch(post('/get_worker_address', { model }))
    return ((await reply.json()) as { address: string }).address
  }
  const asked: string[] = []
  for (let i = 0; i < 5; i++) asked.push(await ask('m'))
  assert.deepEqual(asked, ask_m_five_times)
  await app.fetch(post('/receive_heart_beat', then_heartbeat))
  const again: string[] = []
  for (let i = 0; i < 3; i++) again.push(await ask('m2'))
  assert.deepEqual(again, ask_m2_three_times)
})

test('the lottery draws by speed; a speed of nothing is not available', () => {
  const clock = handClock()
  const table = new WorkerTable({ clock, random: seededRandom(3), method: 'lottery' })
  table.register('http://a', { ...status('m'), speed: 3 }, false)
  table.register('http://b', { ...status('m'), speed: 1 }, false)
  table.register('http://c', { ...status('m'), speed: 0 }, false)
  const drawn = Array.from({ length: 1000 }, () => table.choose('m')?.address)
  const share = drawn.filter((one) => one === 'http://a').length
  assert.ok(share > 700 && share < 800, String(share))
  assert.ok(!drawn.includes('http://c'))
  assert.equal(table.choose('other'), undefined)
})

test('15 s and 45 s workers stay for three minutes, a silent one goes, one that never beats stays', () => {
  const clock = handClock()
  const table = new WorkerTable({ clock, random: seededRandom(1) })
  for (const name of ['quick', 'slow', 'silent'])
    table.register(`http://${name}`, status(name), true)
  table.register('http://fixed', status('fixed'), false)
  for (let second = 0; second <= 180; second++) {
    clock.to(second * 1000)
    if (second % 15 === 0) table.beat('http://quick', 0)
    if (second % 45 === 0) table.beat('http://slow', 0)
    assert.ok(table.names().includes('slow'), `at ${second} s`)
  }
  assert.deepEqual(table.names(), ['quick', 'slow', 'fixed'])
  assert.equal(table.beat('http://silent', 0), false)
})

test('a zombie that beats with a closed port is passed over until it answers again', async () => {
  let alive = true
  const fetch = async (address: string): Promise<Response> => {
    if (address.startsWith('http://zombie') && !alive) {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      })
    }
    return Response.json(status('m'))
  }
  const { controller } = createProtocolApp({ fetch, clock: handClock() })
  await controller.register({ address: 'http://zombie', beats: true, status: status('m') })
  alive = false
  const response = await controller.generate('{}', 'm', new AbortController().signal)
  assert.match(await response.text(), /"error_code": 3.*cannot be reached: ECONNREFUSED/)
  assert.equal(controller.table.beat('http://zombie', 0), true)
  assert.equal(await controller.address('m'), '')
  alive = true
  assert.equal(await controller.address('m'), 'http://zombie')
})

test('a slow worker is kept at refresh, marked unverified, and handed out only after a probe', async () => {
  let slow = true
  const fetch = async (): Promise<Response> => {
    if (slow) throw new DOMException('late', 'TimeoutError')
    return Response.json(status('m'))
  }
  const { controller } = createProtocolApp({ fetch })
  await controller.register({ address: 'http://w', beats: true, status: status('m') })
  await controller.refresh()
  assert.equal(controller.table.get('http://w')?.state, 'unverified')
  assert.deepEqual(controller.table.names(), ['m'])
  assert.equal(await controller.address('m'), '')
  slow = false
  assert.equal(await controller.address('m'), 'http://w')
})

test('a proxied stream comes as it is; HTML, 500, silence and a broken stream are one frame each', async () => {
  const { first = '', last = '' } = golden.frames
  const rows: readonly (readonly [RequestListener, RegExp])[] = [
    [(_, response) => response.writeHead(500).end('Internal Server Error'), /answered 500/],
    [(_, response) => response.destroy(), /cannot be reached/],
    [(_, response) => void response.write(first, () => response.destroy()), /broke off/],
  ]
  const { controller } = createProtocolApp()
  const ask = async (model: string): Promise<string> =>
    (await controller.generate('{}', model, new AbortController().signal)).text()
  await peer(
    (_, response) => response.end(first + last),
    async (address) => {
      await controller.register({ address, beats: false, status: status('good') })
      assert.equal(await ask('good'), first + last)
    },
  )
  for (const [i, [listener, message]] of rows.entries()) {
    await peer(listener, async (address) => {
      await controller.register({ address, beats: false, status: status(`bad${i}`) })
      const text = await ask(`bad${i}`)
      assert.match(text, message)
      assert.equal(text.match(/"error_code": 3/g)?.length, 1)
    })
  }
  assert.match(await ask('unknown'), /"error_code": 2, "reason": "No worker has \\"unknown\\"/)
})

test('bad registrations are refused with what was expected', async () => {
  const { app } = createProtocolApp()
  const rows: readonly (readonly [unknown, RegExp])[] = [
    [{ worker_name: 'file:///etc', worker_status: status('m') }, /an http address for worker_name/],
    [{ worker_name: 'http://a', worker_status: { model_names: 'm' } }, /a list of texts/],
    ['[]', /a JSON object for the body/],
  ]
  for (const [body, message] of rows) {
    const response = await app.fetch(post('/register_worker', body))
    assert.equal(response.status, 400)
    assert.match(await response.text(), message)
  }
  const stranger = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
  const body = { worker_name: 'http://192.0.2.7:1', worker_status: status('m') }
  assert.equal((await app.fetch(post('/register_worker', body), stranger)).status, 403)
  const trusting = createProtocolApp({ networks: ['192.0.2.0/24'] }).app
  assert.equal((await trusting.fetch(post('/register_worker', body), stranger)).status, 200)
})

test('a permit comes back after each kind of end, also for those who left while waiting', async () => {
  const gate = permits(1)
  const never = new AbortController()
  const { signal } = never
  await assert.rejects(
    gate.run(() => Promise.reject(new Error('broke')), signal),
    /broke/,
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  const inside = gate.run(() => promise, signal)
  const impatient = new AbortController()
  const waiting = gate.run(async () => 'never', impatient.signal)
  assert.equal(gate.length(), 2)
  impatient.abort(new Error('left'))
  await assert.rejects(waiting, /left/)
  resolve()
  await inside
  assert.equal(gate.length(), 0)
  assert.equal(await gate.run(async () => 'in', signal), 'in')
})

test('six calls that fail do not hang the seventh', async () => {
  const host: ToolHost = {
    names: ['ram'],
    details: () => ({}),
    call: async (_, body) => {
      if (body === 'bad') throw new Error('broke')
      return '{"tags":"a"}'
    },
  }
  const { app } = createProtocolApp({ tools: host })
  for (let i = 0; i < 6; i++) await app.fetch(post('/workers/ram/worker_generate', 'bad'))
  const reply = await app.fetch(post('/workers/ram/worker_generate', '{}'))
  assert.equal(await reply.text(), '{"tags":"a"}')
})

const backends = {
  ...NO_BACKENDS,
  detectors: [
    scriptedDetector({ cat: [{ box: [10, 5, 30, 25] as const, score: 0.876, name: 'cat' }] }),
  ],
}
const toolbox = createToolbox({ backends })
const call: CallTool = (name, args, context) =>
  toolbox.call(name, args, testContext({ signal: context.signal, newId: context.newId }))

test('over real sockets: our chat asks our model worker and our tool workers through our controller', async () => {
  const repository = createRepository({ backends })
  const tools = await createSkillHost({ repository, call })
  const model = analogyChat({ pool: memoryDemonstrations(startDialogues()) })
  const chat = createChatHost({ name: 'llava-pupil-v1', model, skills: SKILLS })
  const server = await serveProtocol(createProtocolApp({ tools, chat }), { port: 0 })
  try {
    const client = controllerClient(server.address)
    assert.deepEqual(await client.models(), ['grounding_dino', 'llava-pupil-v1'])
    const remote = createRepository({
      ...{ backends: NO_BACKENDS, remote: remoteTools({ controller: client }) },
    })
    const agent = createChattingAgent({
      model: workerChat({ model: 'llava-pupil-v1', worker: client }),
      ...{ repository: remote, call },
    })
    const picture = solidImage({ width: 100, height: 50 }, [1, 2, 3])
    const { conversation } = addPicture(newConversation('c'), picture)
    const parts: ChatPart[] = []
    for await (const part of agent.turn(conversation, 'How many cats are there?')) parts.push(part)
    const answers = parts.flatMap((part) => (part.type === 'answer' ? [part.text] : []))
    assert.deepEqual(answers, ['I count 1 cat.'])
    const end = parts.find((part) => part.type === 'call-end')
    assert.ok(end?.type === 'call-end')
    assert.deepEqual(
      end.outcome.result?.objects?.map(({ box }) => box),
      [[10, 5, 30, 25]],
    )
    const last = parts.at(-1)
    assert.ok(last?.type === 'finish' && last.run.outcome.status === 'done')
  } finally {
    await server.close()
  }
})

test('a tool worker refuses paths and says why a call failed, always with 200', async () => {
  const tools = await createSkillHost({ repository: createRepository({ backends }), call })
  const ask = async (body: unknown): Promise<string> =>
    tools.call('grounding_dino', JSON.stringify(body), new AbortController().signal)
  assert.match(await ask({ image: '../secret.png', caption: 'cat' }), /"error_code":50001/)
  assert.match(await ask({ image: '../secret.png', caption: 'cat' }), /paths and addresses are not/)
  assert.match(await ask({ image: 'AAAA', caption: 'cat' }), /"error_code":50001/)
  assert.match(await ask({ caption: 'cat' }), /needs a picture/)
  assert.match(await tools.call('grounding_dino', 'oops', new AbortController().signal), /50001/)
})

test('a model worker sends a frame at once and the reason when it fails', async () => {
  const chat = {
    name: 'm',
    async *answer(): AsyncGenerator<string> {
      yield 'half'
      throw new Error('the model broke')
    },
  }
  const { app } = createProtocolApp({ chat })
  const reply = await app.fetch(post('/workers/m/worker_generate_stream', { prompt: 'P' }))
  const frames = (await reply.text()).split('\u0000').filter((one) => one !== '')
  assert.deepEqual(frames.map((one) => JSON.parse(one).text).slice(0, 2), ['P', 'Phalf'])
  assert.match(frames.at(-1) ?? '', /"error_code": 1, "reason": "the model broke"/)
  const bad = await app.fetch(
    post('/workers/m/worker_generate_stream', { prompt: 'P', images: ['x'] }),
  )
  assert.match(await bad.text(), /0 pictures, one for each <image>/)
})
