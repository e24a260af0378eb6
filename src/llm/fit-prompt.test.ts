import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import { fitPrompt } from './fit-prompt.ts'
import type { Message } from './model.ts'
import { costOf, priceOf } from './prices.ts'
import { countTokens, estimateTokens } from './tokens.ts'

const build = (examples: readonly string[]): readonly Message[] => [
  { role: 'user', content: [...examples, 'the instruction'].join('\n') },
]
const examples = ['far '.repeat(50), 'near '.repeat(50), 'nearest '.repeat(50)]

test('the least similar examples go first and the instruction never', async () => {
  const { kept, dropped, messages, tokens } = await fitPrompt(examples, {
    ...{ build, contextTokens: 200, maxTokens: 80 },
  })
  assert.deepEqual([kept, dropped], [examples.slice(1), 1])
  assert.match(String(messages[0]?.content), /the instruction$/)
  assert.ok((tokens ?? Infinity) <= 120)
})

test('without a known window nothing is dropped', async () => {
  const { kept, tokens } = await fitPrompt(examples, {
    build,
    contextTokens: undefined,
    maxTokens: 80,
  })
  assert.deepEqual([kept, tokens], [examples, undefined])
})

test('an instruction that is too long by itself is told', async () => {
  await assert.rejects(fitPrompt(examples, { build, contextTokens: 90, maxTokens: 88 }), {
    code: 'E_MODEL_CONTEXT',
    message: /has room for 2\./,
  })
})

test('tokens are counted for any text, special ones included', async () => {
  assert.equal(await countTokens(''), 0)
  assert.equal(await countTokens('hello world'), 2)
  assert.ok((await countTokens('<|endoftext|>')) > 1)
})

test('a picture counts by its area', async () => {
  const image = solidImage({ width: 750, height: 10 }, [0, 0, 0])
  const empty = await estimateTokens([{ role: 'user', content: '' }])
  const seen = await estimateTokens([{ role: 'user', content: [{ type: 'image', image }] }])
  assert.equal(seen - empty, 10)
})

test('the longest key that fits a model gives its price', () => {
  const prices = {
    'ollama/*': { input: 0, output: 0 },
    'openai/*': { input: 1, output: 2 },
    'openai/gpt-4.1': { input: 3, output: 4 },
    'openai/gpt-4*': { input: 5, output: 6 },
  }
  assert.deepEqual(priceOf('openai/gpt-4.1', prices), { input: 3, output: 4 })
  assert.deepEqual(priceOf('openai/gpt-4o', prices), { input: 5, output: 6 })
  assert.deepEqual(priceOf('openai/o3', prices), { input: 1, output: 2 })
  assert.equal(priceOf('google/x', prices), undefined)
  const usage = { inputTokens: 1_000_000, outputTokens: 500_000 }
  assert.equal(costOf(usage, { input: 3, output: 4 }), 5)
})
