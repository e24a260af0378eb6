import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { RunDocument } from '../../src/app/index.ts'
import { MODEL_CACHE, photo } from './photos.ts'

const BIN = fileURLToPath(new URL('../../bin/pupil.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'pupil-process-'))
after(() => rmSync(home, { recursive: true, force: true }))
const env = { ...process.env, PUPIL_HOME: home, PUPIL_CACHE: MODEL_CACHE, NO_COLOR: '1', PORT: '' }

function pupil(args: readonly string[], node: readonly string[] = []) {
  const done = spawnSync(process.execPath, [...node, BIN, ...args], { env, encoding: 'utf8' })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

test('the binary answers a question about a photograph', () => {
  const { code, out, err } = pupil(['ask', photo('coffee'), 'How many cups are there?', '--json'])
  assert.deepEqual([code, err], [0, ''])
  assert.equal((JSON.parse(out) as RunDocument).answer, '1')
})

test('the binary gives the exit codes', () => {
  assert.equal(pupil(['--help']).code, 0)
  assert.equal(pupil(['ask', 'gone.jpg', 'How many cups are there?']).code, 1)
  assert.equal(pupil(['aks']).code, 2)
})

test('a Node that is too old hands over to the one of the checkout', () => {
  const old = "Object.defineProperty(process.versions, 'node', { value: '20.0.0' })"
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(old)}`]
  assert.deepEqual(pupil(['--version'], preload), { code: 0, out: '0.1.0\n', err: '' })
  assert.equal(pupil(['aks'], preload).code, 2)
})

test('a reader who stops reading is no error', async () => {
  const child = spawn(process.execPath, [BIN, 'tools', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => (err += String(chunk)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.deepEqual([code, err], [0, ''])
})

test('several processes ask at once and every run is kept', async () => {
  const before = runs().length
  const asks = ['coffee', 'astronaut', 'chelsea'].map((name) => {
    const args = [BIN, 'ask', photo(name), 'How many cups are there?']
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
    return new Promise((resolve) => child.on('close', resolve))
  })
  assert.deepEqual(await Promise.all(asks), [0, 0, 0])
  assert.equal(runs().length, before + 3)
})

function runs(): readonly { status: string }[] {
  return (JSON.parse(pupil(['runs', '--json']).out) as { runs: { status: string }[] }).runs
}

test('start says its address, takes the next port when its own is busy, and stops when told', async () => {
  const first = await start([])
  const second = await start([])
  assert.notEqual(first.address, second.address)
  const health = await (await fetch(`${first.address}/health`)).json()
  assert.deepEqual(health, { status: 'ok', version: '0.1.0' })
  const page = await fetch(first.address)
  assert.match(await page.text(), /<title>Pupil<\/title>/)
  const port = new URL(first.address).port
  const taken = pupil(['start', '--port', port])
  assert.equal(taken.code, 1)
  assert.match(
    taken.err,
    new RegExp(`Cannot listen on 127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\)\\. Give another port`),
  )
  assert.deepEqual([await first.stop(), await second.stop()], [0, 0])
})

test('start answers others only with tokens', () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.7']) {
    const { code, err } = pupil(['start', '--host', host])
    assert.equal(code, 1)
    assert.match(err, /only who has a token may be answered/)
    assert.match(err, /--token, after "pupil token create NAME"/)
  }
})

async function start(args: readonly string[]) {
  const child = spawn(process.execPath, [BIN, 'start', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += String(chunk)
      const found = /Pupil is at (\S+)/.exec(out)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('close', (code) => reject(new Error(`ended with ${code}`)))
  })
  const stop = (): Promise<number | null> => {
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    child.kill('SIGTERM')
    return ended
  }
  return { address, stop }
}

test('a server that is killed in the middle of a run leaves it readable, as unfinished', async () => {
  const server = spawn(process.execPath, [BIN, 'start', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve) => {
    server.stdout.on('data', (chunk) => {
      const found = /Pupil is at (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const { readFileSync } = await import('node:fs')
  const form = new FormData()
  form.append('picture', new File([readFileSync(photo('coffee'))], 'coffee.jpg'))
  // SEG takes long enough to be interrupted; what came before it is on record by then.
  form.set(
    'program',
    'A=CROP(image=IMAGE,box=[[10,10,500,390]])\nB=SEG(image=A)\nC=COUNT(box=B)\nR=RESULT(var=C)',
  )
  const { run, events } = (await (
    await fetch(`${address}/v1/runs`, { method: 'POST', body: form })
  ).json()) as { run: string; events: string }
  const reader = (await fetch(`${address}${events}`)).body?.getReader()
  let heard = ''
  while (!heard.includes('"CROP"'))
    heard += Buffer.from((await reader?.read())?.value ?? []).toString()
  const written = async (): Promise<number> => {
    const stored = (await (await fetch(`${address}/v1/runs/${run}`)).json()) as RunDocument
    return stored.steps.length
  }
  while ((await written()) === 0);
  server.kill('SIGKILL')
  await new Promise((resolve) => server.on('close', resolve))
  const shown = JSON.parse(pupil(['show', run, '--json']).out) as RunDocument
  assert.equal(shown.status, 'open')
  assert.deepEqual(
    shown.steps.map((step) => step.tool),
    ['CROP'],
  )
  assert.match(pupil(['show', run]).out, /This run was not finished/)
})
