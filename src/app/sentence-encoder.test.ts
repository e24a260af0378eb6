import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { isFault } from '../base/index.ts'
import { cosine } from '../memory/index.ts'
import { resolveConfig } from './config.ts'
import type { UserConfig } from './config.ts'
import { sentenceEncoder } from './sentence-encoder.ts'

async function configOf(user: UserConfig) {
  return (await resolveConfig({ cwd: '/', env: {}, flags: user })).config
}

/** Speaks /v1/embeddings: [characters, words] of each sentence. */
async function serve(status = 200) {
  const asked: string[][] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const { input } = JSON.parse(text) as { input: string[] }
      asked.push(input)
      const data = input.map((one, index) => ({
        ...{ object: 'embedding', index },
        embedding: [one.length, one.split(' ').length],
      }))
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 1 } }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { asked, baseURL, close: () => new Promise((done) => server.close(done)) }
}

const named = (baseURL: string): UserConfig => ({
  models: { embedder: 'openai-compatible/small' },
  providers: { 'openai-compatible': { baseURL } },
})

test('sentences become unit vectors of the configured model, many in a request', async () => {
  const { asked, baseURL, close } = await serve()
  const encoder = sentenceEncoder(await configOf(named(baseURL)), {})
  assert.ok(encoder)
  const sentences = Array.from(
    { length: 100 },
    (_, i) => `How many things are ${'there '.repeat(i)}`,
  )
  const vectors = await encoder.encode(sentences)
  assert.equal(vectors.length, 100)
  assert.deepEqual(
    asked.map((one) => one.length),
    [96, 4],
  )
  const [first] = vectors
  assert.ok(first && Math.abs(cosine(first, first) - 1) < 1e-6)
  await close()
})

test('without an embedder there is none, and a server that fails is told', async () => {
  assert.equal(sentenceEncoder(await configOf({}), {}), undefined)
  const { baseURL, close } = await serve(500)
  const encoder = sentenceEncoder(await configOf(named(baseURL)), {})
  await assert.rejects(async () => encoder?.encode(['How many?']), isFault)
  await close()
})

test('a provider without embedding models is refused by name', async () => {
  const config = await configOf({ models: { embedder: 'anthropic/any' } })
  assert.throws(() => sentenceEncoder(config, {}), { code: 'E_MODEL_NAME' })
})
