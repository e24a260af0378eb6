import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unavailable, UserFault } from '../base/index.ts'
import { seededRandom } from '../base/index.ts'
import { pixelAt } from '../image/index.ts'
import { fakeClock } from '../testing/index.ts'
import { requestPictures, requestText } from './messages.ts'
import type { ModelRequest } from './model.ts'
import { boxPicture, numberPicture, PROBE_COLOURS } from './probe-picture.ts'
import { probeModel } from './probe.ts'
import { scriptedModel } from './scripted.ts'
import type { ScriptLine } from './scripted.ts'

const clock = fakeClock()
const options = (seed: number) => ({ clock, random: seededRandom(seed), contextUpTo: 2000 })
const remembers = (request: ModelRequest): string =>
  /Remember the number (\d+)/.exec(requestText(request))?.[1] ?? 'nothing'
const callsLookUp: ScriptLine = {
  when: 'Look up the word',
  reply: (request) => ({
    toolCalls: [
      { id: '1', name: 'look_up', args: { word: /"(.*?)"/.exec(requestText(request))?.[1] } },
    ],
  }),
}
const rest: readonly ScriptLine[] = [
  callsLookUp,
  { when: 'spider', reply: '{"animal": "spider", "legs": 8}' },
  { when: 'Remember', reply: remembers },
]

/** Reads the number and the colour from the pixels of a probe's picture, as a seeing model would. */
function look(request: ModelRequest): string {
  const image = requestPictures(request)[0] ?? assert.fail('no picture was sent')
  const ground = pixelAt(image, 0, 0)
  const colour = Object.entries(PROBE_COLOURS).find(([, rgb]) =>
    rgb.every((v, i) => v === ground[i]),
  )?.[0]
  const dark = (x: number, y: number): string =>
    pixelAt(image, x, y).every((v) => v === 0) ? '1' : '0'
  const digits = [80, 260, 440].map((left) => {
    const points = [
      [60, 5],
      [5, 50],
      [115, 50],
      [60, 100],
      [5, 150],
      [115, 150],
      [60, 190],
    ] as const
    const bars = points.map(([x, y]) => dark(left + x, 60 + y)).join('')
    return [
      '1110111',
      '0010010',
      '1011101',
      '1011011',
      '0111010',
      '1101011',
      '1101111',
      '1010010',
      '1111111',
      '1111011',
    ].indexOf(bars)
  })
  return `It says ${digits.join('')} on ${colour}.`
}

test('a model that can do everything is known to', async () => {
  const model = scriptedModel([
    ...rest,
    { when: 'Which number stands', reply: look },
    { when: 'red box', reply: '```json\n[650, 200, 850, 440]\n```' },
  ])
  const { capabilities, probes } = await probeModel(model, options(1))
  assert.deepEqual(
    { ...capabilities, contextTokens: undefined },
    {
      ...{
        vision: true,
        visionWithTools: true,
        tools: true,
        json: true,
        boxFrame: 'relative-1000',
      },
      contextTokens: undefined,
    },
  )
  assert.ok((capabilities.contextTokens ?? 0) > 1500)
  assert.ok(probes.every(({ passed, reason }) => passed && reason.length > 10))
})

test('a model that sees, but not when tools are offered, is found out', async () => {
  const blind: ScriptLine = {
    when: (request) => request.tools !== undefined && requestPictures(request).length > 0,
    reply: 'I see no picture.',
  }
  const model = scriptedModel([
    blind,
    ...rest,
    { when: 'Which number stands', reply: look },
    { when: 'red box', reply: '[0,0,9,9]' },
  ])
  const { capabilities, probes } = await probeModel(model, options(2))
  assert.deepEqual(
    [capabilities.vision, capabilities.visionWithTools, capabilities.boxFrame],
    [true, false, 'none'],
  )
  const probe = probes.find(({ name }) => name === 'visionWithTools')
  assert.match(probe?.reason ?? '', /^shown \d{3} on \w+, it said "I see no picture\."$/)
})

for (const [frame, reply] of [
  ['pixels', '{"box": 1} The box: [521, 99, 679, 222]'],
  ['relative-1', '[[0.65, 0.2, 0.85, 0.44]]'],
] as const) {
  test(`boxes in ${frame} are recognised`, async () => {
    const model = scriptedModel([
      ...rest,
      { when: 'Which number stands', reply: look },
      { when: 'red box', reply },
    ])
    assert.equal((await probeModel(model, options(3))).capabilities.boxFrame, frame)
  })
}

test('a refused request is an answer: pictures and tools that a server does not take', async () => {
  const refuse: ScriptLine = {
    when: (request) => request.tools !== undefined || requestPictures(request).length > 0,
    reply: new UserFault('E_MODEL_REQUEST', 'text only'),
  }
  const { capabilities, probes } = await probeModel(scriptedModel([refuse, ...rest]), options(4))
  assert.deepEqual(
    [capabilities.vision, capabilities.tools, capabilities.json],
    [false, false, true],
  )
  assert.equal(probes[0]?.reason, 'refused: text only')
})

test('a server that cuts the start of long prompts is found out', async () => {
  const forgets: ScriptLine = { when: 'Remember', reply: 'You told me no number.' }
  const model = scriptedModel([
    forgets,
    callsLookUp,
    { when: 'spider', reply: '{' },
    { when: 'Which', reply: 'a cat' },
  ])
  const { capabilities, probes } = await probeModel(model, options(5))
  assert.equal(capabilities.contextTokens, undefined)
  assert.match(probes.at(-1)?.reason ?? '', /it did not know the start: "You told me no number\."/)
  assert.equal(capabilities.json, false)
})

test('silence says nothing about abilities and is thrown', async () => {
  const model = scriptedModel([{ when: /.*/, reply: new Unavailable('T_LLM', 'down') }])
  await assert.rejects(probeModel(model, options(6)), { code: 'T_LLM' })
})

test('the pictures of a probe are what they say', async () => {
  const image = await numberPicture('888', 'blue')
  assert.deepEqual([image.width, image.height], [640, 320])
  const { image: boxed, box } = await boxPicture()
  assert.deepEqual(pixelAt(boxed, box[0], box[1]), [220, 30, 30])
  assert.deepEqual(pixelAt(boxed, box[2], box[3]), [255, 255, 255])
})
