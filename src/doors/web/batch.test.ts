import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import type { RunDocument } from '../../app/index.ts'
import { EXPORTS, thingsOf } from './batch-export.ts'
import { createBatch } from './batch.ts'
import type { BatchItem } from './batch.ts'

const file = (name: string): File => new File(['x'], name, { type: 'image/png' })

const runOf = (name: string, answer: string, boxes: readonly (readonly number[])[] = []) =>
  ({
    ...{ run: `run_${name}`, instruction: 'How many?', answer, program: '' },
    inputs: {
      IMAGE: { image: 'f', width: 100, height: 50, original: { width: 200, height: 100 } },
    },
    steps: [
      {
        ...{ index: 0, tool: 'LOC', args: {}, notices: [] },
        result: boxes.map((box) => ({ box, label: 'cup', score: 0.75 })),
      },
    ],
  }) as unknown as RunDocument

/** A scripted way to ask: each picture waits until it is told what came of it. */
function scripted() {
  const waiting = new Map<string, PromiseWithResolvers<RunDocument>>()
  const batch = createBatch(({ name }) => {
    const gate = Promise.withResolvers<RunDocument>()
    waiting.set(name, gate)
    return gate.promise
  })
  const states = () => batch.state().items.map(({ state }) => state)
  const answer = async (name: string, run: RunDocument) => {
    waiting.get(name)?.resolve(run)
    waiting.delete(name)
    await new Promise(setImmediate)
  }
  const refuse = async (name: string, error: object) => {
    waiting.get(name)?.reject(error)
    waiting.delete(name)
    await new Promise(setImmediate)
  }
  return { batch, states, answer, refuse, asked: () => [...waiting.keys()] }
}

test('two pictures are asked about at once, the next when one is answered', async () => {
  const { batch, states, answer, asked } = scripted()
  batch.add(['a', 'b', 'c'].map(file))
  batch.add([file('a')])
  assert.deepEqual(states(), ['waiting', 'waiting', 'waiting'], 'a picture comes once')
  batch.start()
  assert.deepEqual(asked(), ['a', 'b'])
  await answer('b', runOf('b', '1'))
  assert.deepEqual(asked(), ['a', 'c'])
  await answer('a', runOf('a', '2'))
  await answer('c', runOf('c', '3'))
  const { done, isGoing, items } = batch.state()
  assert.deepEqual([done, isGoing], [3, false])
  assert.deepEqual(
    items.map(({ run }) => run?.answer),
    ['2', '1', '3'],
  )
})

test('a pause lets end what runs, begins nothing more, and is gone on from', async () => {
  const { batch, states, answer, asked } = scripted()
  batch.add(['a', 'b', 'c'].map(file))
  batch.start()
  batch.pause()
  await answer('a', runOf('a', '1'))
  await answer('b', runOf('b', '1'))
  assert.deepEqual(states(), ['done', 'done', 'waiting'])
  assert.deepEqual(asked(), [])
  batch.start()
  assert.deepEqual(asked(), ['c'])
})

test('what fails is told and may be tried again; what was cleared away changes nothing', async () => {
  const { batch, states, answer, refuse } = scripted()
  batch.add([file('a'), file('b')])
  batch.start()
  await refuse('a', { code: 'E_SERVER', message: 'Pupil does not answer.' })
  await answer('b', { ...runOf('b', ''), error: { code: 'T', message: 'no' } } as RunDocument)
  assert.deepEqual([...states(), batch.state().failed], ['failed', 'failed', 2])
  batch.retry()
  assert.deepEqual([...states(), batch.state().failed], ['running', 'running', 0])
  batch.clear()
  await answer('a', runOf('a', '1'))
  assert.deepEqual([...states(), batch.state().done], [0])
})

const items: readonly BatchItem[] = [
  { file: file('in/a.png'), state: 'done', run: runOf('a', '2', [[20, 10, 60, 50]]) },
  { file: file('b, c.png'), state: 'done', run: runOf('b', '=1+1') },
  { file: file('d.png'), state: 'failed', error: { message: 'no "picture"' } as never },
]

test('as CSV: a row for each picture, quoted, and no cell that a spreadsheet would run', () => {
  const { content } = EXPORTS.csv(items)
  assert.deepEqual(String(content).split('\r\n'), [
    'file,state,answer,things,labels,score,run,error',
    'in/a.png,done,2,1,cup,0.7500,run_a,',
    `"b, c.png",done,'=1+1,0,,,run_b,`,
    'd.png,failed,,0,,,,"no ""picture"""',
    '',
  ])
})

test('as COCO: pictures, boxes as corner and size, categories from 1', () => {
  const made = JSON.parse(String(EXPORTS.coco(items).content)) as Record<string, object[]>
  assert.deepEqual(made.images?.[0], { id: 1, file_name: 'in/a.png', width: 200, height: 100 })
  assert.equal(made.images?.length, 2, 'what failed is left out')
  assert.deepEqual(made.annotations, [
    {
      ...{ id: 1, image_id: 1, category_id: 1, bbox: [20, 10, 40, 40], area: 1600, iscrowd: 0 },
      score: 0.75,
    },
  ])
  assert.deepEqual(made.categories, [{ id: 1, name: 'cup' }])
})

test('as YOLO: a file for each picture with middles and sizes in parts of it', () => {
  const files = unzipSync(EXPORTS.yolo(items).content as Uint8Array)
  assert.deepEqual(Object.keys(files).sort(), [
    ...['classes.txt', 'data.yaml', 'labels/b, c.txt', 'labels/in/a.txt'],
  ])
  const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array())
  assert.equal(text('labels/in/a.txt'), '0 0.200000 0.300000 0.200000 0.400000\n')
  assert.equal(text('labels/b, c.txt'), '', 'a picture without things has an empty file')
  assert.match(text('data.yaml'), /names:\n {2}0: "cup"/)
})

test('for Label Studio: places in percent, the answer beside them', () => {
  const [task] = JSON.parse(String(EXPORTS.labelStudio(items).content)) as {
    data: object
    predictions: { result: { value: object }[] }[]
  }[]
  assert.deepEqual(task?.data, { image: 'in/a.png', instruction: 'How many?' })
  assert.deepEqual(
    task?.predictions[0]?.result.map(({ value }) => value),
    [
      { x: 10, y: 10, width: 20, height: 40, rotation: 0, rectanglelabels: ['cup'] },
      { text: ['2'] },
    ],
  )
})

test('the tags of a run count as its things before what its steps found', () => {
  const run = { ...runOf('a', '', [[0, 0, 9, 9]]), tags: [{ box: [1, 1, 2, 2], label: 'x' }] }
  assert.deepEqual(
    thingsOf(run as unknown as RunDocument).map(({ label }) => label),
    ['x'],
  )
})
