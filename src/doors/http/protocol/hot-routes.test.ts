import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { once } from 'node:events'
import { test } from 'node:test'
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
  const worker = createServer((_, response) => {
    if (way === 'error') return response.writeHead(500).end('no')
    response.write('{"text": "a", "error_code": 0}\u0000')
    if (way === 'whole') return response.end('{"text": "ab", "error_code": 0}\u0000')
    response.write('{"text": "cut', () => response.destroy())
    return undefined
  }).listen(0, '127.0.0.1')
  await once(worker, 'listening')
  const { port } = worker.address() as { port: number }
  const made = createProtocolApp()
  const server = await serveProtocol(made, { port: 0 })
  t.after(async () => {
    worker.closeAllConnections()
    worker.close()
    await server.close()
  })
  const address = `http://127.0.0.1:${port}`
  const status = { model_names: ['m'], speed: 1, queue_length: 0 }
  await made.controller.register({ address, beats: false, status })
  const ask = () => send(server.address, '/worker_generate_stream', '{"model": "m", "prompt": "p"}')
  assert.deepEqual((await ask()).text.split('\u0000').slice(0, -1), [
    '{"text": "a", "error_code": 0}',
    '{"text": "ab", "error_code": 0}',
  ])
  way = 'broken'
  const frames = (await ask()).text.split('\u0000')
  assert.equal(frames[0], '{"text": "a", "error_code": 0}')
  assert.match(frames.at(-2) ?? '', /"error_code": 3, "reason": ".*broke off/)
  made.controller.table.answered(address, status)
  way = 'error'
  assert.match((await ask()).text, /"error_code": 3, "reason": ".*answered 500/)
  worker.closeAllConnections()
  worker.close()
  await once(worker, 'close')
  assert.match((await ask()).text, /"error_code": 3, "reason": ".*cannot be reached/)
  assert.equal(made.controller.table.get(address)?.state, 'failed')
})
