import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import type { ModelRequest } from './model.ts'
import { collect } from './reply.ts'
import { ollamaBaseUrl, resolveModel } from './resolve.ts'

const ask: ModelRequest = { messages: [{ role: 'user', content: 'x' }] }

/** A network that answers each request with the same JSON and keeps what was sent. */
function wire(answer: object): {
  fetch: typeof globalThis.fetch
  sent: { url: string; init: RequestInit }[]
} {
  const sent: { url: string; init: RequestInit }[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    sent.push({ url: String(url), init })
    return Response.json(answer)
  }
  return { fetch, sent }
}

test('a name is split at its first slash, the rest verbatim', () => {
  assert.equal(resolveModel('ollama/qwen2.5vl:7b').id, 'ollama/qwen2.5vl:7b')
  const id = 'openai-compatible/org/model/v2'
  const baseUrls = { 'openai-compatible': 'http://127.0.0.1:8000/v1/' }
  assert.equal(resolveModel(id, { baseUrls }).id, id)
})

test('a name without a known provider is told with the nearest ones', () => {
  assert.throws(() => resolveModel('qwen'), {
    code: 'E_MODEL_NAME',
    message: 'Expected provider/model for a model but got "qwen".',
  })
  assert.throws(() => resolveModel('olama/qwen'), {
    code: 'E_MODEL_NAME',
    cure: /^Did you mean ollama\? Providers: ollama, /,
  })
  assert.throws(() => resolveModel('ollama/'), { code: 'E_MODEL_NAME' })
})

test('a missing key names both ways to give it', () => {
  assert.throws(() => resolveModel('anthropic/claude', { env: { OPENAI_API_KEY: 'x' } }), {
    name: 'UserFault',
    code: 'E_MODEL_KEY',
    message: 'anthropic needs a key, and none is given.',
    cure: 'Set ANTHROPIC_API_KEY, or name a variable in pupil.config.ts (apiKeyEnv of anthropic).',
  })
  assert.throws(() => resolveModel('openai/gpt', { env: { OPENAI_API_KEY: '' } }), {
    code: 'E_MODEL_KEY',
  })
  assert.equal(resolveModel('google/gemini', { env: { GEMINI_API_KEY: 'x' } }).id, 'google/gemini')
})

test('a server without an address, or with a wrong one, is told', () => {
  assert.throws(() => resolveModel('openai-compatible/x'), { code: 'E_MODEL_ADDRESS' })
  assert.throws(() => resolveModel('ollama/x', { baseUrls: { ollama: 'localhost:11434' } }), {
    code: 'E_ARGUMENT',
    message: /Expected an http or https address for the base URL of ollama/,
  })
})

test('what is known of a model wins over what we think', () => {
  const capabilities = { 'ollama/x': { json: false, vision: true } }
  assert.deepEqual(resolveModel('ollama/x', { capabilities }).capabilities, {
    json: false,
    vision: true,
  })
  assert.equal(
    resolveModel('gguf/a/b.gguf', { capabilities: { 'gguf/a/b.gguf': { json: false } } })
      .capabilities.json,
    false,
  )
})

test('OLLAMA_HOST is understood as people write it', () => {
  const table = [
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:11434', 'http://127.0.0.1:11434/v1'],
    [':8080', 'http://127.0.0.1:8080/v1'],
    ['box.local:11434', 'http://box.local:11434/v1'],
    ['http://box.local', 'http://box.local:11434/v1'],
    ['http://box.local:80/', 'http://box.local/v1'],
    ['https://ollama.example.org', 'https://ollama.example.org/v1'],
    ['https://example.org/ollama/v1/', 'https://example.org/ollama/v1'],
  ] as const
  for (const [host, url] of table) assert.equal(ollamaBaseUrl(host), url, host)
})

test('anthropic: system, picture, tool and reply travel in its own protocol', async () => {
  const { fetch, sent } = wire({
    ...{ type: 'message', id: 'm', model: 'claude-1', role: 'assistant', stop_reason: 'tool_use' },
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 't1', name: 'LOC', input: { object: 'dog' } },
    ],
    usage: { input_tokens: 12, output_tokens: 8 },
  })
  const model = resolveModel('anthropic/claude-sonnet-4-5', {
    keys: { anthropic: 'secret-a' },
    fetch,
  })
  const image = solidImage({ width: 4, height: 4 }, [1, 2, 3])
  const reply = await model.generate({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'image', image }] },
    ],
    tools: [{ name: 'LOC', about: 'finds', parameters: { type: 'object', properties: {} } }],
  })
  assert.deepEqual(reply.toolCalls, [{ id: 't1', name: 'LOC', args: { object: 'dog' } }])
  assert.deepEqual(
    [reply.text, reply.finish, reply.model],
    ['Let me look.', 'tool-calls', 'anthropic/claude-1'],
  )
  assert.deepEqual(reply.usage, { inputTokens: 12, outputTokens: 8 })
  const body = String(sent[0]?.init.body)
  assert.match(body, /"media_type":"image\/jpeg"/)
  assert.match(body, /"system":\[\{"type":"text","text":"Be short."/)
  assert.equal(new Headers(sent[0]?.init.headers).get('x-api-key'), 'secret-a')
})

test('google: the reply is read and the key stays out of the address', async () => {
  const { fetch, sent } = wire({
    candidates: [
      { content: { parts: [{ text: 'two' }], role: 'model' }, finishReason: 'MAX_TOKENS' },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
  })
  const model = resolveModel('google/gemini-2.5-flash', { keys: { google: 'secret-g' }, fetch })
  const reply = await model.generate(ask)
  assert.deepEqual([reply.text, reply.finish], ['two', 'length'])
  assert.deepEqual(reply.usage, { inputTokens: 5, outputTokens: 1 })
  assert.match(sent[0]?.url ?? '', /gemini-2\.5-flash:generateContent$/)
})

test('openai: its own address is spoken to by responses', async () => {
  const { fetch, sent } = wire({
    ...{ id: 'r', object: 'response', created_at: 0, model: 'gpt-4.1-mini', status: 'completed' },
    output: [
      {
        ...{ type: 'message', id: 'm', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: 'two', annotations: [] }],
      },
    ],
    usage: { input_tokens: 4, output_tokens: 1 },
  })
  const model = resolveModel('openai/gpt-4.1-mini', { env: { OPENAI_API_KEY: 'k' }, fetch })
  assert.equal((await model.generate({ ...ask, seed: 7 })).text, 'two')
  assert.equal(sent[0]?.url, 'https://api.openai.com/v1/responses')
})

test('settings that a provider cannot follow come back as warnings', async () => {
  const { fetch } = wire({
    ...{ id: 'r', object: 'response', created_at: 0, model: 'gpt-4.1-mini', status: 'completed' },
    output: [],
    usage: { input_tokens: 4, output_tokens: 1 },
  })
  const model = resolveModel('openai/gpt-4.1-mini', { keys: { openai: 'k' }, fetch })
  assert.match(
    (await model.generate({ ...ask, seed: 7 })).warnings?.join() ?? '',
    /seed is not supported/,
  )
})

for (const version of ['v2', 'v3', 'v4'] as const) {
  test(`a model object of the AI SDK is accepted: specification ${version}`, async () => {
    const asked: Record<string, unknown>[] = []
    const old = version === 'v2'
    const usage = old
      ? { inputTokens: 3, outputTokens: 2 }
      : { inputTokens: { total: 3 }, outputTokens: { total: 2 } }
    const finishReason = old ? 'stop' : { unified: 'stop', raw: 'stop' }
    const model = resolveModel({
      ...{ specificationVersion: version, provider: 'own.chat', modelId: 'm' },
      doGenerate: async (options: object) => {
        asked.push(options as Record<string, unknown>)
        return { content: [{ type: 'text', text: 'hi' }], finishReason, usage, warnings: [] }
      },
      doStream: async () => ({
        stream: partsOf([
          { type: 'text-delta', id: '0', delta: 'h' },
          { type: 'text-delta', id: '0', delta: 'i' },
          { type: 'finish', finishReason, usage },
        ]),
      }),
    })
    const image = solidImage({ width: 2, height: 2 }, [0, 0, 0])
    const reply = await model.generate({
      messages: [{ role: 'user', content: [{ type: 'image', image }] }],
    })
    assert.deepEqual([reply.model, reply.text, reply.finish], ['own/m', 'hi', 'stop'])
    assert.deepEqual(reply.usage, { inputTokens: 3, outputTokens: 2 })
    assert.equal((await collect(model.stream(ask))).text, 'hi')
    const [turn] = asked[0]?.prompt as readonly { content: readonly { data: object }[] }[]
    const data = turn?.content[0]?.data
    assert.equal(data instanceof Uint8Array, version !== 'v4')
  })
}

test('a model object of another specification is refused', () => {
  const model = { specificationVersion: 'v1', provider: 'p', modelId: 'm' }
  const never = async (): Promise<never> => assert.fail()
  assert.throws(() => resolveModel({ ...model, doGenerate: never, doStream: never }), {
    code: 'E_MODEL_OBJECT',
  })
})

async function* partsOf(parts: readonly object[]): AsyncGenerator<object> {
  yield* parts
}
