import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createImage, createObject, maskArea, maskFromBox } from '../../../image/index.ts'
import type { Box, Image } from '../../../image/index.ts'
import { createToolbox } from '../../toolbox.ts'
import type { PromptAsk } from '../../learnt-prompts.ts'
import { testContext } from '../../scripted.ts'
import { starterBackends } from './starter-backends.ts'
import { knownNames } from './names.ts'

/** A ground with soft squares: a picture that shows nothing by name, the same on every machine. */
function ground(width = 256, height = 256): Image {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = ((x >> 5) + (y >> 5)) % 2 === 0 ? 90 : 160
      data.set([shade, shade + 30, 200 - shade / 2], (y * width + x) * 3)
    }
  }
  return createImage(data, width, height)
}

const image = ground()
const starter = starterBackends()
after(() => starter.close())
const toolbox = createToolbox({ backends: starter.backends })

function objectAt(box: Box, given = image) {
  const mask = maskFromBox(box, given.height, given.width)
  const made = createObject({ id: 'o1', box, category: 'thing', score: 1, mask }, given)
  assert.ok(made !== undefined)
  return made
}

test('every tool of the papers that can learn says what it runs on, and what it cannot', () => {
  const { backends } = starter
  const { detectors, segmenters, matchers, answerers, captioners, fillers } = backends
  for (const [one] of [detectors, segmenters, matchers, answerers, captioners, fillers]) {
    assert.ok(one !== undefined)
    assert.match(one.name, /^starter\//)
    assert.match(one.cannot.join(' '), /photographs/)
  }
})

test('a word that was never learnt is looked for and told', async () => {
  const found = await toolbox.call('LOC', { image, object: 'gorilla' }, testContext())
  assert.deepEqual(
    found.notices?.map(({ code }) => code),
    ['N_NEW_WORD'],
  )
})

test('a kind is read as its members, by the table or by WordNet', async () => {
  const [detector] = starter.backends.detectors
  const reading = await detector?.vocabulary.read('vehicles')
  assert.ok(reading?.known === true && reading.words.includes('bus'))
  assert.equal(reading.notices.length, 0)
  const wider = await detector?.vocabulary.read('big cats')
  assert.ok(wider?.known === true && wider.words.includes('tiger'))
  assert.equal(wider.notices[0]?.code, 'N_WORD')
})

test('FACEDET and OCR have no back end and say so in words', async () => {
  for (const name of ['FACEDET', 'OCR']) {
    await assert.rejects(toolbox.call(name, { image }, testContext()), {
      code: 'T_UNAVAILABLE',
      message: new RegExp(`^${name} has no back end here`),
    })
  }
})

test('the answerer answers in words, and the captioner without a question', async () => {
  const { value } = await toolbox.call('VQA', { image, question: 'What is this?' }, testContext())
  assert.ok(typeof value === 'string' && value.length > 0)
  const caption = await toolbox.call('CAPTION', { image }, testContext())
  assert.match(String(caption.value), /^A picture with .+\.$/)
})

test('SELECT takes what its name says, and CLASSIFY gives each class its best object', async () => {
  const objects = [objectAt([10, 10, 90, 90]), objectAt([120, 120, 220, 230])]
  const selected = await toolbox.call(
    'SELECT',
    { image, object: objects, query: 'fox', category: null },
    testContext(),
  )
  assert.ok(Array.isArray(selected.value) && selected.value.length === 1)
  const args = { image, object: objects, categories: 'fox, bus' }
  const classified = await toolbox.call('CLASSIFY', args, testContext())
  const classes = (classified.value as unknown as { class?: string }[]).map((one) => one.class)
  assert.ok(classes.length >= 1 && classes.every((name) => name === 'fox' || name === 'bus'))
})

test('REPLACE paints inside the mask only, and the same with the same random numbers', async () => {
  const object = objectAt([80, 80, 140, 150])
  const args = { image, object: [object], prompt: 'a fox' }
  const [first, again] = await Promise.all([
    toolbox.call('REPLACE', args, testContext()),
    toolbox.call('REPLACE', args, testContext()),
  ])
  const made = first.value as Image
  assert.deepEqual(made.data, (again.value as Image).data)
  let [inside, outside] = [0, 0]
  for (let y = 0; y < 256; y++) {
    for (let x = 0; x < 256; x++) {
      const i = (y * 256 + x) * 3
      const same = [0, 1, 2].every((c) => made.data[i + c] === image.data[i + c])
      if (same) continue
      if (x >= 80 && x < 140 && y >= 80 && y < 150) inside++
      else outside++
    }
  }
  assert.equal(outside, 0)
  assert.ok(inside > maskArea(maskFromBox([80, 80, 140, 150], 256, 256)) / 2)
})

test('prompts are asked for by tool, concept and model, act when given, and are told', async () => {
  const asked: PromptAsk[] = []
  const shapes: Readonly<Record<string, readonly number[]>> = { SELECT: [3, 10, 192] }
  const learnt = {
    near: async (ask: PromptAsk) => {
      asked.push(ask)
      const shape = shapes[ask.tool]
      if (shape === undefined) return []
      const size = shape.reduce((all, one) => all * one, 1)
      const values = Float32Array.from({ length: size }, (_, i) => Math.sin(i))
      const use = { lesson: 'l1', version: 1, concept: 'fox', prompt: 'p1', weight: 1 }
      return [{ use, weight: 1, values, shape }]
    },
  }
  const taught = starterBackends({ models: starter.models, learnt })
  const objects = [objectAt([10, 10, 90, 90])]
  const [plain] = (await starter.backends.matchers[0]?.match(image, objects, ['fox'])) ?? []
  const [prompted] = (await taught.backends.matchers[0]?.match(image, objects, ['fox'])) ?? []
  assert.ok(plain?.known === true && prompted?.known === true)
  assert.notEqual(plain.scores[0], prompted.scores[0])
  assert.deepEqual(
    prompted.uses?.map(({ lesson }) => lesson),
    ['l1'],
  )
  assert.equal(asked[0]?.tool, 'SELECT')
  assert.equal(asked[0]?.concept, 'fox')
  assert.equal(asked[0]?.feature.length, 192)
})

test('each learnable model has a graph, an injection and a hash of its files', async () => {
  const learnables = await starter.learnables()
  assert.deepEqual(
    learnables.map(({ kind }) => kind),
    ['encoder', 'detector', 'segmenter', 'answerer', 'filler'],
  )
  for (const one of learnables) {
    assert.match(one.hash, /^[0-9a-f]{64}$/)
    assert.ok((await one.model()).graph.nodes.length > 10)
  }
})

test('a learnt vector begins at the head noun of its concept', async () => {
  const filler = (await starter.learnables()).find((one) => one.kind === 'filler')
  const fox = await filler?.startVector('fox')
  assert.deepEqual(await filler?.startVector('red fox'), fox)
  assert.ok(fox !== undefined && fox.length === 192 && fox.some((value) => value !== 0))
})

test('the table of names holds no new concept and reads plurals and articles', () => {
  const names = knownNames()
  assert.ok(names.all.length > 400)
  assert.equal(names.named('the foxes')?.id, 'fox')
  assert.equal(names.named('gorilla'), undefined)
  assert.ok(names.kind('mammals').some(({ id }) => id === 'fox'))
})
