import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunDocument, TokenRequest } from '../../../app/index.ts'
import { ADDRESS, json, openDoor, PICTURE, PNG, PROGRAM, RUN } from '../open-door.cases.ts'
import { apiRoutes } from '../routes/index.ts'

const ORIGIN = { origin: ADDRESS, host: '127.0.0.1:4173' }
interface Problem {
  readonly code: string
  readonly detail: string
}

/** A door that answers only who has a token, with one for each of the spaces asked for. */
async function guarded(...requests: readonly (Partial<TokenRequest> & { space?: string })[]) {
  const door = await openDoor({ options: { tokens: true } })
  const made = []
  for (const { space = 'home', ...request } of requests) {
    made.push(await door.pupil.inSpace(space).tokens.add({ name: space, ...request }))
  }
  const as = (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return {
      get: (path: string) => door.ask(path, { headers }),
      remove: (path: string) => door.ask(path, { method: 'DELETE', headers }),
      post: (path: string, body: unknown = {}, more = {}) =>
        door.post(path, body, { ...headers, ...more }),
    }
  }
  return { ...door, tokens: made.map(({ token }) => token), records: made, as }
}

/** Every address of the API that is somebody's. */
const PRIVATE = apiRoutes()
  .filter(({ scope }) => scope !== null)
  .map(({ method, path, scope }) => ({ method, path: path.replaceAll(/:\w+/g, 'x1'), scope }))

test('without a token nothing is answered but what is nobody’s', async () => {
  const { ask, close } = await guarded({})
  const others = [
    { method: 'post', path: '/v1/chat/completions' },
    { method: 'get', path: '/v1/models' },
    { method: 'post', path: '/api/chat' },
    { method: 'post', path: '/mcp' },
    { method: 'get', path: '/' },
    { method: 'get', path: '/v1/nothing' },
    { method: 'get', path: '/assets/../v1/runs' },
  ]
  for (const { method, path } of [...PRIVATE, ...others]) {
    const response = await ask(path, { method: method.toUpperCase() })
    assert.equal(response.status, 401, `${method} ${path}`)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer realm="pupil"')
    assert.equal((await json<Problem>(response)).code, 'E_TOKEN_MISSING')
  }
  for (const path of ['/health', '/openapi.json', '/api/docs', '/login']) {
    assert.equal((await ask(path)).status, 200, path)
  }
  await close()
})

test('a token that is guessed, cut, changed or revoked is refused, each in the same words', async () => {
  const { tokens, records, as, pupil, close } = await guarded({}, {})
  const [token = '', other = ''] = tokens
  assert.match(token, /^pupil_[\w-]{43}$/)
  assert.equal((await as(token).get('/v1/runs')).status, 200)
  await pupil.tokens.revoke(records[1]?.record.id ?? '')
  const said = new Set<string>()
  const wrong = [token.slice(0, -1), `${token}x`, token.toUpperCase(), 'pupil_', 'none', other]
  for (const guess of wrong) {
    const response = await as(guess).get('/v1/runs')
    assert.equal(response.status, 401)
    said.add(JSON.stringify(await response.json()))
  }
  assert.equal(said.size, 1, 'nobody learns whether a token was ever one')
  await close()
})

test('who guesses is made to wait; who has a token is not', async () => {
  let now = 0
  const clock = { now: () => now, tick: () => now, sleep: () => new Promise<void>(() => {}) }
  const { pupil, door, close } = await openDoor({ options: { tokens: true, clock } })
  const { token } = await pupil.tokens.add({ name: 'phone' })
  const show = (shown: string, peer: string) =>
    door.handle(
      new Request(`${ADDRESS}/v1/runs`, { headers: { authorization: `Bearer ${shown}` } }),
      peer,
    )
  for (let n = 0; n < 20; n++) assert.equal((await show(`guess${n}`, '10.0.0.9')).status, 401)
  const waits = await show('guess', '10.0.0.9')
  assert.deepEqual([waits.status, waits.headers.get('retry-after')], [429, '60'])
  assert.equal((await show('guess', '10.0.0.8')).status, 401)
  assert.equal((await show(token, '10.0.0.9')).status, 200)
  now = 60_000
  assert.equal((await show('guess', '10.0.0.9')).status, 401)
  await close()
})

test('a token does only what it was made for', async () => {
  const { as, tokens, close } = await guarded({ scopes: ['read'] }, { scopes: ['run'] })
  const [reads = '', runs = ''] = tokens
  for (const { method, path, scope } of PRIVATE) {
    if (scope === 'read') continue
    const { get, post, remove } = as(reads)
    const response = await { get, post, delete: remove, put: post }[method](path)
    // What is put has the address of something that is read.
    if (method === 'put') continue
    assert.deepEqual(
      [response.status, (await json<Problem>(response)).code],
      [403, 'E_SCOPE'],
      `${method} ${path}`,
    )
  }
  assert.equal((await as(reads).get('/v1/runs')).status, 200)
  assert.equal((await as(runs).get('/v1/runs')).status, 403)
  assert.equal((await as(runs).post('/v1/runs', RUN)).status, 202)
  for (const [path, body] of [
    ['/v1/chat/completions', { model: 'pupil', messages: [{ role: 'user', content: 'x' }] }],
    ['/api/chat', {}],
  ] as const) {
    assert.equal((await as(reads).post(path, body)).status, 403, path)
  }
  await close()
})

test('one space reads, stops, replays, exports and forgets nothing of another', async () => {
  const { as, tokens, close } = await guarded({ space: 'ann' }, { space: 'bob' })
  const [ann, bob] = tokens.map(as)
  assert.ok(ann && bob)
  const program = 'A=CROP(image=IMAGE,box=[[0,0,50,50]])\nR=RESULT(var=A)'
  const run = await json<RunDocument>(
    await ann.post('/v1/runs?wait=true', { program, pictures: [PICTURE] }),
  )
  const lesson = await json<{ id: string }>(
    await ann.post('/v1/teach', { tool: 'LOC', concept: 'blue thing', pictures: [PICTURE] }),
  )
  const job = await json<{ id: string }>(await ann.post(`/v1/lessons/${lesson.id}/tune`))
  const chat = await json<{ id: string }>(await ann.post('/v1/chats'))
  const hash = run.image?.split('/').at(-1) ?? ''
  await ann.get(`/v1/blobs/${hash}?side=32`)
  for (const path of [
    ...[`/v1/runs/${run.run}`, `/v1/runs/${run.run}/events`, `/v1/runs/${run.run}/rationale`],
    ...[`/v1/runs/${run.run}/corrections`, `/v1/blobs/${hash}`, `/v1/blobs/${hash}?side=32`],
    ...[`/v1/chats/${chat.id}`, `/v1/chats/${chat.id}/events`, `/v1/jobs/${job.id}`],
    ...[`/v1/jobs/${job.id}/events`, '/v1/concepts/LOC/blue%20thing', '/v1/runs/last'],
  ]) {
    const own = await ann.get(path)
    assert.ok(own.ok, path)
    await own.body?.cancel()
    const response = await bob.get(path)
    assert.equal(response.status, 404, path)
    assert.doesNotMatch(await response.text(), /blue thing.*applied/)
  }
  for (const [path, body] of [
    [`/v1/runs/${run.run}/cancel`, {}],
    [`/v1/runs/${run.run}/replay`, {}],
    [`/v1/runs/${run.run}/corrections`, { target: { kind: 'answer' }, expected: { answer: 'x' } }],
    [`/v1/lessons/${lesson.id}/undo`, {}],
    [`/v1/lessons/${lesson.id}/tune`, {}],
    [`/v1/jobs/${job.id}/cancel`, {}],
    [`/v1/chats/${chat.id}/turns`, { text: 'Hello' }],
    ['/v1/forget', { concept: 'blue thing' }],
    ['/v1/runs', { program, pictures: [{ blob: hash }] }],
  ] as const) {
    const response = await bob.post(path, body)
    assert.ok([400, 404].includes(response.status), `${path} ${response.status}`)
  }
  assert.equal((await bob.get(`/v1/lessons/${lesson.id}/export`)).status, 400)
  assert.equal((await bob.remove(`/v1/runs/${run.run}`)).status, 404)
  for (const [path, name] of [
    ['/v1/runs', 'runs'],
    ['/v1/lessons', 'lessons'],
    ['/v1/concepts', 'concepts'],
    ['/v1/chats', 'chats'],
    ['/v1/jobs', 'jobs'],
  ] as const) {
    assert.deepEqual(await json(await bob.get(path)), { [name]: [] }, path)
    assert.equal(
      (await json<Record<string, unknown[]>>(await ann.get(path)))[name]?.length,
      1,
      path,
    )
  }
  await close()
})

test('a lesson of one space acts for every token of it, and for no other', async () => {
  const { as, tokens, close } = await guarded({ space: 'ann' }, { space: 'ann' }, { space: 'bob' })
  const [ann, too, bob] = tokens.map(as)
  assert.ok(ann && too && bob)
  const find = 'B=LOC(image=IMAGE,object="cruller")\nN=COUNT(box=B)\nR=RESULT(var=N)'
  await ann.post('/v1/teach', { tool: 'LOC', concept: 'cruller', pictures: [PICTURE] })
  const outcome = async (caller: typeof ann) => {
    const run = await json<RunDocument>(
      await caller.post('/v1/runs?wait=true', { program: find, pictures: [PICTURE] }),
    )
    return [run.status, run.error?.code]
  }
  assert.deepEqual(await outcome(too), ['done', undefined])
  assert.deepEqual(await outcome(bob), ['error', 'T_UNAVAILABLE'])
  await close()
})

test('the same idempotency key in two spaces is two requests', async () => {
  const { as, tokens, close } = await guarded({ space: 'ann' }, { space: 'bob' })
  const made = []
  for (const token of tokens) {
    const response = await as(token).post('/v1/chats', {}, { 'idempotency-key': 'k' })
    made.push((await json<{ id: string }>(response)).id)
    assert.equal(response.headers.get('idempotency-replayed'), null)
  }
  assert.notEqual(made[0], made[1])
  await close()
})

test('signing in gives a cookie that no script reads and no other site sends', async () => {
  const { ask, tokens, close } = await guarded({})
  const [token = ''] = tokens
  const page = await ask('/', { headers: { accept: 'text/html' } })
  assert.deepEqual([page.status, page.headers.get('location')], [303, '/login'])
  const signIn = (shown: string, headers: Record<string, string> = ORIGIN) =>
    ask('/session', { method: 'POST', headers, body: new URLSearchParams({ token: shown }) })
  assert.equal((await signIn('wrong')).status, 401)
  const done = await signIn(token)
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/'])
  const cookie = done.headers.get('set-cookie') ?? ''
  assert.match(cookie, /HttpOnly/)
  assert.match(cookie, /SameSite=Strict/)
  const secure = await signIn(token, { ...ORIGIN, 'x-forwarded-proto': 'https' })
  assert.match(secure.headers.get('set-cookie') ?? '', /Secure/)
  const own = { cookie: `pupil_token=${token}` }
  assert.equal((await ask('/v1/runs', { headers: own })).status, 200)
  const html = await (await ask('/login')).text()
  assert.doesNotMatch(html, /<script|https?:/)
  const out = await ask('/session/end', { method: 'POST', headers: { ...own, ...ORIGIN } })
  assert.match(out.headers.get('set-cookie') ?? '', /pupil_token=;/)
  await close()
})

test('another site cannot make a browser that is signed in change or read anything', async () => {
  const { ask, tokens, pupil, close } = await guarded({})
  const body = new FormData()
  body.append('picture', new File([PNG], 'blue.png', { type: 'image/png' }))
  body.set('program', PROGRAM)
  const cookie = `pupil_token=${tokens[0]}`
  const host = '127.0.0.1:4173'
  for (const headers of [
    { host, cookie, origin: 'https://evil.example' },
    { host, cookie, origin: 'null' },
    { host, cookie, origin: 'http://127.0.0.1:9999', 'sec-fetch-site': 'same-site' },
    { host, cookie, 'sec-fetch-site': 'cross-site' },
    { host, cookie },
  ] as Record<string, string>[]) {
    const response = await ask('/v1/runs', { method: 'POST', headers, body })
    assert.deepEqual([response.status, (await json<Problem>(response)).code], [403, 'E_STRANGER'])
  }
  assert.deepEqual(await pupil.runs.list(), [])
  const ours = { host, cookie, origin: `http://${host}` }
  assert.equal((await ask('/v1/runs', { method: 'POST', headers: ours, body })).status, 202)
  const read = await ask('/v1/runs', { headers: { host, cookie, 'sec-fetch-site': 'cross-site' } })
  assert.equal(read.status, 403)
  await close()
})

test('under a name that somebody else pointed at us nothing is answered, token or not', async () => {
  const { pupil, door, close } = await openDoor({
    options: { tokens: true, hosts: ['127.0.0.1:4173', 'pupil.example'] },
  })
  const { token } = await pupil.tokens.add({ name: 'phone' })
  const get = (host: string, headers = {}) =>
    door.handle(
      new Request(`${ADDRESS}/v1/runs`, {
        headers: { host, authorization: `Bearer ${token}`, ...headers },
      }),
    )
  for (const host of ['evil.example', 'evil.example:4173', '127.0.0.1.evil.example:4173']) {
    assert.equal((await get(host, { origin: `http://${host}` })).status, 403, host)
  }
  assert.equal((await get('pupil.example', { origin: 'https://pupil.example' })).status, 200)
  await close()
})
