import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../base/index.ts'
import { createImage, encodePng } from '../../image/index.ts'
import type { Image } from '../../image/index.ts'
import { pictureFolder } from './picture-folder.ts'
import { openPictureIndex, pictureIndexSource, vectorIndex } from './picture-index.ts'
import type { PictureEncoder } from './picture-index.ts'

const plain = (red: number, green: number, blue: number): Uint8Array =>
  Uint8Array.from({ length: 8 * 8 * 3 }, (_, i) => [red, green, blue][i % 3] ?? 0)

/** The mean colour, of unit length; counts what it was asked. */
function colours(name = 'colours'): PictureEncoder & { readonly asked: () => number } {
  let asked = 0
  return {
    name,
    asked: () => asked,
    embed: async ({ data }: Image) => {
      asked++
      const sums = new Float32Array(3)
      for (let i = 0; i < data.length; i++) sums[i % 3] = (sums[i % 3] ?? 0) + (data[i] ?? 0)
      const length = Math.hypot(...sums)
      return sums.map((one) => (length === 0 ? 0 : one / length))
    },
  }
}

async function folderOf(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'red_apple'))
  await mkdir(join(folder, 'lime'))
  await writeFile(join(folder, 'red_apple', '1.png'), encodePng(plain(250, 10, 10), 8, 8))
  await writeFile(join(folder, 'lime', '1.png'), encodePng(plain(10, 250, 10), 8, 8))
  await writeFile(join(folder, 'IMG_1.png'), encodePng(plain(10, 10, 250), 8, 8))
  await writeFile(join(folder, 'IMG_2.png'), encodePng(plain(9, 9, 9), 8, 8))
  await writeFile(join(folder, 'lime', 'broken.png'), 'no picture')
  const rows = ['{"file": "IMG_1.png", "title": "sea", "entity": "Q165"}', 'not JSON', '{"x": 1}']
  await writeFile(join(folder, 'metadata.jsonl'), `${rows.join('\n')}\n`)
  return folder
}

test('pictures are named by their folder or by metadata; those without a name are left out', async (t) => {
  const { pictures, problems } = await pictureFolder(await folderOf(t))
  assert.deepEqual(
    pictures.map(({ id, title, entity }) => [id, title, entity]),
    [
      ['IMG_1.png', 'sea', 'Q165'],
      ['lime/1.png', 'lime', undefined],
      ['lime/broken.png', 'lime', undefined],
      ['red_apple/1.png', 'red apple', undefined],
    ],
  )
  assert.equal(problems.length, 2)
  assert.match(problems[0] ?? '', /line 2: this is not JSON/)
})

test('an index is built once: only new or changed pictures are looked at again', async (t) => {
  const folder = await folderOf(t)
  const file = join(folder, '.index', 'pictures.json')
  const encoder = colours()
  const build = async (by = encoder) =>
    openPictureIndex((await pictureFolder(folder)).pictures, { file, encoder: by })
  const index = await build()
  assert.deepEqual([index.size, encoder.asked()], [3, 3])
  assert.match(index.problems[0] ?? '', /^lime\/broken\.png: /)
  await build()
  assert.equal(encoder.asked(), 3)
  await writeFile(join(folder, 'lime', '1.png'), encodePng(plain(20, 250, 20), 8, 8).slice())
  await writeFile(join(folder, 'lime', '2.png'), encodePng(plain(30, 200, 30), 8, 8))
  assert.equal((await build()).size, 4)
  assert.ok(encoder.asked() >= 4 && encoder.asked() <= 5)
  const other = colours('others')
  assert.equal((await build(other)).size, 4)
  assert.equal(other.asked(), 4)
  await writeFile(file, '{"v": 1, "rows"')
  assert.equal((await build()).size, 4)
})

test('a region is compared with the index; what is not alike is not told', async (t) => {
  const folder = await folderOf(t)
  const encoder = colours()
  const { pictures } = await pictureFolder(folder)
  const index = await openPictureIndex(pictures, { file: join(folder, 'i.json'), encoder })
  const source = pictureIndexSource({
    ...{ id: 'mine', encoder, likeFrom: 0.9, index: async () => index },
  })
  const picture = createImage(plain(15, 20, 240), 8, 8)
  const { entries } = await source.call({ picture }, { clock: systemClock })
  assert.deepEqual(
    entries?.map(({ title, qid, kind }) => [title, qid, kind]),
    [['sea', 'Q165', 'similar']],
  )
  assert.equal(source.sends, 'none')
})

test('what people taught comes as such, and nothing taught is no fault; an empty folder is one', async () => {
  const encoder = colours()
  const picture = createImage(plain(250, 0, 0), 8, 8)
  const vector = new Float32Array([1, 0, 0])
  const row = { id: 'l1', stamp: 'l1', title: 'tomato' }
  const make = (rows: Parameters<typeof vectorIndex>[0], taught: boolean) =>
    pictureIndexSource({
      ...{ id: 'x', encoder, likeFrom: 0.6, taught, index: async () => vectorIndex(rows) },
    })
  const call = (source: ReturnType<typeof make>) => source.call({ picture }, { clock: systemClock })
  const found = await call(make([{ row, vector }], true))
  assert.deepEqual(
    found.entries?.map(({ kind, title }) => [kind, title]),
    [['taught', 'tomato']],
  )
  assert.deepEqual((await call(make([], true))).entries, [])
  await assert.rejects(call(make([], false)), { code: 'E_TOOL' })
})
