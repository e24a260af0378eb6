import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solidImage } from '../image/index.ts'
import type { Box, ObjectRecord } from '../image/index.ts'
import type { ToolResult } from '../program/index.ts'
import { NO_BACKENDS } from './backends.ts'
import type { Finding } from './backends.ts'
import { loc } from './loc.ts'
import { scriptedDetector, testContext } from './scripted.ts'
import { DEFAULT_SETTINGS } from './settings.ts'

const find = (box: Box, score: number): Finding => ({ box, score, name: 'thing' })

async function run(
  object: string,
  script: Readonly<Record<string, readonly Finding[]>>,
  options: { width?: number; height?: number; family?: string; threshold?: number } = {},
): Promise<ToolResult & { readonly boxes: readonly Box[]; readonly codes: readonly string[] }> {
  const { width = 100, height = 80, family = 'gqa', threshold = 0.1 } = options
  const detectors = [scriptedDetector(script, { threshold })]
  const tool = loc({ ...NO_BACKENDS, detectors }, DEFAULT_SETTINGS)
  const image = solidImage({ width, height }, [9, 9, 9])
  const result = await tool.run({ image, object }, testContext({ family }))
  const objects = result.value as readonly ObjectRecord[]
  return {
    ...result,
    boxes: objects.map((one) => one.box),
    codes: (result.notices ?? []).map((notice) => notice.code),
  }
}

test('G1: side words in capitals give half pictures without a search', async () => {
  assert.deepEqual((await run('TOP', {})).boxes, [[0, 0, 100, 40]])
  assert.deepEqual((await run('RIGHT', {})).boxes, [[50, 0, 100, 80]])
  const odd = { width: 101, height: 81 }
  assert.deepEqual((await run('TOP', {}, odd)).boxes, [[0, 0, 101, 41]])
  assert.deepEqual((await run('RIGHT', {}, odd)).boxes, [[50, 0, 101, 81]])
  const half = (await run('LEFT', {})).value as readonly ObjectRecord[]
  assert.equal(half[0]?.score, 1)
})

test('G6: a box whose overlap is exactly the limit goes, one below it stays', async () => {
  const found = [find([0, 0, 10, 4], 0.7), find([0, 0, 10, 10], 0.9), find([0, 0, 10, 5], 0.8)]
  const { boxes } = await run('dog', { dog: found })
  assert.deepEqual(boxes, [
    [0, 0, 10, 10],
    [0, 0, 10, 4],
  ])
})

test('G7: a score at the threshold goes, the next 32-bit number stays', async () => {
  const bits = new Float32Array([0.1])
  new Uint32Array(bits.buffer)[0]! += 1
  const above = bits[0] as number
  const { boxes } = await run('dog', {
    dog: [find([0, 0, 5, 5], 0.1), find([20, 0, 25, 5], above)],
  })
  assert.deepEqual(boxes, [[20, 0, 25, 5]])
})

test('G8: raw boxes are rounded outward and clipped', async () => {
  const { boxes } = await run(
    'dog',
    { dog: [find([-3.2, 1.5, 20.01, 9], 0.5)] },
    { width: 20, height: 10 },
  )
  assert.deepEqual(boxes, [[0, 1, 20, 9]])
})

test('G11: a side word in lower case is searched for first', async () => {
  const garment = await run('top', { top: [find([3, 3, 20, 20], 0.5)] })
  assert.deepEqual(garment.boxes, [[3, 3, 20, 20]])
  assert.deepEqual(garment.codes, [])
  const nothing = await run('top', { top: [] })
  assert.deepEqual(nothing.boxes, [[0, 0, 100, 40]])
  assert.deepEqual(nothing.codes, ['N_SIDE_WORD'])
  const unknown = await run('top', { dog: [] })
  assert.deepEqual(unknown.codes, ['N_SIDE_WORD'])
})

test('tagging has no side words', async () => {
  await assert.rejects(run('TOP', { dog: [] }, { family: 'tagging' }), { code: 'T_UNAVAILABLE' })
})

test('boxes come best first, ties from top to bottom, then from left to right', async () => {
  const found = [
    find([50, 50, 60, 60], 0.5),
    find([70, 10, 80, 20], 0.5),
    find([10, 10, 20, 20], 0.5),
    find([30, 60, 40, 70], 0.9),
  ]
  const { boxes } = await run('a dog', { dog: found })
  assert.deepEqual(
    boxes.map((box) => box[0]),
    [30, 10, 70, 50],
  )
})

test('a known word that is not seen gives an empty list, an unknown one an error', async () => {
  assert.deepEqual((await run('dog', { dog: [] })).boxes, [])
  await assert.rejects(run('tulip', { dog: [] }), {
    code: 'T_UNAVAILABLE',
    message: 'LOC does not know the word "tulip". The nearest words that it knows: dog.',
  })
})

test('an unknown word goes on to the next detector, and the concept is recorded', async () => {
  const second = scriptedDetector({ tulip: [find([1, 1, 9, 9], 0.9)] })
  const detectors = [scriptedDetector({ dog: [] }), second]
  const tool = loc({ ...NO_BACKENDS, detectors }, DEFAULT_SETTINGS)
  const image = solidImage({ width: 20, height: 20 }, [0, 0, 0])
  const result = await tool.run({ image, object: 'tulip' }, testContext())
  assert.equal((result.value as readonly ObjectRecord[]).length, 1)
  assert.deepEqual(result.concepts, ['tulip'])
  assert.deepEqual(second.calls, ['tulip'])
})

test('without a back end LOC says so', async () => {
  const tool = loc(NO_BACKENDS, DEFAULT_SETTINGS)
  const image = solidImage({ width: 20, height: 20 }, [0, 0, 0])
  await assert.rejects(tool.run({ image, object: 'dog' }, testContext()), {
    code: 'T_UNAVAILABLE',
    kind: 'UserFault',
  })
})
