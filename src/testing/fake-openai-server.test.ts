import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { errorData } from '../base/index.ts'
import { solidImage } from '../image/index.ts'
import { collect, generateStructured, resolveModel, withRetry } from '../llm/index.ts'
import type { LanguageModel, Message, ModelRequest } from '../llm/index.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeOpenAiServer } from './fake-openai-server.ts'
import type { FakeAnswer, FakeOpenAiServer } from './fake-openai-server.ts'

const KEY = 'sk-very-secret-key-0123456789'
const ask: ModelRequest = { messages: [{ role: 'user', content: 'x' }] }
const asMessages = (server: FakeOpenAiServer, n = 0) =>
  server.requests[n]?.body.messages as readonly { role: string; content: unknown }[]

async function served(
  answers: readonly FakeAnswer[],
  work: (model: LanguageModel, server: FakeOpenAiServer) => Promise<void>,
  name = 'openai-compatible/tiny',
): Promise<void> {
  await using server = await fakeOpenAiServer(answers)
  const provider = name.split('/')[0] ?? ''
  const model = resolveModel(name, {
    baseUrls: { [provider]: server.baseUrl },
    keys: { [provider]: KEY },
    clock: fakeClock({ now: Date.UTC(2030, 0, 1) }),
  })
  await work(model, server)
}

test('a request carries its settings, its key and its turns', () =>
  served([{ text: 'hi' }], async (model, server) => {
    const messages: Message[] = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hello' },
    ]
    await model.generate({ messages, temperature: 0.7, topP: 0.5, seed: 3, stop: ['\n\n'] })
    const { body, headers, path } = server.requests[0] ?? assert.fail()
    assert.equal(path, '/v1/chat/completions')
    assert.equal(headers.authorization, `Bearer ${KEY}`)
    assert.deepEqual(
      { ...body },
      {
        model: 'tiny',
        messages,
        max_tokens: 768,
        temperature: 0.7,
        top_p: 0.5,
        seed: 3,
        stop: ['\n\n'],
      },
    )
  }))

test("usage is the server's, or an estimate that says so", () =>
  served(
    [{ usage: { prompt: 11, completion: 7 } }, { text: 'hello there', usage: null }],
    async (model) => {
      assert.deepEqual((await model.generate(ask)).usage, { inputTokens: 11, outputTokens: 7 })
      const { usage } = await collect(model.stream(ask))
      assert.equal(usage.estimated, true)
      assert.equal(usage.outputTokens, 2)
    },
  ))

test('status 429 says how long to wait, in seconds or as a date', () =>
  served(
    [
      { status: 429, headers: { 'retry-after': '7' }, body: '{"error":{"message":"slow down"}}' },
      { status: 429, headers: { 'retry-after': 'Tue, 01 Jan 2030 00:00:30 GMT' } },
    ],
    async (model) => {
      await assert.rejects(model.generate(ask), {
        name: 'Unavailable',
        code: 'T_LLM',
        message: 'openai-compatible/tiny answered with status 429: slow down',
        retryAfter: 7000,
      })
      await assert.rejects(model.generate(ask), { code: 'T_LLM', retryAfter: 30_000 })
    },
  ))

test('status 500 is tried again, and the reply then counts', () =>
  served(
    [{ status: 500, body: 'oops' }, { status: 503 }, { text: 'up' }],
    async (model, server) => {
      const clock = fakeClock({ jump: true })
      assert.equal((await withRetry(model, { clock }).generate(ask)).text, 'up')
      assert.equal(server.requests.length, 3)
    },
  ))

test('a refused key names the way to give one and never shows the key', () =>
  served([{ status: 401, body: `{"error":{"message":"bad key ${KEY}"}}` }], async (model) => {
    const error = await model.generate(ask).catch((error: unknown) => error)
    assert.partialDeepStrictEqual(errorData(error), { kind: 'UserFault', code: 'E_MODEL_KEY' })
    assert.doesNotMatch(JSON.stringify(seenOf(error)), /very-secret/)
  }))

test('an unknown model and a refused request are told apart', () =>
  served(
    [
      { status: 404, body: '{"error":{"message":"no tiny"}}' },
      { status: 400, body: '{"error":{"message":"bad"}}' },
    ],
    async (model) => {
      await assert.rejects(model.generate(ask), { code: 'E_MODEL_UNKNOWN', message: /no tiny/ })
      await assert.rejects(model.generate(ask), { code: 'E_MODEL_REQUEST', message: /bad/ })
    },
  ))

test('a prompt that is too long for the server is told as such', () =>
  served(
    [{ status: 400, body: '{"error":{"message":"maximum context length is 4096 tokens"}}' }],
    async (model) => {
      await assert.rejects(model.generate(ask), { code: 'E_MODEL_CONTEXT', message: /4096/ })
    },
  ))

test('a web page instead of JSON names the base URL and is not tried again', () =>
  served(
    [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }],
    async (model, server) => {
      const clock = fakeClock({ jump: true })
      const error = await withRetry(model, { clock })
        .generate(ask)
        .catch((error: unknown) => error)
      assert.partialDeepStrictEqual(errorData(error), {
        code: 'T_LLM',
        fields: { reason: 'not-json', retry: false },
      })
      assert.match((error as Error).message, /<html>Welcome/)
      assert.match((error as { cure: string }).cure, new RegExp(server.baseUrl))
      assert.equal(server.requests.length, 1)
    },
  ))

test('a wrong content type with a right body is read all the same', () =>
  served([{ text: 'fine', contentType: 'text/plain' }], async (model) => {
    assert.equal((await model.generate(ask)).text, 'fine')
  }))

for (const broken of ['closed', 'reset'] as const) {
  test(`a stream that is ${broken} before its end gives what came and then an error`, () =>
    served([{ chunks: ['half ', 'a '], broken }], async (model) => {
      const seen: string[] = []
      await assert.rejects(
        async () => {
          for await (const part of model.stream(ask)) {
            if (part.type === 'text-delta') seen.push(part.text)
          }
        },
        { name: 'Unavailable', code: 'T_LLM' },
      )
      assert.equal(seen.join(''), 'half a ')
    }))
}

test('a slow server is left when the signal fires, with its own reason', () =>
  served([{ hang: true }, { hang: true }], async (model, server) => {
    const stop = new AbortController()
    const plain = model.generate(ask, { signal: stop.signal })
    const streamed = collect(model.stream(ask, { signal: stop.signal }))
    await server.arrived(2)
    stop.abort(new Error('enough'))
    await assert.rejects(plain, /^Error: enough$/)
    await assert.rejects(streamed, /^Error: enough$/)
  }))

test('a reader that stops early lets the server go', () =>
  served([{ chunks: ['a ', 'b ', 'c '] }], async (model) => {
    for await (const part of model.stream(ask)) {
      assert.equal(part.type, 'text-delta')
      break
    }
  }))

test('nobody there: the error names the address and the way out', async () => {
  const server = await fakeOpenAiServer([])
  await server.close()
  const model = resolveModel('ollama/qwen', { baseUrls: { ollama: server.baseUrl } })
  await assert.rejects(model.generate(ask), {
    name: 'Unavailable',
    code: 'T_LLM',
    message: new RegExp(`^ollama/qwen at ${server.baseUrl} does not answer: .*ECONNREFUSED`),
    cure: 'Start it with "ollama serve", or set OLLAMA_HOST.',
  })
})

test('pictures arrive as image_url in their place between the texts', () =>
  served([{ text: 'red' }], async (model, server) => {
    const image = solidImage({ width: 8, height: 8 }, [250, 0, 0])
    const content = [
      { type: 'text' as const, text: 'Look:' },
      { type: 'image' as const, image },
    ]
    await model.generate({ messages: [{ role: 'user', content }] })
    const parts = asMessages(server)[0]?.content as readonly Record<string, unknown>[]
    assert.deepEqual(parts[0], { type: 'text', text: 'Look:' })
    assert.match(
      JSON.stringify(parts[1]),
      /^{"type":"image_url","image_url":{"url":"data:image\/jpeg;base64,/,
    )
  }))

test('pictures of tool results follow all results of the turn, as a turn of the user', () =>
  served([{ text: 'ok' }], async (model, server) => {
    const image = solidImage({ width: 8, height: 8 }, [0, 0, 250])
    const call = (id: string) => ({ id, name: 'CROP', args: { n: Number(id) } })
    await model.generate({
      messages: [
        { role: 'user', content: 'Crop twice.' },
        { role: 'assistant', content: '', toolCalls: [call('1'), call('2')] },
        { role: 'tool', callId: '1', name: 'CROP', content: 'a picture', pictures: [image] },
        { role: 'tool', callId: '2', name: 'CROP', content: 'no box', isError: true },
        { role: 'user', content: 'And now?' },
      ],
    })
    const messages = asMessages(server)
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'tool', 'user', 'user'],
    )
    assert.match(JSON.stringify(messages[4]), /image_url/)
    assert.doesNotMatch(JSON.stringify(messages.slice(0, 4)), /base64/)
  }))

test('arguments that are no JSON are passed on as text, for the checker to refuse', () =>
  served([{ toolCalls: [{ id: '1', name: 'LOC', args: '{"object": dog}' }] }], async (model) => {
    const tools = [{ name: 'LOC', about: 'finds', parameters: { type: 'object', properties: {} } }]
    const { toolCalls } = await model.generate({ ...ask, tools })
    assert.equal(toolCalls[0]?.args, '{"object": dog}')
  }))

test('a home server decodes by the schema; an unknown one gets it in the prompt', async () => {
  const schema = z.object({ n: z.number(), note: z.string().optional() })
  const answers = [{ text: '{"n": 3}' }]
  await served(
    answers,
    async (model, server) => {
      const { value } = await generateStructured(model, ask, schema, { name: 'count' })
      assert.deepEqual(value, { n: 3 })
      const { type, json_schema } = server.requests[0]?.body.response_format as Record<
        string,
        object
      >
      assert.equal(type, 'json_schema')
      // A property is optional, so the schema may not be called strict.
      assert.partialDeepStrictEqual(json_schema, { name: 'count', strict: false })
    },
    'lmstudio/tiny',
  )
  await served(answers, async (model, server) => {
    await generateStructured(model, ask, schema, { name: 'count' })
    assert.equal(server.requests[0]?.body.response_format, undefined)
    assert.match(String(asMessages(server)[0]?.content), /JSON Schema/)
  })
})

test('a grammar goes to a llama.cpp server, and to no other', async () => {
  const grammar = 'root ::= "yes" | "no"'
  await served(
    [{ text: 'yes' }],
    async (model, server) => {
      await model.generate({ ...ask, grammar })
      assert.equal(server.requests[0]?.body.grammar, grammar)
    },
    'llamacpp/tiny',
  )
  await served([{ text: 'yes' }], async (model, server) => {
    await model.generate({ ...ask, grammar })
    assert.ok(!('grammar' in (server.requests[0]?.body ?? {})))
  })
})

test('OPENAI_BASE_URL is spoken to by chat completions', () =>
  served(
    [{ text: 'hi' }],
    async (model, server) => {
      assert.equal((await model.generate(ask)).text, 'hi')
      assert.equal(server.requests[0]?.path, '/v1/chat/completions')
    },
    'openai/gpt-4.1-mini',
  ))

test('what was not scripted is refused', () =>
  served([], async (model) => {
    await assert.rejects(model.generate(ask), { code: 'T_LLM', message: /nothing is scripted/ })
  }))

/** Everything of an error that could be printed. */
function seenOf(error: unknown): object {
  const { message, stack, fields, cure, cause } = error as Error & { fields: object; cure: string }
  return { message, stack, fields, cure, cause: cause === undefined ? {} : seenOf(cause) }
}
