import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  createImage,
  cropImage,
  decodePicture,
  encodePicture,
  resizeImage,
} from '../image/index.ts'
import type { Image } from '../image/index.ts'
import { openPupil } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-learning-'))
after(() => rmSync(root, { recursive: true, force: true }))

const open = (home: string, space = 'home') =>
  openPupil({
    ...{ cwd: root, env: { PUPIL_HOME: join(root, home), PUPIL_CACHE: join(root, 'cache') } },
    config: { space },
  })

const photo = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/photos/${name}.jpg`, import.meta.url))
const load = async (name: string): Promise<Image> =>
  (await decodePicture(await readFile(photo(name)), { maxSide: 640 })).image
const png = (image: Image): Promise<Uint8Array> => encodePicture(image, 'png')

/** The same picture seen in a mirror, and darker. */
function mirrored({ width, height, data }: Image): Image {
  const turned = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        turned[(y * width + x) * 3 + c] = 0.8 * (data[(y * width + (width - 1 - x)) * 3 + c] ?? 0)
      }
    }
  }
  return createImage(turned, width, height)
}

test('a face taught from one picture is known in others, stays in its space, and is forgotten whole', async () => {
  const pupil = await open('faces')
  const { people } = pupil.learning
  const who = "A=VQA(image=IMAGE,question='Who is this?')\nR=RESULT(var=A)"
  const astronaut = await load('astronaut')
  await assert.rejects(people.name('Eileen', photo('astronaut')), { code: 'E_PEOPLE' })
  await people.enable(true)
  const lesson = await people.name('Eileen', photo('astronaut'))
  const small = await resizeImage(cropImage(astronaut, [80, 0, 400, 380]), {
    width: 200,
    height: 237,
  })
  for (const picture of [await png(mirrored(astronaut)), await png(small)]) {
    const run = await pupil.run([picture], who)
    assert.equal(run.outcome.status === 'done' && run.outcome.answer, 'eileen')
    assert.deepEqual(
      run.lessonsUsed.map((one) => one.lesson),
      [lesson.id],
      'the answer carries its receipt',
    )
  }
  const stranger = await pupil.run([photo('crew')], who)
  assert.notEqual(stranger.outcome.status === 'done' && stranger.outcome.answer, 'eileen')
  const found = await pupil.ask(photo('astronaut'), 'Is Eileen in the picture?')
  assert.equal(found.outcome.status === 'done' && found.outcome.answer, 'yes')
  assert.equal(found.lessonsUsed[0]?.lesson, lesson.id)
  const other = await open('faces', 'other')
  assert.deepEqual(await other.learning.people.list(), [])
  await other.close()
  await assert.rejects(pupil.learning.export(lesson.id), { code: 'E_LESSON' }, 'faces stay here')
  await pupil.learning.undo(lesson.id)
  assert.deepEqual(await people.list(), [])
  await pupil.learning.redo(lesson.id)
  assert.deepEqual(await people.forget('eileen'), [lesson.id])
  await assert.rejects(pupil.learning.lesson(lesson.id), { code: 'E_LESSON' })
  assert.deepEqual(await pupil.learning.lessons(), [])
  await pupil.close()
})

test('a correction of a region acts in the next answer, survives a restart, and is undone', async () => {
  const pupil = await open('regions')
  const question = 'How many cups are there?'
  const first = await pupil.ask(photo('coffee'), question)
  assert.equal(first.outcome.status === 'done' && first.outcome.answer, '1')
  const made = await pupil.learning.correct(first.id, {
    target: { kind: 'region', index: 0, picture: '', box: [20, 20, 120, 120] },
    expected: { label: 'cup' },
  })
  assert.equal(made.lesson?.status, 'applied')
  await pupil.close()
  const again = await open('regions')
  const second = await again.ask(photo('coffee'), question)
  assert.equal(second.outcome.status === 'done' && second.outcome.answer, '2')
  assert.deepEqual(
    second.lessonsUsed.map(({ lesson, version }) => [lesson, version]),
    [[made.lesson?.id, 1]],
  )
  const file = await again.learning.export('last')
  await again.learning.undo('last')
  const third = await again.ask(photo('coffee'), question)
  assert.equal(third.outcome.status === 'done' && third.outcome.answer, '1')
  assert.deepEqual(third.lessonsUsed, [])
  const elsewhere = await open('elsewhere')
  await elsewhere.learning.import(file)
  const fourth = await elsewhere.ask(photo('coffee'), question)
  assert.equal(fourth.outcome.status === 'done' && fourth.outcome.answer, '2')
  await Promise.all([again.close(), elsewhere.close()])
})

test('three pictures teach a word that was unknown; forgetting makes it unknown again', async () => {
  const pupil = await open('words')
  const bakery = (await decodePicture(await readFile(photo('bakery')), { maxSide: 960 })).image
  const { outcome } = await pupil.run(
    [photo('bakery')],
    "A=LOC(image=IMAGE,object='donut')\nR=RESULT(var=A)",
  )
  const boxes = outcome.status === 'done' ? (outcome.value as unknown as { box: number[] }[]) : []
  const scale = bakery.width / 640
  const crops = boxes.slice(0, 3).map(({ box }) => {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box.map((side) => Math.round(side * scale))
    return cropImage(bakery, [x1, y1, x2, y2])
  })
  const pictures = await Promise.all(crops.map(png))
  const find = "A=LOC(image=IMAGE,object='cruller')\nB=COUNT(box=A)\nR=RESULT(var=B)"
  const before = await pupil.run([photo('bakery')], find)
  assert.equal(before.outcome.status === 'error' && before.outcome.error.code, 'T_UNAVAILABLE')
  const lesson = await pupil.learning.teach({ tool: 'LOC', concept: 'crullers', pictures })
  assert.deepEqual([lesson.status, lesson.concept], ['applied', 'cruller'])
  const taught = await pupil.run([photo('bakery')], find)
  assert.ok(taught.outcome.status === 'done' && Number(taught.outcome.value) >= 3)
  const elsewhere = await pupil.run([photo('chelsea')], find)
  assert.equal(elsewhere.outcome.status === 'done' && elsewhere.outcome.value, 0)
  await pupil.learning.forget('cruller')
  const after = await pupil.run([photo('bakery')], find)
  assert.deepEqual(
    after.outcome.status === 'error' && after.outcome.error.message,
    before.outcome.status === 'error' && before.outcome.error.message,
  )
  await pupil.close()
})
