import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromXywh, maskArea, maskBox, maskIou, toXywh } from '../../src/image/index.ts'
import { fixtureLibrary } from '../tasks/fixtures.ts'
import { makeTasks } from '../tasks/make-tasks.ts'
import type { Task, TaskFamily } from '../tasks/task.ts'
import { maskOf, readCoco, writeCoco } from './coco.ts'
import type { CocoEntry } from './coco.ts'
import {
  readGqaQuestions,
  readGqaScenes,
  readGqaTasks,
  writeGqaQuestions,
  writeGqaScenes,
} from './gqa.ts'
import { jsonPieces } from './json-stream.ts'
import { readLlava, readLlavaTasks, writeLlava } from './llava.ts'
import { writeLvis } from './lvis.ts'
import { nlvr2Images, readNlvr2, readNlvr2Tasks, writeNlvr2 } from './nlvr2.ts'

const library = await fixtureLibrary()
const { lexicon } = library

function made(family: TaskFamily): readonly Task[] {
  return makeTasks(library, { family, count: 12, styles: ['twemoji'], size: 96 })
}

/** A text in small pieces, as a file might come. */
function* pieces(text: string, length = 7): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = []
  for await (const item of items) out.push(item)
  return out
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('pieces of a JSON text come with their paths, whatever the chunks', async () => {
  const value = {
    info: { year: 2020, note: 'a "quoted", {braced} [text] \\' },
    empty: [],
    items: [{ id: 1, tags: ['x', 'y'] }, 2.5, 'three', null, true],
    last: -4,
  }
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
    for (const length of [1, 3, 1000]) {
      const one = await all(jsonPieces(pieces(text, length), 1))
      assert.deepEqual(Object.fromEntries(one.map(({ path, value: v }) => [path[0], v])), value)
      const two = await all(jsonPieces(pieces(text, length), 2))
      assert.deepEqual(
        two.map(({ path }) => path.join('.')),
        ['info.year', 'info.note', 'items.0', 'items.1', 'items.2', 'items.3', 'items.4', 'last'],
      )
      assert.deepEqual(two[2]?.value, value.items[0])
    }
  }
  await assert.rejects(all(jsonPieces(['{"a": [1, 2'], 1)), { code: 'E_FORMAT' })
  await assert.rejects(all(jsonPieces(['{"a": nope}'], 1)), { code: 'E_FORMAT' })
})

test('boxes go to COCO and back without rounding (W11)', () => {
  assert.deepEqual(toXywh([10, 20, 50, 80]), [10, 20, 40, 60])
  assert.deepEqual(fromXywh([10, 20, 40, 60]), [10, 20, 50, 80])
  assert.deepEqual(fromXywh([10.5, 20.25, 40.5, 60.75]), [10.5, 20.25, 51, 81])
})

test('the pictures of an NLVR2 identifier lose its last part (W12)', () => {
  assert.deepEqual(nlvr2Images('dev-850-0-1'), ['dev-850-0-img0.png', 'dev-850-0-img1.png'])
})

test('GQA: write and read give equal tasks', async () => {
  for (const family of ['gqa', 'tagging', 'imgedit', 'knowledge'] as const) {
    const tasks = made(family)
    const back = await readGqaTasks(
      pieces(writeGqaQuestions(tasks), 4000),
      pieces(writeGqaScenes(tasks, lexicon), 4000),
    )
    const byId = (list: readonly Task[]): unknown =>
      plain(list.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    assert.deepEqual(byId(back), byId(tasks))
  }
})

test('GQA: files in the layout of the data set are read', async () => {
  const questions = `{"02930152": {"semantic": [{"operation": "select", "dependencies": [], "argument": "sky (2486325)"}],
    "entailed": [], "equivalent": ["02930152"], "question": "Is the sky dark?", "imageId": "2354786",
    "isBalanced": true, "groups": {"global": null, "local": "06-sky_dark"}, "answer": "yes",
    "semanticStr": "select: sky (2486325)->verify color: dark [0]", "annotations": {"answer": {}},
    "types": {"detailed": "verifyAttr", "semantic": "attr", "structural": "verify"},
    "fullAnswer": "Yes, the sky is dark."}}`
  const [question] = await all(readGqaQuestions(pieces(questions)))
  assert.deepEqual(
    [question?.id, question?.imageId, question?.question, question?.answer],
    ['02930152', '2354786', 'Is the sky dark?', 'yes'],
  )
  const scenes = `{"2407890": {"width": 640, "height": 480, "location": "living room", "weather": "none",
    "objects": {"271881": {"name": "chair", "x": 220, "y": 310, "w": 50, "h": 80,
      "attributes": ["brown", "wooden", "small"],
      "relations": [{"name": "on", "object": "32452"}, {"name": "near", "object": "32452"}]},
    "32452": {"name": "table", "x": 0, "y": 400, "w": 200, "h": 80, "attributes": [], "relations": []}}}}`
  const [scene] = await all(readGqaScenes(pieces(scenes)))
  const chair = scene?.objects.find(({ id }) => id === '271881')
  assert.deepEqual(chair?.box, [220, 310, 270, 390])
  assert.deepEqual(chair?.relations[1], { name: 'near', object: '32452' })
})

test('NLVR2: write and read give equal tasks, and lines of the data set are read', async () => {
  const tasks = made('nlvr')
  assert.deepEqual(plain(await readNlvr2Tasks(pieces(writeNlvr2(tasks), 999))), plain(tasks))
  const real =
    '{"validation": {"4": "True"}, "sentence": "The right image shows a curving walkway of dark glass circling a narrower opening.", "left_url": "x", "writer": "96", "label": "False", "right_url": "y", "synset": "acorn", "query": "acorns1", "identifier": "dev-850-0-1", "extra_validations": {}}\n\n'
  const [one] = await all(readNlvr2(pieces(real)))
  assert.deepEqual([one?.label, one?.images[1]], [false, 'dev-850-0-img1.png'])
})

test('COCO: scenes come back with boxes, masks, categories and captions', async () => {
  const scenes = made('gqa').flatMap((task) => task.scenes)
  const files = writeCoco(scenes, lexicon)
  const entries = await all(readCoco(pieces(files.instances, 5000)))
  const of = <K extends CocoEntry['kind']>(kind: K): Extract<CocoEntry, { kind: K }>[] =>
    entries.filter((one): one is Extract<CocoEntry, { kind: K }> => one.kind === kind)
  assert.deepEqual(
    of('image').map(({ file, width }) => [file, width]),
    scenes.map(({ image, graph }) => [image, graph.width]),
  )
  assert.deepEqual(
    of('image').map(({ pupil }) => pupil),
    plain(scenes),
  )
  const objects = scenes.flatMap(({ graph }) => graph.objects)
  assert.deepEqual(
    of('object').map(({ box, area }) => [box, area]),
    objects.map(({ box, visibleArea }) => [box, visibleArea]),
  )
  for (const [i, { segmentation }] of of('object').entries()) {
    const mask = segmentation && maskOf(segmentation, 96, 96)
    assert.equal(mask && maskIou(mask, objects[i]?.mask ?? mask), 1)
  }
  const names = new Map(of('category').map(({ id, name }) => [id, name]))
  for (const [i, { category }] of of('object').entries()) {
    assert.equal(names.get(category), lexicon.concept(objects[i]?.concept ?? '').label)
  }
  const captions = await all(readCoco(pieces(files.captions, 5000)))
  assert.equal(captions.filter(({ kind }) => kind === 'caption').length, scenes.length)
})

test('COCO: polygons, crowds and compressed run lengths of the data set are read', async () => {
  const real = `{"info": {"year": 2017}, "licenses": [{"id": 1}], "images": [{"license": 4, "file_name": "000000397133.jpg",
    "coco_url": "u", "height": 20, "width": 30, "id": 397133}], "annotations": [
    {"segmentation": [[2, 2, 12, 2, 12, 8, 2, 8], [20, 10, 26, 10, 26, 16, 20, 16]], "area": 96.0, "iscrowd": 0, "image_id": 397133,
     "bbox": [2.0, 2.0, 24.0, 14.0], "category_id": 44, "id": 82445},
    {"segmentation": {"counts": [10, 5, 585], "size": [20, 30]}, "area": 5, "iscrowd": 1, "image_id": 397133,
     "bbox": [0.0, 10.0, 1.0, 5.0], "category_id": 1, "id": 2}],
    "categories": [{"supercategory": "kitchen", "id": 44, "name": "bottle"}, {"supercategory": "person", "id": 1, "name": "person"}]}`
  const entries = await all(readCoco(pieces(real)))
  const objects = entries.filter((one) => one.kind === 'object')
  const [first, second] = objects.map(
    ({ segmentation }) => segmentation && maskOf(segmentation, 30, 20),
  )
  assert.equal(first && maskArea(first), 96)
  assert.deepEqual(second && maskBox(second), [0, 10, 1, 15])
  assert.deepEqual(
    objects.map(({ crowd, category }) => [crowd, category]),
    [
      [false, '44'],
      [true, '1'],
    ],
  )
})

test('LVIS: no file name, absent classes, synset names and underscores', async () => {
  const scenes = made('gqa')
    .flatMap((task) => task.scenes)
    .slice(0, 3)
  const shown = new Set(scenes.flatMap(({ graph }) => graph.objects.map(({ concept }) => concept)))
  const absent = [...lexicon.concepts.keys()].filter((id) => !shown.has(id)).slice(0, 2)
  const text = writeLvis(
    scenes.map((scene) => ({ ...scene, absent })),
    lexicon,
  )
  assert.ok(!text.includes('"file_name"'))
  const entries = await all(readCoco(pieces(text, 3000)))
  const [image] = entries.filter((one) => one.kind === 'image')
  assert.equal(image?.file, scenes[0]?.image)
  const names = new Map(
    entries.filter((one) => one.kind === 'category').map((one) => [one.id, one]),
  )
  assert.deepEqual(
    image?.absent.map((id) => names.get(id)?.name),
    absent.map((id) => lexicon.concept(id).label),
  )
  for (const { synset, definition } of names.values()) {
    assert.match(synset ?? '', /^[^ ]+\.n\.\d\d$/)
    assert.ok((definition ?? '').length > 5)
  }
  const real =
    '{"images": [{"id": 1, "coco_url": "http://images.example/train2017/000000391895.jpg", "width": 4, "height": 4, "neg_category_ids": [5], "not_exhaustive_category_ids": [7]}], "categories": [{"id": 5, "name": "baseball_bat", "synset": "baseball_bat.n.01", "synonyms": ["baseball_bat"], "def": "an implement", "frequency": "f"}]}'
  const [one, bat] = await all(readCoco(pieces(real)))
  assert.ok(one?.kind === 'image' && bat?.kind === 'category')
  assert.deepEqual(
    [one.file, one.notExhaustive, bat.name],
    ['000000391895.jpg', ['7'], 'baseball bat'],
  )
})

test('LLaVA: write and read give equal tasks; one picture mark, in the first human turn', async () => {
  const tasks = [...made('dialogue'), ...made('gqa')]
  const text = writeLlava(tasks)
  assert.deepEqual(plain(await readLlavaTasks(pieces(text, 5000))), plain(tasks))
  for (const { conversations } of await all(readLlava(pieces(text, 5000)))) {
    assert.equal(conversations.filter(({ value }) => value.includes('<image>')).length, 1)
    assert.ok(conversations[0]?.value.startsWith('<image>\n'))
    for (const [i, { from }] of conversations.entries()) {
      assert.equal(from, i % 2 === 0 ? 'human' : 'gpt')
    }
  }
  const real =
    '[{"id": "000000033471", "image": "000000033471.jpg", "conversations": [{"from": "human", "value": "<image>\\nWhat are the colors of the bus?"}, {"from": "gpt", "value": "White and red."}]}, {"unique_id": 3, "file_name": "a.jpg", "conversations": [{"from": "human", "value": "<image>\\nhi"}, {"from": "gpt", "thoughts": "t", "actions": [], "value": "v"}]}]'
  const [plainOne, plus] = await all(readLlava(pieces(real)))
  assert.equal(plainOne?.conversations[1]?.value, 'White and red.')
  assert.deepEqual([plus?.image, plus?.conversations[1]?.thoughts], ['a.jpg', 't'])
})

test('an entry of another maker is told when a task is wanted', async () => {
  const text = '[{"id": "1", "conversations": [{"from": "human", "value": "hi"}]}]'
  await assert.rejects(readLlavaTasks([text]), { code: 'E_FORMAT' })
})
