import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from './house.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-examples-'))
after(() => rmSync(root, { recursive: true, force: true }))

const CAT = join(ROOT, 'test/fixtures/photos/chelsea.jpg')
const PERSON = join(ROOT, 'test/fixtures/photos/astronaut.jpg')
const PUPIL = [process.execPath, join(ROOT, 'bin/pupil.js')]

// `pupil` and `node` as an installation has them.
const bin = join(root, 'bin')
mkdirSync(bin)
writeFileSync(join(bin, 'pupil'), `#!/bin/sh\nexec "${PUPIL.join('" "')}" "$@"\n`)
chmodSync(join(bin, 'pupil'), 0o755)

const photos = join(root, 'photos')
mkdirSync(photos)
copyFileSync(CAT, join(photos, 'cat.jpg'))

const env = {
  PATH: [bin, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter),
  // One home for all, so that models are converted once.
  PUPIL_HOME: join(root, 'home'),
  PORT: '0',
}

function start(command: string, args: readonly string[]) {
  return spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function run(command: string, args: readonly string[]): Promise<string> {
  const child = start(command, args)
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 0, Buffer.concat(err).toString())
  return Buffer.concat(out).toString().trim()
}

const script = (name: string): readonly string[] => [
  '--conditions=pupil-source',
  join(ROOT, 'examples', name),
]
const example = (name: string, ...args: readonly string[]): Promise<string> =>
  run(process.execPath, [...script(name), ...args])

test('minimal: a question about a picture is answered', async () => {
  assert.equal(await example('minimal.ts', CAT, 'How many cats are there?'), '1')
})

test('offline: the same with every way to the network shut', async () => {
  const [answer, by] = (await example('offline.ts', CAT, 'How many cats are there?')).split('\n')
  assert.equal(answer, '1')
  assert.match(by ?? '', /^by \w+/)
})

test('own-tool: a tool of your own is called by a program', async () => {
  assert.match(await example('own-tool.ts', CAT), /^(bright|dark)$/)
})

test('own-provider: a language model of your own plans, and its tokens are counted', async () => {
  const [answer, cost] = (await example('own-provider.ts', CAT)).split('\n')
  assert.equal(answer, 'a half')
  const [, calls = '', tokens = ''] = /^(\d+) calls, (\d+) tokens$/.exec(cost ?? '') ?? []
  assert.equal(Number(tokens), 940 * Number(calls))
})

test('export-coco: tags are boxes of a COCO file', async () => {
  const coco = JSON.parse(await example('export-coco.ts', photos, 'Tag the cat')) as {
    images: { file_name: string; width: number; height: number }[]
    annotations: { bbox: number[]; category_id: number; image_id: number }[]
    categories: { id: number; name: string }[]
  }
  const [image] = coco.images
  assert.equal(image?.file_name, 'cat.jpg')
  assert.deepEqual(coco.categories, [{ id: 1, name: 'cat' }])
  const [x = 0, y = 0, width = 0, height = 0] = coco.annotations[0]?.bbox ?? []
  assert.ok(width > 0 && x + width <= image.width && height > 0 && y + height <= image.height)
})

test('hono-server: your own route and the whole API answer on one port', async () => {
  const child = start(process.execPath, script('hono-server.ts'))
  try {
    const [line] = (await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve)))
      .toString()
      .split('\n')
    const form = new FormData()
    form.set('picture', new File([readFileSync(PERSON)], 'astronaut.jpg'))
    const response = await fetch(`${line}/people`, { method: 'POST', body: form })
    const { people, run: id } = (await response.json()) as { people: number; run: string }
    assert.equal(people, 1)
    assert.equal((await fetch(`${line}/v1/runs/${id}`)).status, 200)
    const foreign = await fetch(`${line}/v1/runs`, { headers: { origin: 'https://evil.example' } })
    assert.equal(foreign.status, 403)
  } finally {
    child.kill('SIGTERM')
  }
})

test('other-tools: a tool of another server is called by a program', async () => {
  const said = await example('other-tools.ts', CAT, ...PUPIL, 'mcp')
  assert.match(said, /cat/)
})

test('cli-batch: a folder of pictures gives an answer a line', async () => {
  const lines = await run('sh', [
    join(ROOT, 'examples/cli-batch.sh'),
    ...[photos, 'How many cats are there?'],
  ])
  const { picture, answer } = JSON.parse(lines) as { picture: string; answer: string }
  assert.deepEqual([picture, answer], [join(photos, 'cat.jpg'), '1'])
})

test('mcp-client: what a desktop client starts is a command that there is', async () => {
  const text = readFileSync(join(ROOT, 'examples/mcp-client.json'), 'utf8')
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { command: string; args: string[] }>
  }
  const { command, args } = mcpServers.pupil ?? assert.fail()
  assert.deepEqual([command, ...args.slice(0, 2)], ['npx', '-y', 'pupil'])
  assert.match(await run('pupil', [...args.slice(2), '--help']), /Model Context Protocol/)
})
