import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { commandLine } from '../../../test/e2e/command-line.ts'
import { main } from './main.ts'

const pupil = commandLine('serve')
after(() => pupil.remove())

/** Starts the server, works with its address, and stops it as Ctrl-C does. */
async function serving(
  argv: readonly string[],
  work: (address: string, workers: readonly string[]) => Promise<void>,
): Promise<number> {
  const cwd = pupil.folder()
  const stop = new AbortController()
  const { promise, resolve } = Promise.withResolvers<string>()
  const stdout = { write: (text: string | Uint8Array) => void resolve(String(text)) }
  const io = {
    ...{ stdin: process.stdin, stdout, stderr: { write: () => {} }, cwd, signal: stop.signal },
    env: { PUPIL_HOME: `${cwd}/home` },
  }
  const ended = main(['serve', '--port', '0', '--json', ...argv], io)
  const said = JSON.parse(await promise) as { address: string; workers: readonly string[] }
  try {
    await work(said.address, said.workers)
  } finally {
    stop.abort()
  }
  return ended
}

const post = async (url: string, body: object): Promise<unknown> =>
  (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()

test(
  'the server is controller and workers at once, and stays with a controller elsewhere',
  { timeout: 120_000 },
  async () => {
    const code = await serving(['--role', 'controller'], async (elsewhere, none) => {
      assert.deepEqual(none, [])
      const inner = await serving(['--register', elsewhere], async (address, workers) => {
        assert.ok(workers.includes('grounding_dino') && workers.includes('llava-pupil-v1'))
        const { models } = (await post(`${address}/list_models`, {})) as { models: string[] }
        assert.deepEqual(models, workers)
        const found = (await post(`${address}/get_worker_address`, { model: 'ocr' })) as {
          address: string
        }
        assert.equal(found.address, `${address}/workers/ocr`)
        const reply = (await post(`${found.address}/worker_generate`, {
          image: '/etc/passwd',
        })) as {
          error_code: number
        }
        assert.notEqual(reply.error_code ?? 0, 0)
        // It registers by itself; how soon is not in our hands, that it does is.
        for (;;) {
          const there = (await post(`${elsewhere}/list_models`, {})) as { models: string[] }
          if (there.models.length === workers.length) break
        }
      })
      assert.equal(inner, 0)
    })
    assert.equal(code, 0)
  },
)

test('words that mean nothing are a usage error', async () => {
  for (const [argv, message] of [
    [['--role', 'king'], /--role/],
    [['--dispatch', 'never'], /--dispatch/],
    [['--register', 'over there'], /an http address for --register/],
  ] as const) {
    const said = await pupil(['serve', ...argv])
    assert.notEqual(said.code, 0)
    assert.match(said.err, message)
  }
})
