import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run, Step } from '../agents/index.ts'
import {
  box,
  createImage,
  createObject,
  cropImage,
  editedImage,
  originalFrame,
} from '../image/index.ts'
import type { Image } from '../image/index.ts'
import type { Value } from '../program/index.ts'
import { runDocument, stepDocument } from './document.ts'

/** A picture of 100 x 80 pixels that was 400 x 240 on disk. */
const image = createImage(new Uint8Array(100 * 80 * 3), 100, 80, {
  frame: originalFrame('street', { width: 100, height: 80 }, [4, 3]),
})
const right = cropImage(image, box(50, 0, 100, 80))

function found(
  on: Image,
  at: readonly [number, number, number, number],
  score: number | null = 0.87654,
) {
  const object = createObject({ id: 'o1', box: box(...at), category: 'cup', score, mask: null }, on)
  assert.ok(object)
  return object
}

function call(tool: string, args: Readonly<Record<string, Value>>, result: Value): Step {
  return {
    ...{ kind: 'call', index: 0, step: 1, line: 1, path: [], output: 'A', tool, result },
    args: Object.entries(args).map(([name, value]) => ({ name, source: name, value })),
    ...{ notices: [], start: 0, ms: 1.234, prompts: [], models: [] },
  }
}

function run(steps: readonly Step[], value: Value, more: Partial<Run> = {}): Run {
  return {
    ...{ id: 'run_1', agent: 'programs', steps, createdAt: 0, version: '0' },
    task: {
      agent: 'programs',
      family: 'open',
      instruction: 'Find',
      inputs: { IMAGE: image },
      seed: 1,
    },
    outcome: { status: 'done', value },
    cost: { calls: 0, tokens: 0, seconds: 0, money: 0, pictures: 0 },
    ...{ models: [], lessonsUsed: [], warnings: [] },
    ...more,
  }
}

test('a box is given in whole pixels of the original, wherever it was found', () => {
  const steps = [
    call('LOC', { image }, [found(image, [10, 20, 31, 40])]),
    call('LOC', { image: right }, [found(right, [10, 20, 31, 40])]),
  ]
  const { steps: written } = runDocument(run(steps, 1))
  assert.deepEqual(
    written.map((step) => (step.result as unknown as { box: unknown }[])[0]?.box),
    [
      [40, 60, 124, 120],
      [240, 60, 324, 120],
    ],
  )
  assert.deepEqual(
    (written[0]?.result as unknown as { label: string; score: number; on: string }[])[0],
    {
      ...{ box: [40, 60, 124, 120], label: 'cup', score: 0.8765, on: 'IMAGE' },
    },
  )
})

test('a picture is given by its address and the part of the original that it shows', () => {
  const step = stepDocument(call('CROP', { image, box: [] }, right), { IMAGE: image })
  assert.deepEqual(step?.args.image, {
    ...{ image: image.hash, width: 100, height: 80, box: [0, 0, 400, 240], on: 'IMAGE' },
  })
  assert.deepEqual(step?.result, {
    ...{
      image: right.hash,
      width: 50,
      height: 80,
      box: [200, 0, 400, 240],
      on: 'IMAGE',
      part: true,
    },
  })
  assert.equal(step?.ms, 1.2)
})

test('inputs tell their size in the run and on disk', () => {
  assert.deepEqual(runDocument(run([], 1)).inputs, {
    IMAGE: { image: image.hash, width: 100, height: 80, original: { width: 400, height: 240 } },
  })
})

test('a tagged picture gives its tags, an edited one its place', () => {
  const tagged = editedImage(image, new Uint8Array(image.data), [
    found(image, [0, 0, 10, 10], null),
  ])
  const place = (hash: string): string => `/there/${hash.slice(0, 4)}`
  const document = runDocument(run([], tagged), { place })
  assert.deepEqual(document.tags, [{ box: [0, 0, 40, 30], label: 'cup', score: null, on: 'IMAGE' }])
  assert.equal(document.image, place(tagged.hash))
  assert.equal(document.answer, undefined)
  assert.equal(runDocument(run([], tagged)).image, undefined)
})

test('masks come along when they are asked for, with the part that they cover', () => {
  const mask = { size: [80, 50], counts: [0, 4000] } as const
  const object = createObject(
    { id: 'o', box: box(0, 0, 50, 80), category: 'cup', score: 1, mask },
    right,
  )
  assert.ok(object)
  const step = call('SEG', { image: right }, [object])
  const plain = stepDocument(step, { IMAGE: image })?.result as unknown as { mask?: unknown }[]
  assert.equal(plain[0]?.mask, undefined)
  const full = stepDocument(step, { IMAGE: image }, { masks: true })?.result as unknown as {
    mask: unknown
  }[]
  assert.deepEqual(full[0]?.mask, { ...mask, box: [200, 0, 400, 240] })
})

test('notices of steps are warnings of the run, each once', () => {
  const notice = { code: 'N_EMPTY_SELECTION', message: 'No object matches "red car".' }
  const step = { ...call('SELECT', {}, []), notices: [notice] } as Step
  const document = runDocument(run([step, step], 1, { warnings: ['Only the first page is read.'] }))
  assert.deepEqual(document.warnings, ['Only the first page is read.', notice.message])
})

test('how the program was made, its last text, and its error', () => {
  const made = (attempt: number, program: string): Step => ({
    ...{
      kind: 'program',
      program,
      diagnostics: [],
      demonstrations: [],
      calls: [],
      by: 'llm',
      attempt,
      ms: 1,
    },
  })
  const plan: Step = {
    kind: 'plan',
    plan: '1. Look.',
    demonstrations: [],
    calls: [],
    by: 'llm',
    ms: 1,
  }
  const error = { kind: 'UserFault', code: 'T_INPUT', message: 'No.', fields: {} } as const
  const outcome = { status: 'error', error, at: 0 } as const
  const document = runDocument(run([plan, made(0, 'A'), made(1, 'B')], null, { outcome }))
  assert.equal(document.program, 'B')
  assert.deepEqual(document.making, { by: 'llm', attempts: 2, plan: '1. Look.' })
  assert.deepEqual([document.status, document.error], ['error', error])
})
