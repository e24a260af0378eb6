/**
 * The controller of the serving protocol: requests a second, heartbeats of many workers, and what it adds
 * to open streams, over real sockets on this machine.
 *
 * Repeat with: node bench/controller.ts
 */
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { createProtocolApp, serveProtocol } from '../src/doors/http/protocol/index.ts'

const WORKERS = 1_000
const STREAMS = 500
const FRAMES = 10
const FRAME_MS = 200
const LANES = 32
const REQUESTS = 10_000

const agent = new Agent({ keepAlive: true, maxSockets: LANES })

function post(address: string, path: string, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address}${path}`, { method: 'POST', agent }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(text))
    })
    asked.on('error', reject)
    asked.end(JSON.stringify(body))
  })
}

/** Requests a second with some lanes that each ask one after another. */
async function rate(count: number, ask: (i: number) => Promise<unknown>): Promise<number> {
  let next = 0
  const start = performance.now()
  const lane = async (): Promise<void> => {
    while (next < count) await ask(next++)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return count / ((performance.now() - start) / 1000)
}

/** A worker that sends a frame with the time of sending every now and then. */
const worker = createServer((_, response) => {
  let left = FRAMES
  const send = (): void => {
    const text = `${performance.timeOrigin + performance.now()}`
    response.write(`{"text": "${text}", "error_code": 0}\u0000`)
    if (--left === 0) response.end()
    else setTimeout(send, FRAME_MS)
  }
  setTimeout(send, Math.random() * FRAME_MS)
}).listen(0, '127.0.0.1')
await once(worker, 'listening')
const workerAddress = `http://127.0.0.1:${(worker.address() as { port: number }).port}`

/** Milliseconds from sending to hearing, for every frame of many streams at once. */
async function delays(address: string): Promise<readonly number[]> {
  const heard: number[] = []
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const options = { method: 'POST', agent: false as const }
      const asked = request(`${address}/worker_generate_stream`, options, (response) => {
        response.on('data', (chunk: Buffer) => {
          const now = performance.timeOrigin + performance.now()
          for (const [, sent] of chunk.toString().matchAll(/"text": "([\d.]+)"/g)) {
            heard.push(now - Number(sent))
          }
        })
        response.on('end', () => resolve())
      })
      asked.on('error', reject)
      asked.end(JSON.stringify({ model: 'streamer', prompt: '' }))
    })
  await Promise.all(Array.from({ length: STREAMS }, one))
  return heard.toSorted((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1)

const server = await serveProtocol(createProtocolApp(), { port: 0 })
const { address } = server
const status = (name: string) => ({ model_names: [name], speed: 1, queue_length: 0 })
for (let i = 0; i < WORKERS; i++) {
  const name = `http://127.0.0.1:${20_000 + i}`
  await post(address, '/register_worker', {
    ...{ worker_name: name, check_heart_beat: true, worker_status: status(`m${i}`) },
  })
}
const beats = await rate(REQUESTS, (i) =>
  post(address, '/receive_heart_beat', {
    ...{ worker_name: `http://127.0.0.1:${20_000 + (i % WORKERS)}`, queue_length: 0 },
  }),
)
const asks = await rate(REQUESTS, (i) =>
  post(address, '/get_worker_address', { model: `m${i % WORKERS}` }),
)
const lists = await rate(500, () => post(address, '/list_models', {}))
console.log(
  `${WORKERS} workers: ${Math.round(beats)} heartbeats/s, ${Math.round(asks)} addresses/s, ${Math.round(lists)} lists/s`,
)
await post(address, '/register_worker', {
  ...{ worker_name: workerAddress, check_heart_beat: false, worker_status: status('streamer') },
})
const direct = await delays(workerAddress)
const proxied = await delays(address)
console.log(
  `${STREAMS} streams, p95 delay: ${at(direct, 0.95)} ms direct, ${at(proxied, 0.95)} ms through the controller`,
)
console.log(`memory of the whole process: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`)
agent.destroy()
await server.close()
worker.closeAllConnections()
worker.close()
