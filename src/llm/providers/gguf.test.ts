import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { solidImage } from '../../image/index.ts'
import type { ModelRequest } from '../model.ts'
import { ggufModel } from './gguf.ts'
import type { GgufModel } from './gguf.ts'

const ask: ModelRequest = { messages: [{ role: 'user', content: 'one two three' }] }

/** Stands in for node-llama-cpp: tokens are words; it replies with what it was given, as JSON. */
const RUNTIME = `
export const getLlama = async (options) => ({
  loadModel: async () => ({
    trainContextSize: 80,
    tokenize: (text) => text.split(' '),
    createContext: async ({ contextSize }) => ({ contextSize, getSequence: () => ({}) }),
  }),
  createGrammar: async ({ grammar }) => {
    if (!grammar.includes('::=')) throw new Error('Failed to parse grammar')
    return { grammar }
  },
  createGrammarForJsonSchema: async (schema) => {
    if (schema.anyOf) throw new Error('anyOf is not supported')
    return { schema }
  },
  getGrammarFor: async (kind) => ({ kind }),
  dispose: async () => {},
})
let running = 0
export class LlamaChat {
  async generateResponse(history, { onTextChunk, onToken, signal, grammar, maxTokens, temperature }) {
    if (++running > 1) throw new Error('two at once')
    await new Promise((resolve) => setImmediate(resolve))
    running--
    signal.throwIfAborted()
    const response = JSON.stringify({ history, grammar, maxTokens, temperature })
    for (const part of [response.slice(0, 9), response.slice(9)]) { onTextChunk(part); onToken([1]) }
    return { response, metadata: { stopReason: maxTokens < 20 ? 'maxTokens' : 'eogToken' } }
  }
}
`

async function withRuntime(
  work: (model: GgufModel, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-gguf-'))
  try {
    await writeFile(join(folder, 'runtime.mjs'), RUNTIME)
    await writeFile(join(folder, 'tiny.gguf'), 'GGUF')
    const modulePath = join(folder, 'runtime.mjs')
    await work(ggufModel(join(folder, 'tiny.gguf'), { modulePath }), folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
const said = (text: string) => JSON.parse(text) as Record<string, unknown>

test('a GGUF model writes from our messages, counts tokens and goes by the file', () =>
  withRuntime(async (model) => {
    const reply = await model.generate({
      maxTokens: 18,
      messages: [
        { role: 'system', content: 'Be short.' },
        ...ask.messages,
        { role: 'assistant', content: 'yes' },
        { role: 'tool', callId: '1', name: 'LOC', content: 'a dog' },
      ],
    })
    assert.deepEqual(said(reply.text).history, [
      { type: 'system', text: 'Be short.' },
      { type: 'user', text: 'one two three' },
      { type: 'model', response: ['yes'] },
      { type: 'user', text: 'Result of LOC:\na dog' },
      { type: 'model', response: [] },
    ])
    assert.deepEqual(
      [reply.model, reply.finish, reply.usage.outputTokens],
      ['gguf/tiny.gguf', 'length', 2],
    )
  }))

test('a reply gets the room that the window leaves, and a prompt without room is refused', () =>
  withRuntime(async (model) => {
    // 80 tokens of the file's own window, less 3 words and 12 around them.
    assert.equal(said((await model.generate(ask)).text).maxTokens, 65)
    assert.equal(said((await model.generate({ ...ask, maxTokens: 30 })).text).maxTokens, 30)
    const long: ModelRequest = { messages: [{ role: 'user', content: 'word '.repeat(60) }] }
    await assert.rejects(model.generate(long), { code: 'E_MODEL_CONTEXT' })
  }))

test('decoding follows a grammar, or a schema, or any JSON with a warning', () =>
  withRuntime(async (model) => {
    const grammar = 'root ::= "yes"'
    assert.deepEqual(said((await model.generate({ ...ask, grammar })).text).grammar, { grammar })
    const plain = { name: 'a', json: { type: 'object' } }
    assert.deepEqual(said((await model.generate({ ...ask, schema: plain })).text).grammar, {
      schema: plain.json,
    })
    const odd = await model.generate({ ...ask, schema: { name: 'b', json: { anyOf: [] } } })
    assert.deepEqual(said(odd.text).grammar, { kind: 'json' })
    assert.match(odd.warnings?.[0] ?? '', /the schema b is not followed/)
    await assert.rejects(model.generate({ ...ask, grammar: 'nonsense' }), {
      name: 'Bug',
      code: 'E_GRAMMAR',
    })
  }))

test('replies are written one after another, and a stopped one does not stop the next', () =>
  withRuntime(async (model) => {
    const stop = new AbortController()
    const first = model.generate(ask)
    const second = model.generate(ask, { signal: stop.signal })
    const third = model.generate(ask)
    stop.abort(new Error('enough'))
    await assert.rejects(second, /enough/)
    assert.equal((await first).text, (await third).text)
    await model.close()
  }))

test('a streamed reply comes in pieces', () =>
  withRuntime(async (model) => {
    const types: string[] = []
    for await (const part of model.stream(ask)) types.push(part.type)
    assert.deepEqual(types, ['text-delta', 'text-delta', 'finish'])
  }))

test('pictures and tools are refused with a way out', async () => {
  const model = ggufModel('any.gguf')
  const image = solidImage({ width: 2, height: 2 }, [0, 0, 0])
  await assert.rejects(
    model.generate({ messages: [{ role: 'user', content: [{ type: 'image', image }] }] }),
    {
      code: 'E_MODEL_VISION',
    },
  )
  const tools = [{ name: 'LOC', about: '', parameters: {} }]
  await assert.rejects(model.generate({ ...ask, tools }), { code: 'E_MODEL_TOOLS' })
})

test('without the runtime the error names the command that installs it', () =>
  withRuntime(async (_, folder) => {
    const model = ggufModel(join(folder, 'tiny.gguf'), { modulePath: join(folder, 'absent.mjs') })
    await assert.rejects(model.generate(ask), {
      name: 'Unavailable',
      code: 'E_NOT_INSTALLED',
      cure: 'Install it with "npm install node-llama-cpp@3.21.1".',
    })
  }))

test('a missing model file is named', async () => {
  await assert.rejects(ggufModel('no/such.gguf').generate(ask), {
    name: 'UserFault',
    code: 'E_MODEL_FILE',
    message: 'There is no model file no/such.gguf.',
  })
})
