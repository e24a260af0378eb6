import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import type { Run } from '../../src/agents/index.ts'
import { createPupil, resolveConfig } from '../../src/app/index.ts'
import {
  createImage,
  decodePicture,
  encodePicture,
  isImage,
  pixelAt,
} from '../../src/image/index.ts'
import type { Image, ObjectRecord } from '../../src/image/index.ts'
import { commandLine } from './command-line.ts'
import { MODEL_CACHE, photo } from './photos.ts'

// The sentences that must hold on real photographs, each with rewordings that no demonstration contains.
// In one process, so that models are loaded once.
const line = commandLine('must-hold', MODEL_CACHE)
const cwd = line.folder()
const { config } = await resolveConfig({ cwd, env: { PUPIL_HOME: cwd, PUPIL_CACHE: MODEL_CACHE } })
const pupil = createPupil(config)
after(async () => {
  await pupil.close()
  line.remove()
})

const QUESTIONS: readonly (readonly [
  picture: string,
  answer: string | RegExp,
  instructions: readonly string[],
])[] = [
  [
    'crew',
    '3',
    [
      'How many people are there?',
      'Could you tell me the number of people?',
      'How many folks do you see?',
    ],
  ],
  [
    'porch',
    'yes',
    [
      'Is there a dog to the left of the car?',
      'Does the car have a dog to its left?',
      "Is there any dog on the car's left?",
    ],
  ],
  [
    'porch',
    'no',
    ['Is there a dog to the right of the car?', 'See if there is a dog right of the car.'],
  ],
  [
    'porch',
    'white',
    ['What colour is the car?', 'How is the car coloured?', 'What hue does the car have?'],
  ],
  [
    'bakery',
    /bacon/i,
    [
      'What does the sign say?',
      'The sign says what?',
      "What's on the sign?",
      'Which text does the sign show?',
    ],
  ],
]

for (const [picture, answer, instructions] of QUESTIONS) {
  for (const instruction of instructions) {
    test(`${picture}: ${instruction}`, async () => {
      const { outcome } = await pupil.ask(photo(picture), instruction)
      assert.ok(outcome.status === 'done', JSON.stringify(outcome))
      const said = outcome.answer ?? ''
      if (typeof answer === 'string') assert.equal(said, answer)
      else assert.match(said, answer)
    })
  }
}

for (const [left, right, truth, statement] of [
  ['crew', 'dane', 'true', 'There are more people in the left picture than in the right one'],
  ['dane', 'crew', 'false', 'There are more people in the left picture than in the right one'],
  ['crew', 'dane', 'true', 'The right picture has fewer people than the left.'],
  ['dane', 'crew', 'false', 'The left photo has a larger number of people than the right photo.'],
] as const) {
  test(`${left} and ${right}: ${statement}`, async () => {
    const { outcome } = await pupil.compare(photo(left), photo(right), statement)
    assert.equal(outcome.status === 'done' ? outcome.answer : outcome.status, truth)
  })
}

/** Mean change of the pixels around places of a photograph. */
function change({ task }: Run, edited: Image, [x, y]: readonly [number, number]): number {
  const before = task.inputs.IMAGE
  assert.ok(before !== undefined)
  let sum = 0
  for (let dy = -3; dy <= 3; dy++) {
    for (let dx = -3; dx <= 3; dx++) {
      const [now, was] = [edited, before].map((image) => pixelAt(image, x + dx, y + dy))
      for (const c of [0, 1, 2] as const) sum += Math.abs((now?.[c] ?? 0) - (was?.[c] ?? 0))
    }
  }
  return sum / (7 * 7 * 3)
}

function imageOf({ outcome }: Run): Image {
  assert.ok(outcome.status === 'done', JSON.stringify(outcome))
  assert.ok(isImage(outcome.value))
  return outcome.value
}

/** An edit with places of the photograph that stay as they are, and places that do not. */
const EDITS: readonly (readonly [
  instructions: readonly string[],
  same: readonly (readonly [x: number, y: number])[],
  changed: readonly (readonly [x: number, y: number])[],
])[] = [
  [
    ['Blur the background except the dog', 'The dog should stay sharp, blur all else.'],
    // Its chest and back; then leaves, the bicycle's wheel, the car's window.
    [
      [262, 350],
      [190, 360],
    ],
    [
      [270, 60],
      [470, 240],
      [565, 112],
    ],
  ],
  [
    ['Make everything grey but the white car', 'Let the white car alone stay coloured.'],
    // Its window and side; then the yellow wood, leaves, the bicycle's red frame.
    [
      [560, 110],
      [600, 140],
    ],
    [
      [80, 270],
      [250, 60],
      [400, 260],
    ],
  ],
]

for (const [instructions, same, changed] of EDITS) {
  for (const instruction of instructions) {
    test(`porch: ${instruction}`, async () => {
      const run = await pupil.edit(photo('porch'), instruction)
      const edited = imageOf(run)
      for (const at of same) assert.ok(change(run, edited, at) < 1, `${String(at)} was changed`)
      for (const at of changed) assert.ok(change(run, edited, at) > 2, `${String(at)} was left`)
    })
  }
}

/** The porch with its white car painted red: no photograph of a red car at hand may be shipped. */
async function redCar(): Promise<Uint8Array> {
  const { image } = await decodePicture(await readFile(photo('porch')))
  const { data, width, height } = image
  const painted = Uint8Array.from(data)
  for (let y = 82; y < 152; y++) {
    for (let x = 478; x < 684; x++) {
      const at = (y * width + x) * 3
      const [r = 0, g = 0, b = 0] = painted.subarray(at, at + 3)
      const light = (r + g + b) / 3
      if (light < 70 || Math.max(r, g, b) - Math.min(r, g, b) > 70) continue
      painted.set([Math.min(255, light + 25), light * 0.18, light * 0.2], at)
    }
  }
  return encodePicture(createImage(painted, width, height), 'png')
}

for (const instruction of [
  'Make everything grey but the red car',
  'Everything except the red car should turn grey.',
]) {
  test(`porch, car painted red: ${instruction}`, async () => {
    const run = await pupil.edit(await redCar(), instruction)
    const edited = imageOf(run)
    for (const at of [
      [560, 110],
      [600, 140],
    ] as const) {
      assert.ok(change(run, edited, at) < 1, `${String(at)} was changed`)
    }
    // The bicycle's frame is red too, and is no car.
    for (const at of [
      [80, 270],
      [250, 60],
      [400, 260],
    ] as const) {
      assert.ok(change(run, edited, at) > 2, `${String(at)} was left`)
    }
  })
}

test('porch, car painted red: What colour is the car?', async () => {
  const { outcome } = await pupil.ask(await redCar(), 'What colour is the car?')
  assert.equal(outcome.status === 'done' ? outcome.answer : outcome.status, 'red')
})

for (const instruction of [
  'Hide every face with a smiling emoji',
  'Use a smiling emoji to hide the faces.',
  'Conceal the faces under smiling emojis.',
]) {
  test(`crew: ${instruction}`, async () => {
    const run = await pupil.edit(photo('crew'), instruction)
    const edited = imageOf(run)
    const faces = run.steps.flatMap((step) =>
      step.kind === 'call' && step.tool === 'FACEDET'
        ? (step.result as readonly ObjectRecord[])
        : [],
    )
    assert.equal(faces.length, 3)
    for (const { box } of faces) {
      const middle = [(box[0] + box[2]) >> 1, (box[1] + box[3]) >> 1] as const
      assert.ok(change(run, edited, middle) > 20, String(middle))
    }
    assert.ok(change(run, edited, [4, 4]) < 1)
  })
}

for (const instruction of ['Tag every person', 'Give every person a label.', 'Box every person.']) {
  test(`crew: ${instruction}`, async () => {
    const { tags = [] } = imageOf(await pupil.tag(photo('crew'), instruction))
    assert.deepEqual(
      tags.map(({ category }) => category),
      ['person', 'person', 'person'],
    )
  })
}
