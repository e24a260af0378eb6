import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cropImage, decodePicture, iou } from '../../../image/index.ts'
import type { Box, Image, ObjectRecord } from '../../../image/index.ts'
import type { ToolResult, Value } from '../../../program/index.ts'
import { testContext } from '../../scripted.ts'
import type { Taught, TaughtAnswer, TaughtExample } from '../../taught.ts'
import { NOTHING_TAUGHT } from '../../taught.ts'
import { createToolbox } from '../../toolbox.ts'
import { questionKey } from './exemplars.ts'
import { photoBackends } from './photo-backends.ts'

const cacheDir = await mkdtemp(join(tmpdir(), 'pupil-exemplars-'))
let taught: Taught = NOTHING_TAUGHT
const photo = photoBackends({ cacheDir, taught: async () => taught })
const plain = photoBackends({ cacheDir, models: photo.models })
const [learning, unlearnt] = [photo, plain].map(({ backends }) => createToolbox({ backends }))
after(async () => {
  await photo.close()
  await rm(cacheDir, { recursive: true })
})

async function load(name: string): Promise<Image> {
  const path = new URL(`../../../../test/fixtures/photos/${name}.jpg`, import.meta.url)
  return (await decodePicture(await readFile(path), { maxSide: 960 })).image
}

const bakery = await load('bakery')
const coffee = await load('coffee')
const cat = await load('chelsea')
const teddy = await load('teddy')

const call = async (
  toolbox: typeof learning,
  tool: string,
  args: Readonly<Record<string, Value>>,
): Promise<ToolResult> => {
  assert.ok(toolbox)
  return toolbox.call(tool, args, testContext({ family: 'gqa' }))
}
const loc = (image: Image, object: string) => call(learning, 'LOC', { image, object })
const boxes = (result: ToolResult): readonly ObjectRecord[] => result.value as ObjectRecord[]

let count = 0
async function example(image: Image, box: Box, positive = true): Promise<TaughtExample> {
  const feature = await photo.features.embed(image, box)
  const encoder = photo.features.name
  const id = `e${++count}`
  return { id, lesson: 'l1', version: 1, positive, encoder, feature, picture: image.hash, box }
}

const teach = (name: string, examples: readonly TaughtExample[]): void => {
  taught = { things: new Map([[name, examples]]), answers: new Map() }
}

/** Pieces of pastry as the detector sees them: three to learn from, cut out, and the others. */
const donuts = boxes(await loc(bakery, 'donut'))
const [lesson, others] = [donuts.slice(0, 3), donuts.slice(3)]
const shown = lesson.map(({ box }) => cropImage(bakery, box))

test('three pictures of a new kind of thing: it is found elsewhere, and in no other picture', async () => {
  teach(
    'cruller',
    await Promise.all(shown.map((crop) => example(crop, [0, 0, crop.width, crop.height]))),
  )
  const found = await loc(bakery, 'crullers')
  assert.ok(others.length >= 1)
  const again = others.filter(({ box }) => boxes(found).some((one) => iou(one.box, box) > 0.5))
  assert.ok(again.length >= others.length - 1, `${again.length} of ${others.length}`)
  assert.deepEqual(found.prompts?.map(({ lesson, concept }) => [lesson, concept])[0], [
    'l1',
    'crullers',
  ])
  for (const picture of [coffee, cat, teddy])
    assert.deepEqual(boxes(await loc(picture, 'cruller')), [])
  const answer = await call(learning, 'VQA', { image: cat, question: 'Is there a cruller?' })
  assert.equal(answer.value, 'no')
  const counted = await call(learning, 'VQA', {
    image: bakery,
    question: 'How many crullers are there?',
  })
  assert.ok(Number(counted.value) >= donuts.length - 1, String(counted.value))
  assert.ok((counted.prompts?.length ?? 0) > 0, 'the answer carries its receipt')
})

test('SELECT and CLASSIFY know what was taught', async () => {
  const picked = await call(learning, 'CLASSIFY', {
    image: bakery,
    object: donuts,
    categories: 'cruller',
  })
  assert.ok(boxes(picked).length >= donuts.length - 1)
  assert.equal(boxes(picked)[0]?.class, 'cruller')
  const [cup] = boxes(await loc(coffee, 'cup'))
  assert.ok(cup)
  const none = await call(learning, 'CLASSIFY', {
    image: coffee,
    object: [cup],
    categories: 'cruller',
  })
  assert.deepEqual(none.value, [])
})

test('a concept that was not taught leaves every tool bit for bit as it was', async () => {
  const calls: readonly (readonly [string, Readonly<Record<string, Value>>])[] = [
    ['LOC', { image: cat, object: 'cat' }],
    ['LOC', { image: bakery, object: 'donut on the left' }],
    ['VQA', { image: coffee, question: 'How many cups are there?' }],
    ['SELECT', { image: bakery, object: donuts, query: 'donut' }],
    ['CLASSIFY', { image: bakery, object: donuts, categories: 'donut,cup' }],
  ]
  for (const [tool, args] of calls) {
    assert.deepEqual(await call(learning, tool, args), await call(unlearnt, tool, args), tool)
  }
  const refusals = [learning, unlearnt].map((toolbox) =>
    call(toolbox, 'LOC', { image: cat, object: 'zeppelin' }).catch((error: Error) => error.message),
  )
  assert.equal(await refusals[0], await refusals[1])
  teach('cruller', [])
  await assert.rejects(
    loc(bakery, 'cruller'),
    { code: 'T_UNAVAILABLE' },
    'forgotten is unknown again',
  )
})

test('what a person says is not there stays away, and the rest stays', async () => {
  const [first, ...rest] = donuts
  assert.ok(first)
  teach('donut', [await example(bakery, first.box, false)])
  const left = boxes(await loc(bakery, 'donut'))
  assert.ok(left.every((one) => iou(one.box, first.box) < 0.5))
  const like = left.filter((one) => rest.some(({ box }) => iou(box, one.box) > 0.5))
  assert.ok(like.length < rest.length + 1)
})

test('a place that a person showed is found there, whatever the detector thinks', async () => {
  const box: Box = [30, 20, 200, 160]
  teach('sky', [await example(teddy, box)])
  const found = boxes(await loc(teddy, 'sky'))
  assert.deepEqual([found[0]?.box, found[0]?.score], [box, 1])
})

test('an answer of a person comes before the tool for the same picture, and for no other', async () => {
  const whole: Box = [0, 0, cat.width, cat.height]
  const given: TaughtAnswer = { ...(await example(cat, whole)), answer: 'A tabby.' }
  const question = 'What breed is it?'
  taught = { things: new Map(), answers: new Map([[questionKey(question), [given]]]) }
  const answer = await call(learning, 'VQA', { image: cat, question: 'what breed is it' })
  assert.deepEqual([answer.value, answer.prompts?.[0]?.lesson], ['a tabby', 'l1'])
  await assert.rejects(call(learning, 'VQA', { image: coffee, question }), {
    code: 'T_UNAVAILABLE',
  })
})
