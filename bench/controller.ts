/**
 * The controller of the serving protocol: requests a second beside a peer that works as the reference's does,
 * heartbeats of many workers, and what it adds to open streams. Controller, workers and clients are processes of
 * their own, over real sockets on this machine.
 *
 * Repeat with: npm run bench:controller [-- --reference http://127.0.0.1:21001]
 * With --reference, a running controller of the reference is measured in the place of the peer.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { createProtocolApp, serveProtocol } from '../src/doors/http/protocol/index.ts'

const { values: flags } = parseArgs({
  options: { role: { type: 'string', default: 'client' }, reference: { type: 'string' } },
})
const WORKERS = 1_000
const STREAMS = 500
const FRAMES = 20
const FRAME_MS = 200
/** The streams are opened over this time; only frames after it count: open streams are meant. */
const RAMP_MS = 2_000
const LANES = 32
const REQUESTS = 1_500

const agent = new Agent({ keepAlive: true, maxSockets: LANES })
const now = (): number => performance.timeOrigin + performance.now()

/**
 * One of many clients: a kept connection that asks and waits, written on the bare socket so that the client is not
 * what is measured. Answers have a length; the reference's and ours do.
 */
function client(address: string): { ask(path: string, body: unknown): Promise<void>; end(): void } {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let held: Buffer = Buffer.alloc(0)
  let heard: (() => void) | undefined
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const head = held.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = /content-length: (\d+)/i.exec(held.toString('latin1', 0, head))?.[1]
    if (length === undefined) throw new TypeError('the answer has no length')
    if (held.length < head + 4 + Number(length)) return
    held = Buffer.alloc(0)
    heard?.()
  })
  return {
    ask: (path, body) =>
      new Promise((resolve) => {
        heard = resolve
        const text = JSON.stringify(body)
        const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n`
        socket.write(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
      }),
    end: () => void socket.destroy(),
  }
}

function post(address: string, path: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const asked = request(`${address}${path}`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

/** Requests a second with some lanes that each ask one after another. */
async function rate(
  address: string,
  path: string,
  count: number,
  body: (i: number) => unknown,
): Promise<number> {
  let next = 0
  const lanes = Array.from({ length: LANES }, () => client(address))
  const start = performance.now()
  const lane = async ({ ask, end }: ReturnType<typeof client>): Promise<void> => {
    while (next < count) await ask(path, body(next++))
    end()
  }
  await Promise.all(lanes.map(lane))
  return count / ((performance.now() - start) / 1000)
}

const listening = async (server: ReturnType<typeof createServer>): Promise<void> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  process.send?.({ address: `http://127.0.0.1:${port}` })
}

/** A worker that sends a frame with the time of sending every now and then. */
async function beWorker(): Promise<void> {
  const server = createServer((_, response) => {
    let left = FRAMES
    response.socket?.setNoDelay(true)
    const send = (): void => {
      response.write(`{"text": "${now()}", "error_code": 0}\u0000`)
      if (--left === 0) response.end()
      else setTimeout(send, FRAME_MS)
    }
    setTimeout(send, Math.random() * FRAME_MS)
  })
  await listening(server)
}

/**
 * A controller as the reference's works: each request goes through the whole table, as its dispatch does, and
 * is answered by a plain server. Written for this comparison, not a copy.
 */
async function bePeer(): Promise<void> {
  const workers = new Map<string, { names: readonly string[]; speed: number; queue: number }>()
  const answer = (path: string, body: Record<string, unknown>): unknown => {
    if (path === '/register_worker') {
      const status = body['worker_status'] as { model_names: string[] }
      workers.set(String(body['worker_name']), { names: status.model_names, speed: 1, queue: 0 })
      return null
    }
    if (path === '/receive_heart_beat') {
      const found = workers.get(String(body['worker_name']))
      if (found !== undefined) found.queue = Number(body['queue_length'])
      return { exist: found !== undefined }
    }
    if (path === '/list_models') {
      return { models: [...new Set([...workers.values()].flatMap(({ names }) => names))] }
    }
    const able = [...workers].filter(([, { names }]) => names.includes(String(body['model'])))
    const best = able.toSorted((a, b) => a[1].queue / a[1].speed - b[1].queue / b[1].speed)[0]
    if (best !== undefined) best[1].queue++
    return { address: best?.[0] ?? '' }
  }
  const read = async (incoming: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    return text
  }
  const server = createServer((incoming, response) => {
    void read(incoming).then((text) => {
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer(incoming.url ?? '', body)))
    })
  })
  await listening(server)
}

async function beController(): Promise<void> {
  const server = await serveProtocol(createProtocolApp(), { port: 0 })
  process.send?.({ address: server.address })
  setInterval(() => process.send?.({ memory: process.memoryUsage().rss }), 500)
}

interface Child {
  readonly address: string
  readonly memory: () => number
  stop(): void
}

async function start(role: string): Promise<Child> {
  const child = fork(import.meta.filename, ['--role', role], { stdio: 'inherit' })
  let most = 0
  const { promise, resolve } = Promise.withResolvers<string>()
  child.on('message', (told: { address?: string; memory?: number }) => {
    if (told.address !== undefined) resolve(told.address)
    most = Math.max(most, told.memory ?? 0)
  })
  return { address: await promise, memory: () => most, stop: () => void child.kill() }
}

/** Milliseconds from sending to hearing, for every frame of many open streams. */
async function delays(address: string): Promise<readonly number[]> {
  const heard: number[] = []
  const from = now() + RAMP_MS
  const one = (i: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const ask = (): void => {
        const options = { method: 'POST', agent: false as const }
        const asked = request(`${address}/worker_generate_stream`, options, (response) => {
          response.on('data', (chunk: Buffer) => {
            const at = now()
            for (const [, sent] of chunk.toString().matchAll(/"text": "([\d.]+)"/g)) {
              if (Number(sent) >= from) heard.push(at - Number(sent))
            }
          })
          response.on('end', () => resolve())
        })
        asked.on('error', reject)
        asked.end(JSON.stringify({ model: 'streamer', prompt: '' }))
      }
      setTimeout(ask, (i * RAMP_MS) / STREAMS)
    })
  await Promise.all(Array.from({ length: STREAMS }, (_, i) => one(i)))
  return heard.toSorted((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? NaN

const status = (name: string) => ({ model_names: [name], speed: 1, queue_length: 0 })

/** How often both are measured in turn, so that what else the machine does falls on both. */
const ROUNDS = 5

interface Rates {
  readonly beats: number
  readonly asks: number
  readonly lists: number
}

/** The median of each kind over the rounds. */
function middle(rounds: readonly Rates[]): Rates {
  const of = (kind: keyof Rates): number =>
    Math.round(rounds.map((one) => one[kind]).toSorted((a, b) => a - b)[rounds.length >> 1] ?? 0)
  return { beats: of('beats'), asks: of('asks'), lists: of('lists') }
}

async function fill(address: string): Promise<void> {
  for (let i = 0; i < WORKERS; i++) {
    await post(address, '/register_worker', {
      ...{ worker_name: `http://127.0.0.1:${20_000 + i}`, check_heart_beat: true },
      worker_status: status(`m${i}`),
    })
  }
}

async function rates(address: string): Promise<Rates> {
  // Once before, so that neither is measured while it is compiled.
  await rate(address, '/get_worker_address', 300, (i) => ({ model: `m${i % WORKERS}` }))
  const beats = await rate(address, '/receive_heart_beat', REQUESTS, (i) => ({
    ...{ worker_name: `http://127.0.0.1:${20_000 + (i % WORKERS)}`, queue_length: 0 },
  }))
  const asks = await rate(address, '/get_worker_address', REQUESTS, (i) => ({
    model: `m${i % WORKERS}`,
  }))
  const lists = await rate(address, '/list_models', 100, () => ({}))
  return { beats, asks, lists }
}

async function beClient(): Promise<void> {
  const [controller, worker] = [await start('controller'), await start('worker')]
  const peer = flags.reference === undefined ? await start('peer') : undefined
  const other = flags.reference ?? peer?.address ?? ''
  console.log(
    `${WORKERS} workers, ${LANES} clients at once; medians of ${ROUNDS} rounds in turn, a second:`,
  )
  console.log('| | heartbeats | addresses | lists |\n|---|---|---|---|')
  await fill(controller.address)
  await fill(other)
  const measured: (readonly [ours: Rates, theirs: Rates])[] = []
  for (let i = 0; i < ROUNDS; i++) {
    measured.push([await rates(controller.address), await rates(other)])
  }
  const ours = middle(measured.map(([one]) => one))
  const theirs = middle(measured.map(([, one]) => one))
  console.log(`| ours | ${ours.beats} | ${ours.asks} | ${ours.lists} |`)
  const name = flags.reference === undefined ? 'peer like the reference' : 'the reference'
  console.log(`| ${name} | ${theirs.beats} | ${theirs.asks} | ${theirs.lists} |`)
  const times = (a: number, b: number): string => (a / b).toFixed(1)
  console.log(
    `| ours is so many times as fast | ${times(ours.beats, theirs.beats)} | ${times(ours.asks, theirs.asks)} | ${times(ours.lists, theirs.lists)} |`,
  )
  await post(controller.address, '/register_worker', {
    ...{ worker_name: worker.address, check_heart_beat: false, worker_status: status('streamer') },
  })
  const direct = await delays(worker.address)
  const proxied = await delays(controller.address)
  for (const share of [0.5, 0.95]) {
    const [a, b] = [at(direct, share), at(proxied, share)]
    console.log(
      `${STREAMS} open streams, ${share === 0.5 ? 'median' : 'p95'} delay: ${a.toFixed(1)} ms direct, ${b.toFixed(1)} ms through the controller, ${(b - a).toFixed(1)} ms added (${proxied.length} frames)`,
    )
  }
  console.log(`memory of the controller at most: ${Math.round(controller.memory() / 2 ** 20)} MB`)
  agent.destroy()
  for (const child of [controller, worker, peer]) child?.stop()
}

const ROLES: Readonly<Record<string, () => Promise<void>>> = {
  ...{ client: beClient, worker: beWorker, peer: bePeer, controller: beController },
}
await (ROLES[flags.role] ?? beClient)()
