import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createImage, maskArea, maskFromBitmap, maskToBitmap } from '../../src/image/index.ts'
import type { Image, MaskRle } from '../../src/image/index.ts'
import { fixtureLibrary } from '../tasks/fixtures.ts'
import { makeTasks } from '../tasks/make-tasks.ts'
import { runOnTruth } from '../tasks/run-on-truth.ts'
import type { TaskEdit } from '../tasks/task.ts'
import type { Scene } from '../types.ts'
import { judgeFitness } from './fitness.ts'
import { judgeEdit } from './judge-edit.ts'
import { judgeCrop, judgeFrom, missingJudge } from './judge.ts'
import type { Judge } from './judge.ts'
import { grown } from './measures.ts'

const library = await fixtureLibrary()
const { lexicon } = library

/** A judge that says what it is told, whatever it sees. */
function saying(...names: string[]): Judge {
  return { rank: async (crops) => crops.map(() => [...names, 'a', 'b', 'c', 'd', 'e']) }
}

const SIDE = 100

/** One object, a square in the middle of a speckled picture. */
function square(): { before: Image; scene: Scene; mask: MaskRle } {
  const rgb = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => 60 + ((i * 7919) % 120))
  const inside = (p: number): boolean => {
    const [x, y] = [p % SIDE, Math.trunc(p / SIDE)]
    return x >= 35 && x < 65 && y >= 35 && y < 65
  }
  const bits = Uint8Array.from({ length: SIDE * SIDE }, (_, p) => (inside(p) ? 1 : 0))
  const mask = maskFromBitmap(bits, SIDE, SIDE)
  const object = { id: 'o1', concept: 'owl', box: [35, 35, 65, 65], mask, area: maskArea(mask) }
  const scene = { width: SIDE, height: SIDE, objects: [object] } as unknown as Scene
  return { before: createImage(rgb, SIDE, SIDE), scene, mask }
}

function changed(before: Image, pixels: readonly number[], by: number): Image {
  const data = Uint8Array.from(before.data)
  for (const p of pixels) for (let c = 0; c < 3; c++) data[p * 3 + c] = (data[p * 3 + c] ?? 0) + by
  return createImage(data, before.width, before.height)
}

function pixelsOf(region: Uint8Array, wanted: number): number[] {
  return [...region.keys()].filter((p) => region[p] === wanted)
}

const REPLACE: TaskEdit = { kind: 'replace', targets: ['o1'], concept: 'teapot' }
const REMOVE: TaskEdit = { kind: 'remove', targets: ['o1'] }

async function verdict(after: Image, edit: TaskEdit, judge: Judge): Promise<boolean> {
  const { before, scene } = square()
  const { right } = await judgeEdit({ before, after, scene, edits: [edit] }, { lexicon, judge })
  return right
}

test('a replacement may change 0.5 % of the outside near the mask, not 1.5 % (W15)', async () => {
  const { before, mask } = square()
  const outside = pixelsOf(grown(mask, 4), 0)
  const ring = pixelsOf(grown(mask, 12), 1).filter((p) => grown(mask, 4)[p] === 0)
  const inside = pixelsOf(maskToBitmap(mask), 1)
  const edit = (count: number): Image => {
    const near = ring.slice(0, Math.trunc((outside.length * count) / 100))
    return changed(before, [...inside, ...near], 9)
  }
  assert.ok(!(await verdict(edit(1.5), REPLACE, saying('teapot'))))
  assert.ok(await verdict(edit(0.5), REPLACE, saying('teapot')))
  assert.ok(!(await verdict(edit(0.5), REPLACE, saying('spoon'))))
  const far = pixelsOf(grown(mask, 12), 0).slice(0, 1)
  assert.ok(!(await verdict(changed(before, [...inside, ...far], 9), REPLACE, saying('teapot'))))
})

test('by class, a name near the wanted one is right too', async () => {
  const { before, scene } = square()
  const edits: TaskEdit[] = [{ kind: 'replace', targets: ['o1'], concept: 'violin' }]
  const judged = await judgeEdit(
    { before, after: before, scene, edits },
    { lexicon, judge: saying('guitar') },
  )
  assert.deepEqual([judged.right, judged.rightByClass], [false, true])
})

test('removed means that nothing is seen and the old thing is not among the first five', async () => {
  const { before } = square()
  assert.ok(await verdict(before, REMOVE, saying('nothing')))
  assert.ok(!(await verdict(before, REMOVE, saying('nothing', 'spoon', 'owl'))))
  assert.ok(!(await verdict(before, REMOVE, saying('owl'))))
})

test('a picture of another size is never right', async () => {
  const small = createImage(new Uint8Array(50 * 50 * 3), 50, 50)
  assert.ok(!(await verdict(small, REPLACE, saying('teapot'))))
})

test('edits of the real tools on the truth are judged right, unedited pictures wrong', async () => {
  const tasks = makeTasks(library, {
    ...{ family: 'imgedit', count: 36, styles: ['twemoji'], size: 256 },
  })
  const kinds = new Map<string, number>()
  for (const task of tasks) {
    const [scene] = task.scenes
    const { answer } = await runOnTruth(task, library)
    assert.ok(scene !== undefined && answer?.form === 'image')
    const raw = library.paint(scene.recipe)
    const before = createImage(raw.rgb, raw.width, raw.height)
    const edits = task.edits ?? []
    const wanted = edits.find(({ kind }) => kind === 'replace')?.concept ?? 'nothing'
    const means = { lexicon, judge: saying(wanted) }
    const base = { before, scene: scene.graph, edits }
    const { right, checks } = await judgeEdit({ ...base, after: answer.image }, means)
    const told = `${task.instruction} ${JSON.stringify(checks.filter(({ passed }) => !passed))}`
    assert.ok(right, told)
    if (edits.some(({ kind }) => kind !== 'replace' && kind !== 'remove')) {
      const undone = await judgeEdit({ ...base, after: before }, means)
      assert.ok(!undone.right, task.instruction)
    }
    kinds.set(task.type, (kinds.get(task.type) ?? 0) + 1)
  }
  assert.equal(kinds.size, 6)
})

test('a judge without a model says so', async () => {
  await assert.rejects(missingJudge().rank([]), { code: 'E_JUDGE' })
})

test('a model becomes a judge by the order of its scores', async () => {
  const judge = judgeFrom({
    names: ['owl', 'bell', 'nothing'],
    score: async (crops) => crops.map(() => Float32Array.of(0.2, 0.1, 0.7)),
  })
  const { before } = square()
  const crop = await judgeCrop(before, [35, 35, 65, 65])
  assert.equal(crop.length, 64 * 64 * 3)
  assert.deepEqual(await judge.rank([crop]), [['nothing', 'owl', 'bell']])
})

test('fitness tells a judge that sees from one that always says the same', async () => {
  const options = { styles: ['noto'], cases: 6, split: 'known' } as const
  const blind = await judgeFitness(saying('owl'), library, options)
  assert.equal(blind.cases, 6)
  assert.ok(!blind.fit)
})
