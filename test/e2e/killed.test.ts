import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { RunDocument } from '../../src/app/index.ts'
import { encodePicture, solidImage } from '../../src/image/index.ts'
import { MODEL_CACHE } from './photos.ts'

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'pupil-killed-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const config = join(home, 'pupil.config.json')
const server = { command: process.execPath, args: [fromRoot('test/fixtures/tool-server.ts')] }
writeFileSync(
  config,
  JSON.stringify({
    learning: { workers: 0 },
    toolServers: { far: { ...server, allow: ['hold'] } },
  }),
)

/** The server in a process of its own. */
async function start(): Promise<{ readonly address: string; readonly child: ChildProcess }> {
  const env = { ...process.env, PUPIL_HOME: home, PUPIL_CACHE: MODEL_CACHE, PORT: '' }
  const args = [fromRoot('bin/pupil.js'), 'start', '--port', '0', '--json', '--config', config]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (said.includes('}')) break
  }
  return { address: (JSON.parse(said) as { address: string }).address, child }
}

const PNG = Buffer.from(await encodePicture(solidImage({ width: 8, height: 8 }, [9, 9, 9]), 'png'))
const pictures = [{ base64: PNG.toString('base64'), name: 'grey.png' }]

const post = (address: string, path: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const documentAt = async (address: string, run: string): Promise<RunDocument> =>
  (await (await fetch(`${address}/v1/runs/${run}`)).json()) as RunDocument

/** Ids of the events of a stream, until one of these names came or the stream broke. */
async function idsUntil(response: Response, names: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  let text = ''
  assert.ok(response.body !== null)
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const id = /^id: ?(.*)$/m.exec(event)?.[1]
      if (id !== undefined) ids.push(id)
      if (names.includes(/^event: ?(.*)$/m.exec(event)?.[1] ?? '')) return ids
    }
  }
  return ids
}

test(
  'a server that is killed while a run streams has lost nothing that it acknowledged; a client goes on',
  { timeout: 300_000 },
  async () => {
    const first = await start()
    const sum = { program: "A=EVAL(expr='1 + 2')\nR=RESULT(var=A)", pictures }
    const done = (await (
      await post(first.address, '/v1/runs?wait=true', sum)
    ).json()) as RunDocument
    const correction = { target: { kind: 'answer' }, expected: { answer: '4' }, scope: 'this' }
    const kept = await post(first.address, `/v1/runs/${done.run}/corrections`, correction)
    assert.equal(kept.status, 201)
    const hold = {
      program: "A=EVAL(expr='1 + 2')\nB=FAR_HOLD(words='x')\nR=RESULT(var=B)",
      pictures,
    }
    const key = { 'idempotency-key': 'once-and-for-all' }
    const started = await post(first.address, '/v1/runs', hold, key)
    assert.equal(started.status, 202)
    const { run, events } = (await started.json()) as { run: string; events: string }
    const stream = await fetch(`${first.address}${events}`)
    const heard = await idsUntil(stream, ['step'])
    // A step is told while it is being written; what is known to be written must survive.
    while ((await documentAt(first.address, run)).steps.length === 0) continue
    const gone = new Promise((resolve) => first.child.once('exit', (_, signal) => resolve(signal)))
    first.child.kill('SIGKILL')
    assert.equal(await gone, 'SIGKILL')

    const second = await start()
    assert.equal((await documentAt(second.address, done.run)).answer, '3')
    const corrections = await fetch(`${second.address}/v1/runs/${done.run}/corrections`)
    assert.equal(((await corrections.json()) as { corrections: unknown[] }).corrections.length, 1)
    const after = await documentAt(second.address, run)
    assert.deepEqual([after.status, after.steps.map(({ tool }) => tool)], ['open', ['EVAL']])
    const last = heard.at(-1) ?? assert.fail('no event had an id')
    const resumed = await fetch(`${second.address}${events}`, {
      headers: { 'last-event-id': last },
    })
    const more = await idsUntil(resumed, ['finish'])
    assert.ok(more.length > 0 && !more.some((id) => heard.includes(id)), `${heard} then ${more}`)
    const again = await post(second.address, '/v1/runs', hold, key)
    assert.deepEqual([again.status, ((await again.json()) as { run: string }).run], [202, run])
    const next = await post(second.address, '/v1/runs?wait=true', sum)
    assert.equal(((await next.json()) as RunDocument).answer, '3')
  },
)
