import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { RequestListener } from 'node:http'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readRequest } from './hot-socket.ts'
import { createProtocolApp, serveProtocol } from './index.ts'

const send = (
  address: string,
  path: string,
  text: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${address}${path}`, { method: 'POST', agent: false }, (response) => {
      let all = ''
      response.on('data', (chunk: Buffer) => (all += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: all }))
    })
    asked.on('error', reject)
    asked.setHeader('content-length', Buffer.byteLength(text))
    asked.end(text)
  })

/** A protocol server, and a worker that answers every request so, both closed after the test. */
async function besideWorker(t: TestContext, answer: RequestListener) {
  const worker = createServer(answer).listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const { port } = worker.address() as { port: number }
  const made = createProtocolApp()
  const server = await serveProtocol(made, { port: 0 })
  t.after(async () => {
    worker.closeAllConnections()
    worker.close()
    await server.close()
  })
  return { ...made, worker, server, address: `http://127.0.0.1:${port}` }
}

test('what is asked most is answered from the socket just as by the routes', async (t) => {
  const made = createProtocolApp()
  const server = await serveProtocol(made, { port: 0 })
  t.after(() => server.close())
  const status = { model_names: ['m1', 'm2'], speed: 1, queue_length: 0 }
  const worker = {
    worker_name: 'http://127.0.0.1:9',
    check_heart_beat: true,
    worker_status: status,
  }
  await send(server.address, '/register_worker', JSON.stringify(worker))
  const rows: readonly (readonly [path: string, body: string])[] = [
    ['/list_models', ''],
    ['/get_worker_address', '{"model": "m2"}'],
    ['/get_worker_address', '{"model": "none"}'],
    ['/get_worker_address', '{}'],
    ['/get_worker_address', '[1'],
    ['/receive_heart_beat', '{"worker_name": "http://127.0.0.1:9/", "queue_length": 2}'],
    ['/receive_heart_beat', '{"worker_name": "http://127.0.0.1:10", "queue_length": 0}'],
    ['/receive_heart_beat', '{"worker_name": "http://127.0.0.1:9", "queue_length": "x"}'],
  ]
  for (const [path, body] of rows) {
    const hot = await send(server.address, path, body)
    const routed = await made.app.fetch(new Request(`http://x${path}`, { method: 'POST', body }))
    assert.deepEqual(
      [hot.status, hot.text],
      [routed.status, await routed.text()],
      `${path} ${body}`,
    )
  }
})

test('frames go from socket to socket; a worker that breaks off, refuses or is gone is one frame of failure', async (t) => {
  let way = 'whole'
  const { worker, server, controller, address } = await besideWorker(t, (_, response) => {
    if (way === 'error') return response.writeHead(500).end('no')
    response.write('{"text": "a", "error_code": 0}\u0000')
    if (way === 'whole') return response.end('{"text": "ab", "error_code": 0}\u0000')
    response.write('{"text": "cut', () => response.destroy())
    return undefined
  })
  const status = { model_names: ['m'], speed: 1, queue_length: 0 }
  await controller.register({ address, beats: false, status })
  const ask = () => send(server.address, '/worker_generate_stream', '{"model": "m", "prompt": "p"}')
  assert.deepEqual((await ask()).text.split('\u0000').slice(0, -1), [
    '{"text": "a", "error_code": 0}',
    '{"text": "ab", "error_code": 0}',
  ])
  way = 'broken'
  const frames = (await ask()).text.split('\u0000')
  assert.equal(frames[0], '{"text": "a", "error_code": 0}')
  assert.match(frames.at(-2) ?? '', /"error_code": 3, "reason": ".*broke off/)
  controller.table.answered(address, status)
  way = 'error'
  assert.match((await ask()).text, /"error_code": 3, "reason": ".*answered 500/)
  worker.closeAllConnections()
  worker.close()
  await once(worker, 'close')
  assert.match((await ask()).text, /"error_code": 3, "reason": ".*cannot be reached/)
  assert.equal(controller.table.get(address)?.state, 'failed')
})

const beat = (n: number, more = ''): string => {
  const body = `{"worker_name": "http://127.0.0.1:9", "queue_length": ${n}}`
  return `POST /receive_heart_beat HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
}

test('a plain request is read whole, however its bytes are cut; what is unusual is left to Node', () => {
  const whole = Buffer.from(`${beat(1)}${beat(2)}`)
  const first = beat(1).length
  for (let cut = 1; cut < first; cut++) {
    assert.equal(readRequest(whole.subarray(0, cut)), 'more', String(cut))
  }
  const read = readRequest(whole)
  assert.ok(typeof read === 'object')
  assert.deepEqual([read.path, read.end], ['/receive_heart_beat', first])
  const rows: readonly string[] = [
    beat(1, 'Transfer-Encoding: chunked\r\n'),
    beat(1, 'Expect: 100-continue\r\n'),
    beat(1, 'Upgrade: h2c\r\n'),
    beat(1, 'Connection: close\r\n'),
    beat(1, 'Content-Length: 3\r\n'),
    beat(1, 'Content-Length : 3\r\n'),
    beat(1, 'X: a\r\n folded\r\n'),
    beat(1, 'X: a\nY: b\r\n'),
    beat(1).replace(/Content-Length: \d+/, 'Content-Length: 0x10'),
    beat(1).replace(/Content-Length: \d+/, 'Content-Length: 999999'),
    beat(1).replace('HTTP/1.1', 'HTTP/1.0'),
    beat(1).replace('/receive_heart_beat', '/receive_heart_beat?a=b'),
    beat(1).replace('POST', 'GET'),
    'GET',
    `POST /${'a'.repeat(9000)}`,
  ]
  for (const text of rows) assert.equal(readRequest(Buffer.from(text)), 'other', text.slice(0, 90))
})

/** Sends bytes as they are and gives all that comes back until the other side is silent about them. */
function raw(address: string, text: string, until: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    let all = ''
    socket.on('data', (chunk: Buffer) => {
      all += chunk.toString()
      if (!until.test(all)) return
      socket.destroy()
      resolve(all)
    })
    socket.on('error', reject)
    socket.write(text)
  })
}

test('requests one behind the other are answered in order, and a connection changes over in the middle', async (t) => {
  const made = createProtocolApp()
  const server = await serveProtocol(made, { port: 0 })
  t.after(() => server.close())
  const status = { model_names: ['m'], speed: 1, queue_length: 0 }
  await made.controller.register({ address: 'http://127.0.0.1:9', beats: true, status })
  const health = 'GET /test_connection HTTP/1.1\r\nHost: x\r\n\r\n'
  const unknown = '{"model": "m"}'
  const address = `POST /get_worker_address HTTP/1.1\r\nHost: x\r\nContent-Length: ${unknown.length}\r\n\r\n${unknown}`
  const chunked =
    'POST /list_models HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'
  const said = await raw(
    server.address,
    `${beat(3)}${address}${health}${beat(4)}${chunked}`,
    /\{"models":\["m"\]\}/,
  )
  const bodies = said.split(/HTTP\/1\.1 /).slice(1)
  assert.deepEqual(
    bodies.map((one) => [one.slice(0, 3), one.split('\r\n\r\n')[1]?.replace(/\s+$/, '')]),
    [
      ['200', '{"exist":true}'],
      ['200', '{"address":"http://127.0.0.1:9"}'],
      ['200', '"success"'],
      ['200', '{"exist":true}'],
      ['200', '{"models":["m"]}'],
    ],
  )
  assert.equal(made.controller.table.get('http://127.0.0.1:9')?.queue, 4)
})

test('an answer that must be waited for is not overtaken, and names follow who comes, fails and expires', async (t) => {
  const status = { model_names: ['m'], speed: 1, queue_length: 0 }
  const { server, controller, address } = await besideWorker(t, (_, response) =>
    response.end(JSON.stringify(status)),
  )
  const { table } = controller
  table.register(address, status, true)
  assert.deepEqual(table.names(), ['m'])
  table.failed(address, 'refused')
  assert.deepEqual(table.names(), [])
  table.silent(address, 'late')
  assert.deepEqual(table.names(), ['m'])
  const asked = '{"model": "m"}'
  const said = await raw(
    server.address,
    `POST /get_worker_address HTTP/1.1\r\nHost: x\r\nContent-Length: ${asked.length}\r\n\r\n${asked}${beat(1)}`,
    /exist/,
  )
  assert.ok(said.indexOf(`{"address":"${address}"}`) < said.indexOf('{"exist":false}'), said)
  assert.ok(said.includes(address))
})
