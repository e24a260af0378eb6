import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import type { ObjectRecord } from '../image/index.ts'
import { makeObject } from './args.ts'
import { NO_BACKENDS } from './backends.ts'
import { scriptedMatcher, testContext } from './scripted.ts'
import { select } from './select.ts'

const context = testContext()
const image = solidImage({ width: 100, height: 80 }, [5, 5, 5])

const named = (category: string, x: number, rest: Partial<ObjectRecord> = {}): ObjectRecord => ({
  ...makeObject({ box: [x, 0, x + 10, 10], category, score: 0.9 }, image, context),
  ...rest,
})

async function run(
  objects: readonly ObjectRecord[],
  query: string | readonly string[],
  script: Readonly<Record<string, readonly (number | null)[]>> = {},
  category: string | null = null,
): Promise<{ readonly ids: readonly string[]; readonly codes: readonly string[] }> {
  const matchers = [scriptedMatcher(script)]
  const args = { image, object: objects, query, category }
  const result = await select({ ...NO_BACKENDS, matchers }).run(args, context)
  return {
    ids: (result.value as readonly ObjectRecord[]).map((one) => one.id),
    codes: (result.notices ?? []).map((notice) => notice.code),
  }
}

test('G12: a repeated query takes every object of the name once', async () => {
  const [a, b, c] = [named('dog', 0), named('cat', 20), named('dog', 40)]
  assert.deepEqual(await run([a, b, c], ' dog,,Dog '), { ids: [a.id, c.id], codes: [] })
})

test('G13: names match in singular and without panoptic endings', async () => {
  const bench = named('bench', 0)
  const grass = named('grass', 20, { label: 'grass-merged' })
  assert.deepEqual((await run([bench, grass], 'benches')).ids, [bench.id])
  assert.deepEqual((await run([bench, grass], 'grass')).ids, [grass.id])
})

test('items without a namesake are paired one to one by similarity', async () => {
  const [a, b, c] = [named('person', 0), named('person', 20), named('dog', 40)]
  const script = { 'man in black': [0.2, 0.6, 0.1], 'woman in red': [0.3, 0.7, 0.1] }
  // The better pair is woman and b, so the man gets the best of the rest.
  assert.deepEqual((await run([a, b, c], 'man in black, woman in red', script)).ids, [a.id, b.id])
})

test('output follows the order of the query, and no object comes twice', async () => {
  const [dog, cat] = [named('dog', 0), named('cat', 20)]
  assert.deepEqual((await run([dog, cat], 'cat, dog')).ids, [cat.id, dog.id])
  const script = { pet: [0.9, 0.8] }
  assert.deepEqual((await run([dog, cat], ['dog', 'pet'], { pet: [0.8] })).ids, [dog.id, cat.id])
  assert.deepEqual((await run([dog], 'dog, pet', script)).ids, [dog.id])
})

test('with a category only objects of exactly that name are candidates, chosen by similarity', async () => {
  const [dog, hotdog, other] = [named('dog', 0), named('hot dog', 20), named('dog', 40)]
  const script = { dog: [0.1, 0.9] }
  assert.deepEqual((await run([dog, hotdog, other], 'dog', script, 'dog')).ids, [other.id])
})

test('ties go to the earlier item and the earlier object', async () => {
  const [a, b] = [named('x', 0), named('x', 20)]
  const script = { p: [0.5, 0.5], q: [0.5, 0.5] }
  assert.deepEqual((await run([a, b], 'q, p', script)).ids, [a.id, b.id])
})

test('nothing to choose from and too few objects are told', async () => {
  assert.deepEqual(await run([], 'dog'), { ids: [], codes: ['N_EMPTY_SELECTION'] })
  const cat = named('cat', 0)
  assert.deepEqual(await run([cat], 'dog', { dog: [null] }), {
    ids: [],
    codes: ['N_EMPTY_SELECTION'],
  })
  assert.deepEqual(await run([cat], 'cat, dog'), { ids: [cat.id], codes: ['N_SHORT_SELECTION'] })
})

test('a word that no matcher knows is an error, not an empty selection', async () => {
  await assert.rejects(run([named('cat', 0)], 'kettle'), { code: 'T_UNAVAILABLE' })
})
