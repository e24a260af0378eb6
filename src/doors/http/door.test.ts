import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createPupil, resolveConfig } from '../../app/index.ts'
import type { RunDocument } from '../../app/index.ts'
import { countingIds } from '../../base/index.ts'
import { encodePicture, solidImage } from '../../image/index.ts'
import { createDoor } from './door.ts'
import type { DoorOptions } from './door.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-http-'))
after(() => rmSync(root, { recursive: true, force: true }))
let homes = 0

const ADDRESS = 'http://127.0.0.1:4173'
const HOSTS = { hosts: ['127.0.0.1:4173', 'localhost:4173'] }

/** A program that needs no model: the right half of the picture, and a sum. */
const PROGRAM = `HALF=CROP_RIGHTOF(image=IMAGE,box=[[0,0,100,80]])
SUM=EVAL(expr="1 + 2")
FINAL_RESULT=RESULT(var=SUM)`
const PICTURE_PROGRAM = `HALF=CROP(image=IMAGE,box=[[10,20,60,70]])
FINAL_RESULT=RESULT(var=HALF)`

async function open(options: Partial<DoorOptions> = {}, limits = {}) {
  const env = { PUPIL_HOME: join(root, String(homes++)) }
  const { config } = await resolveConfig({ env, cwd: root, flags: { limits } })
  const pupil = createPupil(config, { ids: countingIds() })
  const door = createDoor(pupil, { ...HOSTS, ...options })
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    door.handle(new Request(`${ADDRESS}${path}`, init))
  return {
    ask,
    post: (path: string, body: unknown, headers = {}) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      }),
    close: async () => {
      await door.close()
      await pupil.close()
    },
  }
}

const PNG = Buffer.from(
  await encodePicture(solidImage({ width: 100, height: 80 }, [9, 90, 200]), 'png'),
)
const RUN = { program: PROGRAM, pictures: [{ base64: PNG.toString('base64'), name: 'blue.png' }] }
const json = async <T>(response: Response): Promise<T> => (await response.json()) as T

test('a run is made from JSON, and its document has the fields of --json', async () => {
  const { post, ask, close } = await open()
  const response = await post('/v1/runs?wait=true', RUN)
  assert.equal(response.status, 200)
  const run = await json<RunDocument>(response)
  assert.equal(run.answer, '3')
  assert.equal(run.family, 'open')
  assert.deepEqual(run.inputs.IMAGE?.original, { width: 100, height: 80 })
  assert.deepEqual(
    run.steps.map(({ index, tool }) => [index, tool]),
    [
      [0, 'CROP_RIGHTOF'],
      [1, 'EVAL'],
      [2, 'RESULT'],
    ],
  )
  assert.deepEqual((run.steps[0]?.result as { box: unknown }).box, [50, 0, 100, 80])
  assert.deepEqual(await json(await ask(`/v1/runs/${run.run}`)), run)
  await close()
})

test('a run is made from a form with a file', async () => {
  const { ask, close } = await open()
  const form = new FormData()
  form.append('picture', new File([PNG], 'blue.png', { type: 'image/png' }))
  form.set('program', PICTURE_PROGRAM)
  const response = await ask('/v1/runs?wait=true', { method: 'POST', body: form })
  const run = await json<RunDocument>(response)
  assert.match(run.image ?? '', /^\/v1\/blobs\/[0-9a-f]{64}$/)
  const picture = await ask(run.image ?? '')
  assert.equal(picture.headers.get('content-type'), 'image/png')
  await close()
})

test('a run is watched step by step, and the stream resumes after the event last seen', async () => {
  const { post, ask, close } = await open()
  const made = await post('/v1/runs', RUN)
  assert.equal(made.status, 202)
  const { run, events } = await json<{ run: string; events: string }>(made)
  assert.equal(made.headers.get('location'), `/v1/runs/${run}`)
  const whole = await (await ask(events)).text()
  assert.deepEqual(eventNames(whole), ['1 program', '2 step', '3 step', '4 step', '5 finish'])
  const rest = await (await ask(events, { headers: { 'last-event-id': '3' } })).text()
  assert.deepEqual(eventNames(rest), ['4 step', '5 finish'])
  assert.ok(whole.endsWith(rest.slice(rest.indexOf('event:'))))
  await close()
})

test('a run of the past streams from the store, under the same event ids', async () => {
  const { post, close, ask } = await open()
  const { run } = await json<RunDocument>(await post('/v1/runs?wait=true', RUN))
  const live = await (await ask(`/v1/runs/${run}/events`)).text()
  // More runs than are kept in memory.
  for (let n = 0; n < 21; n++) await post('/v1/runs?wait=true', RUN)
  const past = await (await ask(`/v1/runs/${run}/events`)).text()
  assert.deepEqual(eventNames(past), eventNames(live))
  await close()
})

function eventNames(text: string): readonly string[] {
  return [...text.matchAll(/^event: (\w+)\nid: (\d+)$/gm)].map(([, name, id]) => `${id} ${name}`)
}

test('runs are listed page by page and removed', async () => {
  const { post, ask, close } = await open()
  for (let n = 0; n < 3; n++) await post('/v1/runs?wait=true', RUN)
  const page = await json<{ runs: { id: string }[]; next: string }>(await ask('/v1/runs?limit=2'))
  assert.equal(page.runs.length, 2)
  const rest = await json<{ runs: { id: string }[]; next?: string }>(await ask(page.next))
  assert.equal(rest.runs.length, 1)
  assert.equal(rest.next, undefined)
  const id = rest.runs[0]?.id ?? ''
  assert.equal((await ask(`/v1/runs/${id}`, { method: 'DELETE' })).status, 204)
  assert.equal((await ask(`/v1/runs/${id}`)).status, 404)
  assert.equal((await ask('/v1/runs?limit=1000')).status, 400)
  await close()
})

test('a failing run is a document with its error, not a failing request', async () => {
  const { post, close } = await open()
  const response = await post('/v1/runs?wait=true', {
    ...RUN,
    program: 'A=EVAL(expr="1 / 0")\nR=RESULT(var=A)',
  })
  assert.equal(response.status, 200)
  const run = await json<RunDocument>(response)
  assert.deepEqual(
    [run.status, run.error?.code, run.steps[0]?.error?.code],
    ['error', 'X_DIV_ZERO', 'X_DIV_ZERO'],
  )
  await close()
})

test('the rationale is one page that runs no script and loads nothing', async () => {
  const { post, ask, close } = await open()
  const { run } = await json<RunDocument>(await post('/v1/runs?wait=true', RUN))
  const response = await ask(`/v1/runs/${run}/rationale`)
  assert.match(
    response.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; img-src data:/,
  )
  const html = await response.text()
  assert.match(html, /CROP_RIGHTOF/)
  assert.doesNotMatch(html, /<script/i)
  await close()
})

test('a picture is given whole, in part, small, or not at all when it is known', async () => {
  const { post, ask, close } = await open()
  const run = await json<RunDocument>(
    await post('/v1/runs?wait=true', { ...RUN, program: PICTURE_PROGRAM }),
  )
  const address = run.image ?? ''
  const whole = new Uint8Array(await (await ask(address)).arrayBuffer())
  const range = async (text: string) => {
    const response = await ask(address, { headers: { range: text } })
    const { status, headers } = response
    return {
      status,
      range: headers.get('content-range'),
      bytes: new Uint8Array(await response.arrayBuffer()),
    }
  }
  const size = whole.length
  assert.deepEqual(await range('bytes=4-7'), {
    status: 206,
    range: `bytes 4-7/${size}`,
    bytes: whole.slice(4, 8),
  })
  assert.deepEqual((await range('bytes=-3')).bytes, whole.slice(-3))
  assert.equal((await range(`bytes=${size}-`)).status, 416)
  assert.equal((await range('bytes=9-2')).status, 416)
  assert.equal((await range('bytes=0-1,3-4')).status, 200)
  const small = await ask(`${address}?side=16`)
  assert.equal(small.headers.get('content-type'), 'image/webp')
  const etag = small.headers.get('etag') ?? ''
  assert.equal(
    (await ask(`${address}?side=16`, { headers: { 'if-none-match': etag } })).status,
    304,
  )
  assert.equal((await ask(`${address}?side=5000`)).status, 400)
  await close()
})

const STRANGE: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ['another host (DNS rebinding)', { host: 'evil.example' }],
  ['our address under another port', { host: '127.0.0.1:9999' }],
  ['another origin', { host: '127.0.0.1:4173', origin: 'https://evil.example' }],
  ['no origin of its own', { host: '127.0.0.1:4173', origin: 'null' }],
  ['another site', { host: '127.0.0.1:4173', 'sec-fetch-site': 'cross-site' }],
]
for (const [what, headers] of STRANGE) {
  test(`a request from ${what} is not answered`, async () => {
    const { ask, close } = await open()
    const response = await ask('/v1/runs', { headers })
    assert.equal(response.status, 403)
    assert.equal((await json<{ code: string }>(response)).code, 'E_STRANGER')
    await close()
  })
}

test('our own page is answered, under each of our names', async () => {
  const { ask, close } = await open()
  for (const host of HOSTS.hosts) {
    const response = await ask('/health', { headers: { host, origin: `http://${host}` } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  }
  await close()
})

const BAD: readonly (readonly [what: string, body: unknown, status: number, code: string])[] = [
  ['no pictures', { instruction: 'x', pictures: [] }, 400, 'E_ARGUMENT'],
  ['an unknown field', { ...RUN, picture: 'x' }, 400, 'E_ARGUMENT'],
  ['a picture that is none', { ...RUN, pictures: [{ base64: 'aGVsbG8=' }] }, 415, 'E_PICTURE_TYPE'],
  ['an empty picture', { ...RUN, pictures: [{ base64: '' }] }, 400, 'E_PICTURE_EMPTY'],
  [
    'a truncated picture',
    { ...RUN, pictures: [{ base64: PNG.subarray(0, 60).toString('base64') }] },
    400,
    'E_PICTURE_BROKEN',
  ],
  ['an unknown blob', { ...RUN, pictures: [{ blob: 'a'.repeat(64) }] }, 404, 'E_NO_PICTURE'],
  ['an unknown family', { ...RUN, family: 'gqqa' }, 400, 'E_FAMILY'],
  [
    'two pictures where one is wanted',
    { ...RUN, family: 'gqa', pictures: [...RUN.pictures, ...RUN.pictures] },
    400,
    'E_ARGUMENT',
  ],
]
for (const [what, body, status, code] of BAD) {
  test(`${what} is refused with ${status} ${code}`, async () => {
    const { post, ask, close } = await open()
    const response = await post('/v1/runs', body)
    const problem = await json<{ status: number; code: string; detail: string }>(response)
    assert.deepEqual([response.status, problem.status, problem.code], [status, status, code])
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    assert.ok(problem.detail.length > 10)
    assert.deepEqual((await json<{ runs: unknown[] }>(await ask('/v1/runs'))).runs, [])
    await close()
  })
}

test('a body that is too large, of another type, or no JSON is refused', async () => {
  const { ask, post, close } = await open({}, { bytes: 1000 })
  const large = await post('/v1/runs', { ...RUN, instruction: 'x'.repeat(100_000) })
  assert.equal(large.status, 413)
  const bigPicture = await post('/v1/runs', {
    ...RUN,
    pictures: [{ base64: Buffer.alloc(2000, 1).toString('base64') }],
  })
  assert.deepEqual(
    [bigPicture.status, (await json<{ code: string }>(bigPicture)).code],
    [413, 'E_PICTURE_TOO_LARGE'],
  )
  const other = await ask('/v1/runs', {
    method: 'POST',
    body: 'hello',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(other.status, 415)
  const broken = await ask('/v1/runs', {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(broken.status, 400)
  await close()
})

test('what is not there is a problem object, wherever it is asked', async () => {
  const { ask, close } = await open()
  for (const path of [
    '/nothing',
    '/v1/runs/run_x',
    '/v1/runs/run_x/events',
    '/v1/blobs/..%2F..%2Fetc',
    `/v1/blobs/${'0'.repeat(64)}`,
  ]) {
    const response = await ask(path)
    assert.equal(response.status, 404, path)
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
  }
  await close()
})

test('tools, families and demonstrations are told', async () => {
  const { ask, close } = await open()
  const { tools } = await json<{ tools: { name: string }[] }>(await ask('/v1/tools'))
  assert.ok(tools.some((tool) => tool.name === 'LOC'))
  const { families } = await json<{ families: { name: string }[] }>(await ask('/v1/families'))
  assert.deepEqual(
    families.map((one) => one.name),
    ['gqa', 'nlvr', 'imgedit', 'tagging', 'open'],
  )
  const { demonstrations } = await json<{ demonstrations: unknown[] }>(
    await ask('/v1/demonstrations?family=gqa'),
  )
  assert.ok(demonstrations.length >= 25)
  await close()
})

test('the page is given with a strict policy, and nothing outside its folder', async () => {
  const files = new Map([
    ['/index.html', 'text/html; charset=utf-8'],
    ['/assets/a.js', 'text/javascript; charset=utf-8'],
  ])
  const page = {
    read: async (path: string) => {
      const type = files.get(path)
      return type === undefined ? undefined : { bytes: Buffer.from(path), type }
    },
  }
  const { ask, close } = await open({ page })
  for (const path of ['/', '/runs/run_1']) {
    const response = await ask(path)
    assert.equal(await response.text(), '/index.html')
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'; script-src 'self'/,
    )
  }
  assert.match((await ask('/assets/a.js')).headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await ask('/assets/b.js')).status, 404)
  await close()
})

test('a correction is kept and learnt from over HTTP, and its lesson is undone', async () => {
  const { post, ask, close } = await open()
  const { run } = await json<RunDocument>(await post('/v1/runs?wait=true', RUN))
  const made = await post(`/v1/runs/${run}/corrections`, {
    target: { kind: 'program' },
    expected: { program: PROGRAM.replace('1 + 2', '2 + 2') },
  })
  assert.equal(made.status, 201)
  const { feedback, lesson } = await json<{
    feedback: { id: string; run: string }
    lesson?: { id: string }
  }>(made)
  assert.equal(feedback.run, run)
  const kept = await json<{ corrections: { id: string }[] }>(
    await ask(`/v1/runs/${run}/corrections`),
  )
  assert.deepEqual(
    kept.corrections.map(({ id }) => id),
    [feedback.id],
  )
  assert.deepEqual(await json(await ask('/v1/runs/last/corrections')), kept)
  assert.equal((await ask('/v1/runs/nothing/corrections')).status, 404)
  assert.ok(lesson)
  const listed = await json<{ lessons: { id: string }[] }>(await ask('/v1/lessons'))
  assert.deepEqual(
    listed.lessons.map(({ id }) => id),
    [lesson.id],
  )
  const undone = await json<{ status: string }>(await post(`/v1/lessons/${lesson.id}/undo`, {}))
  assert.equal(undone.status, 'undone')
  await close()
})

test('a correction that says nothing that can be read is refused, naming the place', async () => {
  const { post, close } = await open()
  const { run } = await json<RunDocument>(await post('/v1/runs?wait=true', RUN))
  const made = await post(`/v1/runs/${run}/corrections`, {
    target: { kind: 'step', index: -1 },
    expected: { answer: 'yes' },
  })
  assert.equal(made.status, 400)
  assert.match(((await made.json()) as { detail: string }).detail, /target/)
  await close()
})
