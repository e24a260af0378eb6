import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { fakeClock } from '../testing/index.ts'
import { chatWorkers } from './chat-workers.ts'
import { resolveConfig } from './config.ts'

test('workers of the configuration are called by address, or by a controller that knows them', async (t) => {
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    asked.push(incoming.url ?? '')
    incoming.resume()
    incoming.on('end', () => response.end('{"models": ["ip2p"]}'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const { config } = await resolveConfig({
    ...{ cwd: '/', env: { PUPIL_HOME: '/nowhere' } },
    flags: {
      workers: {
        controller: `http://127.0.0.1:${port}`,
        addresses: { sd: 'http://127.0.0.1:9', 'llava-7b': 'http://127.0.0.1:9' },
        ...{ prefer: ['blip2'], chat: 'llava-7b' },
      },
    },
  })
  const workers = chatWorkers(config.workers, fakeClock())
  assert.deepEqual(await workers.remote?.names(), ['ip2p', 'llava-7b', 'sd'])
  assert.deepEqual([workers.prefer, workers.model?.id], [['blip2'], 'worker/llava-7b'])
  assert.ok(asked.includes('/list_models'))
})

test('a controller that does not answer takes only its own skills away; without any there is nothing', async () => {
  const dead = chatWorkers(
    { controller: 'http://127.0.0.1:9', addresses: { sd: 'http://127.0.0.1:9' } },
    fakeClock(),
  )
  assert.deepEqual(await dead.remote?.names(), ['sd'])
  const none = chatWorkers({}, fakeClock())
  assert.deepEqual([none.remote, none.model, none.prefer], [undefined, undefined, []])
})
