import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Demonstration } from './demonstration.ts'
import type { SentenceEncoder } from './encoder.ts'
import { memoryDemonstrations } from './memory-demonstrations.ts'
import { createRetriever } from './retrieve.ts'

const demonstration = (id: string, more: Partial<Demonstration> = {}): Demonstration => ({
  id,
  family: 'gqa',
  instruction: id,
  plan: `1. ${id}`,
  program: `A=VQA(image=IMAGE,question='${id}')`,
  verdict: 'right',
  score: 0,
  origin: 'run',
  ...more,
})

/** Dense vectors in the plane at the given cosine to the question `q`. */
function planeEncoder(cosines: Readonly<Record<string, number>>): SentenceEncoder & {
  readonly seen: string[]
} {
  const seen: string[] = []
  return {
    name: 'plane',
    version: '1',
    seen,
    encode: async (sentences) =>
      sentences.map((sentence) => {
        seen.push(sentence)
        const c = cosines[sentence] ?? 1
        return new Float32Array([c, Math.sqrt(1 - c * c)])
      }),
  }
}

const query = { family: 'gqa', instruction: 'q', kind: 'program', verdict: 'right', k: 4 } as const

test('L4: of five examples the four nearest are given, from the least to the most similar', async () => {
  const cosines = { a: 0.1, b: 0.9, c: 0.5, d: 0.7, e: 0.3 }
  const pool = memoryDemonstrations(Object.keys(cosines).map((id) => demonstration(id)))
  const found = await createRetriever({ pool, encoder: planeEncoder(cosines) }).nearest(query)
  assert.deepEqual(
    found.map(({ similarity }) => Number(similarity.toFixed(3))),
    [0.3, 0.5, 0.7, 0.9],
  )
})

test('fewer examples than asked for are all given', async () => {
  const pool = memoryDemonstrations([demonstration('how many dogs')])
  const found = await createRetriever({ pool }).nearest(query)
  assert.equal(found.length, 1)
})

test('of equally similar examples the better scored stands nearer, then the older id', async () => {
  const pool = memoryDemonstrations([
    demonstration('b', { score: 1 }),
    demonstration('c', { score: 5 }),
    demonstration('a', { score: 1 }),
  ])
  const encoder = planeEncoder({ a: 0.5, b: 0.5, c: 0.5 })
  const found = await createRetriever({ pool, encoder }).nearest(query)
  assert.deepEqual(
    found.map((one) => one.demonstration.id),
    ['b', 'a', 'c'],
  )
})

test('near-duplicates with the same program are one, and the better scored stays', async () => {
  const program = 'the same'
  const pool = memoryDemonstrations([
    demonstration('a', { program, score: 1 }),
    demonstration('b', { program, score: 3 }),
    demonstration('c', { score: 2 }),
  ])
  const encoder = planeEncoder({ a: 0.9, b: 0.9, c: 0.9 })
  const found = await createRetriever({ pool, encoder }).nearest(query)
  assert.deepEqual(
    found.map((one) => one.demonstration.id),
    ['c', 'b'],
  )
})

test('only the asked set is searched: family, kind, verdict, confirmed, not voted down', async () => {
  const pool = memoryDemonstrations([
    demonstration('other family', { family: 'nlvr' }),
    demonstration('wrong', { verdict: 'wrong', critique: 'no' }),
    demonstration('plan only', { program: undefined }),
    demonstration('unverified', { unverified: true }),
    demonstration('voted down', { score: -3 }),
    demonstration('good'),
  ])
  const retriever = createRetriever({ pool })
  const ids = async (more: object): Promise<string[]> =>
    (await retriever.nearest({ ...query, ...more })).map((one) => one.demonstration.id)
  assert.deepEqual(await ids({}), ['good'])
  assert.deepEqual(await ids({ verdict: 'wrong' }), ['wrong'])
  assert.deepEqual((await ids({ kind: 'plan' })).sort(), ['good', 'plan only'])
})

test('a demonstration added at run time is found, and only new ones are encoded', async () => {
  const pool = memoryDemonstrations([demonstration('a')])
  const encoder = planeEncoder({ a: 0.2, b: 0.8 })
  const retriever = createRetriever({ pool, encoder })
  await retriever.nearest(query)
  await pool.put(demonstration('b'))
  const found = await retriever.nearest(query)
  assert.equal(found.at(-1)?.demonstration.id, 'b')
  assert.deepEqual(encoder.seen, ['a', 'q', 'b', 'q'])
  await pool.remove('b')
  assert.equal((await retriever.nearest(query)).length, 1)
})

test('the lexical ranking prefers the instruction of the same form', async () => {
  const pool = memoryDemonstrations([
    demonstration('What colour is the dog?'),
    demonstration('How many cats are there?'),
    demonstration('Is there a dog?'),
  ])
  const found = await createRetriever({ pool }).nearest({
    ...query,
    instruction: 'How many dogs are there?',
  })
  assert.equal(found.at(-1)?.demonstration.id, 'How many cats are there?')
})
