import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { createPupil, resolveConfig } from '../../src/app/index.ts'
import type { RunDocument } from '../../src/app/index.ts'
import { memoryBlobs, Unavailable } from '../../src/base/index.ts'
import { fakeOpenAiServer } from '../../src/testing/index.ts'
import { commandLine, documentOf } from './command-line.ts'
import type { Said } from './command-line.ts'
import { MODEL_CACHE, photo } from './photos.ts'

const pupil = commandLine('bad', MODEL_CACHE)
after(() => pupil.remove())

/** A PNG that says it is so large; no pixel of it is there. */
function hugePng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const chunk = (type: string, data: Uint8Array): Uint8Array => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(100)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF of two pictures: black, then white. */
const MOVING = await sharp(Buffer.from([...Array(48).fill(0), ...Array(48).fill(255)]), {
  raw: { width: 4, height: 8, channels: 3, pageHeight: 4 },
})
  .gif()
  .toBuffer()

const PICTURES: readonly (readonly [
  what: string,
  bytes: () => Uint8Array,
  code: string,
  says: RegExp,
])[] = [
  [
    'a file that is no picture',
    () => Buffer.from('Dear picture, …'.repeat(50)),
    'E_PICTURE_TYPE',
    /is not a picture that can be read\. Give a JPEG/,
  ],
  [
    'a truncated picture',
    () => readFileSync(photo('coffee')).subarray(0, 3000),
    'E_PICTURE_BROKEN',
    /is damaged or was cut off/,
  ],
  ['a file of 0 bytes', () => new Uint8Array(0), 'E_PICTURE_EMPTY', /is empty \(0 bytes\)/],
  [
    '30,000 x 30,000 pixels',
    () => hugePng(30_000, 30_000),
    'E_PICTURE_TOO_LARGE',
    /30000 x 30000 pixels; at most 120 million/,
  ],
  ['an animation', () => MOVING, 'E_PICTURE_ANIMATED', /is an animation of 2 pictures/],
]
for (const [what, bytes, code, says] of PICTURES) {
  test(`${what} ends with 1, a clear error and nothing half-written`, async () => {
    const cwd = pupil.folder()
    writeFileSync(join(cwd, 'in.png'), bytes())
    const argv = ['edit', 'in.png', 'Blur the background except the dog', '-o', 'out.png']
    const said = await pupil(argv, { cwd })
    assert.deepEqual([said.code, said.out], [1, ''])
    assert.match(said.err, says)
    assert.ok(said.err.includes('in.png'), 'the file is named')
    assert.ok(!existsSync(join(cwd, 'out.png')))
    const json = await pupil([...argv, '--json'], { cwd })
    assert.equal(json.code, 1)
    assert.equal(documentOf<{ error: { code: string } }>(json).error.code, code)
    await nothingKept(cwd)
  })
}

async function nothingKept(cwd: string): Promise<void> {
  assert.deepEqual(documentOf(await pupil(['runs', '--json'], { cwd })), { runs: [] })
  const files = readdirSync(cwd, { recursive: true }).map(String)
  assert.deepEqual(
    files.filter((name) => /\.part$|blobs\/../.test(name)),
    [],
  )
}

test('a picture that is not there, or is a folder, is named', async () => {
  const gone = await pupil(['ask', 'gone.jpg', 'How many cups are there?'])
  assert.equal(gone.code, 1)
  assert.match(gone.err, /gone\.jpg cannot be read: there is no such file/)
  const folder = await pupil(['ask', '.', 'How many cups are there?'])
  assert.equal(folder.code, 1)
  assert.match(folder.err, /cannot be read: it is a folder/)
})

test('an unknown tool is refused before anything runs, with the nearest one', async () => {
  const stdin = "A=LOCC(image=IMAGE,object='cup')\nR=RESULT(var=A)"
  const said = await pupil(['run', photo('coffee'), '-', '--json'], { stdin })
  assert.equal(said.code, 1)
  const run = documentOf<RunDocument>(said)
  assert.equal(run.error?.code, 'C_UNKNOWN_TOOL')
  assert.match(run.error?.message ?? '', /LOCC.*LOC/s)
  assert.deepEqual(run.steps, [])
})

test('a program that would never end is stopped at its number of steps', async () => {
  const stdin = `L=LIST(query='dogs',max=100)
for A in L limit 100
for B in L limit 100
for C in L limit 100
D=EVAL(expr="1")
end
end
end
R=RESULT(var=L)`
  const said = await pupil(['run', photo('coffee'), '-', '--json'], { stdin })
  assert.equal(said.code, 1)
  const run = documentOf<RunDocument>(said)
  assert.match(run.error?.message ?? '', /500 steps/)
  assert.ok(run.steps.length <= 500)
})

/** A model behind a loopback server, asked for edits, which have no way round. */
async function withModel(
  reply: string,
  argv: readonly string[],
): Promise<Said & { readonly asked: number }> {
  await using server = await fakeOpenAiServer(() => ({ text: reply }))
  const cwd = pupil.folder()
  const config = {
    models: { planner: 'openai-compatible/babbler' },
    providers: { 'openai-compatible': { baseURL: server.baseUrl } },
    replyCache: false,
  }
  writeFileSync(join(cwd, 'pupil.config.json'), JSON.stringify(config))
  const said = await pupil(argv, { cwd })
  return { ...said, asked: server.requests.length }
}

test('a model that answers rubbish is asked again, then told, and no picture is written', async () => {
  const said = await withModel('Bananas! I shall not write programs.', [
    ...[
      'edit',
      photo('astronaut'),
      'Hide every face with a smiling emoji',
      '-o',
      'out.png',
      '--json',
    ],
  ])
  assert.equal(said.code, 1)
  const run = documentOf<RunDocument>(said)
  assert.equal(run.status, 'error')
  assert.match(run.error?.code ?? '', /^P_/)
  assert.ok(run.warnings.some((warning) => /No program passed after \d tries/.test(warning)))
  assert.ok(said.asked >= 3 && said.asked <= 8, `asked ${said.asked} times`)
  assert.ok(!existsSync(join(said.cwd, 'out.png')))
})

test('a model that does not answer is named, with the way out', async () => {
  const cwd = pupil.folder()
  const config = { models: { planner: 'nowhere/model' } }
  writeFileSync(join(cwd, 'pupil.config.json'), JSON.stringify(config))
  const said = await pupil(['ask', photo('coffee'), 'How many cups are there?'], { cwd })
  assert.equal(said.code, 1)
  assert.match(said.err, /"nowhere" of "nowhere\/model" is no provider of models/)
})

test('a data folder that cannot be written stops the run before it begins', async () => {
  const cwd = pupil.folder()
  writeFileSync(join(cwd, 'plain'), '')
  const argv = ['ask', photo('coffee'), 'How many cups are there?', '--data', 'plain/data']
  const said = await pupil(argv, { cwd })
  assert.deepEqual([said.code, said.out], [1, ''])
  assert.match(said.err, /Cannot write .*plain\/data\/pupil\.db \(ENOTDIR\)/)
})

test('a result that cannot be written is said; the run stays', async () => {
  const cwd = pupil.folder()
  const argv = ['ask', photo('coffee'), 'How many cups are there?', '--html', '/dev/full']
  const said = await pupil(argv, { cwd })
  assert.equal(said.code, 1)
  assert.match(said.err, /Cannot write \/dev\/full \(ENOSPC\)\. The disk is full: free some space/)
  assert.equal(
    documentOf<{ runs: unknown[] }>(await pupil(['runs', '--json'], { cwd })).runs.length,
    1,
  )
})

test('a disk that is full when the picture is kept ends the run with that error, and no run is left', async () => {
  const cwd = pupil.folder()
  const { config } = await resolveConfig({
    cwd,
    env: { PUPIL_HOME: join(cwd, 'home'), PUPIL_CACHE: MODEL_CACHE },
  })
  const full = new Unavailable('E_DATA_FOLDER', 'Cannot write blobs (ENOSPC).', {
    fields: { reason: 'ENOSPC' },
  })
  const assistant = createPupil(config, {
    blobs: { ...memoryBlobs(), put: () => Promise.reject(full) },
  })
  await assert.rejects(assistant.ask(photo('coffee'), 'How many cups are there?'), {
    code: 'E_DATA_FOLDER',
  })
  assert.deepEqual(await assistant.runs.list(), [])
  await assistant.close()
})

test('a disk that fills up in the middle stops the run, and what was written stays readable', async () => {
  const cwd = pupil.folder()
  const { config } = await resolveConfig({
    cwd,
    env: { PUPIL_HOME: join(cwd, 'home'), PUPIL_CACHE: MODEL_CACHE },
  })
  const blobs = memoryBlobs()
  let room = 1
  const put: typeof blobs.put = (...args) =>
    room-- > 0
      ? blobs.put(...args)
      : Promise.reject(new Unavailable('E_DATA_FOLDER', 'Cannot write blobs (ENOSPC).'))
  const assistant = createPupil(config, { blobs: { ...blobs, put } })
  const program = 'A=CROP(image=IMAGE,box=[[10,10,200,200]])\nB=EVAL(expr="1")\nR=RESULT(var=A)'
  await assert.rejects(assistant.run([photo('coffee')], program), { code: 'E_DATA_FOLDER' })
  const [run] = await assistant.runs.list()
  assert.equal(run?.status, 'open')
  const stored = await assistant.runs.get('last')
  assert.equal(stored.unfinished, true)
  assert.ok(stored.steps.every((step) => step.kind === 'program'))
  await assistant.close()
})

test('a budget that is used up is said', async () => {
  const said = await pupil([
    'ask',
    photo('coffee'),
    'How many cups are there?',
    '--budget',
    'seconds=0',
  ])
  assert.equal(said.code, 1)
  assert.match(said.err, /budget of 0 seconds is used up/)
})

test('stopping ends with 130 and the run is on record as stopped', async () => {
  const cwd = pupil.folder()
  const control = new AbortController()
  control.abort(new DOMException('You stopped it.', 'AbortError'))
  const argv = ['ask', photo('coffee'), 'How many cups are there?']
  const said = await pupil(argv, { cwd, signal: control.signal })
  assert.deepEqual([said.code, said.out], [130, ''])
})
