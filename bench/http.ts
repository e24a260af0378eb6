/**
 * What the HTTP door adds to requests that need no model, over a socket of this machine; and many streams at once.
 *
 * Repeat with: node bench/http.ts [--rounds 1000] [--streams 200]
 * Streams: listeners in a thread of their own follow one run each whose steps end every 50 ms; what is told is how
 * long after its end a step is heard.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { openPupil } from '../src/app/index.ts'
import { serve } from '../src/doors/http/index.ts'
import { encodePicture, solidImage } from '../src/image/index.ts'
import type { Tool } from '../src/tools/index.ts'

const STEPS = 20
const EVERY_MS = 50
const now = (): number => performance.timeOrigin + performance.now()

interface Sent {
  readonly address: string
  readonly path: string
  readonly token: string
  readonly method?: string
  readonly body?: string
  readonly agent?: Agent
  readonly hear?: (text: string) => void
}

function send({ address, path, token, method = 'GET', body, agent, hear }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const options = { method, headers, ...(agent === undefined ? {} : { agent }) }
    const sent = request(`${address}${path}`, options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        hear?.(part)
      })
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 400) resolve(text)
        else reject(new Error(`${path}: ${response.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Follows every stream to its end, and tells how late each step was. */
async function listenAll(): Promise<void> {
  const { address, token, paths } = workerData as {
    readonly address: string
    readonly token: string
    readonly paths: readonly string[]
  }
  const late: number[] = []
  const follow = (path: string): Promise<string> => {
    let rest = ''
    const hear = (part: string): void => {
      const at = now()
      const lines = `${rest}${part}`.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [, ended] = /"tool":"TICK".*"result":([\d.]+)/.exec(line) ?? []
        if (line.startsWith('data: ') && !line.includes('"steps"') && ended !== undefined)
          late.push(at - Number(ended))
      }
    }
    return send({ address, token, path, hear })
  }
  await Promise.all(paths.map(follow))
  parentPort?.postMessage(late)
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN
}

function row(name: string, times: readonly number[], target: string): void {
  const sorted = times.toSorted((a, b) => a - b)
  const [half, most, worst] = [0.5, 0.95, 1].map((share) => quantile(sorted, share).toFixed(2))
  console.log(`| ${name} | ${sorted.length} | ${half} | ${most} | ${worst} | ${target} |`)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '1000' },
      streams: { type: 'string', default: '200' },
    },
  })
  const home = mkdtempSync(join(tmpdir(), 'pupil-http-'))
  const gates = Array.from({ length: STEPS }, () => Promise.withResolvers<void>())
  const tick: Tool = {
    signature: {
      ...{ name: 'TICK', out: 'number', families: ['open'] },
      args: [{ name: 'n', type: 'number', about: 'which one' }],
      about: 'Ends when it is time to, and gives that time.',
    },
    run: async ({ n }) => {
      await gates[Number(n)]?.promise
      return { value: now() }
    },
  }
  const pupil = await openPupil({ env: { PUPIL_HOME: home }, cwd: home, tools: [tick] })
  const { token } = await pupil.tokens.add({ name: 'bench' })
  const running = await serve(pupil, { host: '127.0.0.1', port: 0, exact: true, tokens: true })
  const { address } = running
  const png = Buffer.from(
    await encodePicture(solidImage({ width: 32, height: 32 }, [9, 9, 9]), 'png'),
  )
  const pictures = [{ base64: png.toString('base64') }]
  try {
    console.log('| request | n | median ms | 95 % ms | most ms | target |')
    console.log('|---|---|---|---|---|---|')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const program = 'A=EVAL(expr="1 + 2")\nR=RESULT(var=A)'
    const run = {
      path: '/v1/runs?wait=true',
      method: 'POST',
      body: JSON.stringify({ program, pictures }),
    }
    const { run: id } = JSON.parse(await send({ address, token, ...run })) as { run: string }
    const kinds: readonly (readonly [string, Omit<Sent, 'address' | 'token'>, string])[] = [
      ['GET /health', { path: '/health' }, '2'],
      ['GET /v1/runs/:id', { path: `/v1/runs/${id}` }, '2'],
      ['GET /v1/runs?limit=20', { path: '/v1/runs?limit=20' }, '2'],
      ['GET /v1/concepts', { path: '/v1/concepts' }, '2'],
      ['POST /v1/runs?wait (two steps, kept on disk)', run, ''],
    ]
    for (const [name, kind, target] of kinds) {
      const rounds =
        kind.method === 'POST' ? Math.min(200, Number(values.rounds)) : Number(values.rounds)
      const times: number[] = []
      for (let n = -20; n < rounds; n++) {
        const start = performance.now()
        await send({ address, token, agent, ...kind })
        if (n >= 0) times.push(performance.now() - start)
      }
      row(name, times, target)
    }
    agent.destroy()
    const ticks = Array.from({ length: STEPS }, (_, n) => `T${n}=TICK(n=${n})`).join('\n')
    const body = JSON.stringify({ program: `${ticks}\nR=RESULT(var=T0)`, pictures })
    const paths: string[] = []
    for (let n = 0; n < Number(values.streams); n++) {
      const made = await send({ address, token, path: '/v1/runs', method: 'POST', body })
      paths.push((JSON.parse(made) as { events: string }).events)
    }
    const worker = new Worker(new URL(import.meta.url), { workerData: { address, token, paths } })
    const heard = new Promise<readonly number[]>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    // Everybody listens before the first step ends.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    for (const gate of gates) {
      gate.resolve()
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
    row(`a step, heard on ${paths.length} streams`, await heard, '')
    console.log(`\nMemory with all streams: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`)
  } finally {
    await running.close()
    await pupil.close()
    rmSync(home, { recursive: true, force: true })
  }
}

await (isMainThread ? main() : listenAll())
