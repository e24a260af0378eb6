import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepDocument } from '../../app/index.ts'
import { argumentWords, madePicture, percentBox, stepRegions, valueWords } from './regions.ts'

const image = {
  image: 'a'.repeat(64),
  width: 100,
  height: 80,
  box: [0, 0, 100, 80],
  on: 'IMAGE',
} as const
const part = { ...image, image: 'b'.repeat(64), box: [50, 0, 100, 80], part: true } as const
const cup = { box: [1, 2, 30, 40], label: 'cup', score: 0.8, on: 'IMAGE' } as const
const kettle = { box: [60, 2, 90, 40], label: 'kettle', score: null, on: 'RIGHT' } as const

function step(
  tool: string,
  args: StepDocument['args'],
  result: StepDocument['result'],
): StepDocument {
  return {
    ...{ index: 0, output: 'A', tool, args, result, ms: 1, line: 1, notices: [], models: [] },
  }
}

test('what a step found is drawn on the picture it was found in', () => {
  const regions = stepRegions(step('LOC', { image, object: 'cup' }, [cup, kettle]))
  assert.deepEqual(
    regions.map(({ kind, label, on }) => [kind, label, on]),
    [
      ['found', 'cup', 'IMAGE'],
      ['found', 'kettle', 'RIGHT'],
    ],
  )
})

test('a step that finds nothing shows what it used', () => {
  const [region] = stepRegions(step('COUNT', { box: [cup] }, 1))
  assert.equal(region?.kind, 'used')
  assert.deepEqual(stepRegions(step('LOC', { image, object: 'dog' }, [])), [])
})

test('a step on a part of the picture shows which part, once', () => {
  const regions = stepRegions(step('CROP_RIGHTOF', { image, box: [cup] }, part))
  assert.deepEqual(
    regions.map((one) => one.kind),
    ['window', 'used'],
  )
  const inside = stepRegions(step('VQA', { image: part, question: 'What?' }, 'a cup'))
  assert.deepEqual(inside[0]?.box, part.box)
  assert.equal(stepRegions(step('CROP', { image: part, box: [] }, part)).length, 1)
})

test('a whole picture that a step made is shown instead of the input', () => {
  const made = { ...image, image: 'c'.repeat(64) }
  assert.equal(madePicture(step('BGBLUR', { image, object: [cup] }, made), 'IMAGE'), made.image)
  assert.equal(madePicture(step('BGBLUR', { image, object: [] }, image), 'IMAGE'), undefined)
  assert.equal(madePicture(step('CROP', { image, box: [cup] }, part), 'IMAGE'), undefined)
  assert.equal(madePicture(step('BGBLUR', { image }, made), 'LEFT'), undefined)
  assert.equal(madePicture(undefined, 'IMAGE'), undefined)
})

test('values and arguments are told in a few words', () => {
  assert.equal(valueWords([]), 'nothing')
  assert.equal(valueWords([cup]), '1 object')
  assert.equal(valueWords(['owl', 'kite']), 'owl, kite')
  assert.equal(valueWords(image), 'picture 100 × 80')
  assert.equal(valueWords(true), 'yes')
  assert.equal(valueWords(null), 'none')
  assert.equal(argumentWords(step('LOC', { image, object: 'a cup' }, [])), '“a cup”')
  assert.equal(argumentWords(step('LIST', { query: 'owls', max: 3 }, [])), '“owls”, 3')
})

test('a box in percent of the picture', () => {
  assert.deepEqual(percentBox([10, 20, 60, 60], { width: 100, height: 80 }), {
    ...{ left: 10, top: 25, width: 50, height: 50 },
  })
})
