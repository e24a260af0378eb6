import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Unavailable, UserFault } from '../../base/index.ts'
import { encodePng, solidImage } from '../../image/index.ts'
import { blocks } from '../tuning/tiny-encoder.ts'
import { square } from '../tuning/tiny-models.ts'
import { collect, collectedJson } from './collect.ts'
import { folderFinder, searchFinder } from './finders.ts'
import type { PictureFinder } from './finder.ts'
import { groundingFinder } from './grounding.ts'

const folder = mkdtempSync(join(tmpdir(), 'pupil-collect-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Blocks enlarged to what a search would find. */
const picture = (number: number) => {
  const small = blocks([255, 60, 20], number)
  const side = 96
  const data = new Uint8Array(side * side * 3)
  for (let i = 0; i < side * side; i++) {
    const from = 3 * ((i % side) >> 1) + 3 * small.width * (Math.floor(i / side) >> 1)
    for (let k = 0; k < 3; k++) data[3 * i + k] = small.data[from + k] ?? 0
  }
  return { ...small, data, width: side, height: side, hash: `picture ${number}` }
}
const finderOf = (name: string, numbers: readonly number[]): PictureFinder => ({
  name,
  find: async (words, { most }) =>
    numbers
      .filter((one) => one < 100 === (words === 'gizmo'))
      .slice(0, most)
      .map((one) => ({
        image: picture(one),
        source: `${name}/${one}`,
        licence: 'CC BY',
        creator: 'A. Painter',
      })),
})

test('own corrections come first, finders follow until there are enough, sources and licences are kept', async () => {
  const own = [{ positive: true, name: 'gizmo', image: picture(0) }]
  const finders = [finderOf('one', [1, 2]), finderOf('two', [3, 4, 5, 6, 7, 8, 100, 101, 102])]
  const got = await collect('gizmo', own, ['other'], finders, { aim: 5, beside: 2 })
  const of = (positive: boolean) =>
    got.examples.filter((one) => one.positive === positive).map(({ source }) => source)
  assert.deepEqual(of(true), ['your correction', 'one/1', 'one/2', 'two/3', 'two/4'])
  assert.deepEqual(of(false), ['two/100', 'two/101'])
  const json = collectedJson(got) as { sources: { licence: string; creator?: string }[] }
  assert.deepEqual([json.sources[1]?.licence, json.sources[1]?.creator], ['CC BY', 'A. Painter'])
})

test('small pictures, copies, and copies of pictures to be tested on are left, and counted', async () => {
  const small: PictureFinder = {
    name: 'small',
    find: async () => [
      { image: solidImage({ width: 20, height: 90 }, [1, 2, 3]), source: 's', licence: 'CC0' },
    ],
  }
  const twice = finderOf('again', [1, 1, 2, 3])
  const options = { aim: 9, apart: [{ ...picture(3), hash: 'a test picture' }] }
  const got = await collect('gizmo', [], [], [small, twice], options)
  assert.deepEqual(
    got.examples.map(({ source }) => source),
    ['again/1', 'again/2'],
  )
  assert.deepEqual(got.dropped, { 'smaller than 64 pixels': 1, 'a copy of another picture': 2 })
})

test('a search that is down is tried three times, then told of; a word it lacks is told of at once (trap 18)', async () => {
  let asked = 0
  const down: PictureFinder = {
    name: 'openverse',
    find: async () => {
      asked++
      throw new Unavailable('E_TOOL', 'It does not answer.')
    },
  }
  const lacking: PictureFinder = {
    name: 'data set',
    find: async () => {
      throw new UserFault('E_GROUNDING', 'It has no "gizmo".')
    },
  }
  const got = await collect('gizmo', [], [], [down, lacking], { aim: 2 })
  assert.equal(asked, 3)
  assert.deepEqual(got.examples, [])
  assert.deepEqual(got.notes, [
    'openverse found nothing for "gizmo": It does not answer.',
    'data set found nothing for "gizmo": It has no "gizmo".',
  ])
})

test('names that mean the concept are no negatives, and an abort ends the search', async () => {
  const got = await collect('gizmo', [], ['the Gizmos'], [finderOf('one', [1])], { aim: 1 })
  assert.ok(got.examples.every(({ positive }) => positive))
  const signal = AbortSignal.abort()
  await assert.rejects(collect('gizmo', [], [], [finderOf('one', [1])], { signal }))
})

test('pictures of a folder are found by the names that their folders give them', async () => {
  mkdirSync(join(folder, 'shelf', 'baseball_bats'), { recursive: true })
  const { data, width, height } = picture(7)
  writeFileSync(join(folder, 'shelf', 'baseball_bats', '1.png'), encodePng(data, width, height))
  const finder = folderFinder(join(folder, 'shelf'))
  assert.deepEqual(await finder.names?.(), ['baseball bat'])
  const found = await finder.find('baseball bat', { most: 3 })
  assert.deepEqual(
    found.map(({ source, image }) => [source, image.width]),
    [['baseball_bats/1.png', 96]],
  )
})

test('pictures that a search lists are fetched; one that is gone is passed over', async () => {
  const source = {
    ...{ id: 'commons', licence: 'of each picture', probe: async () => null },
    find: async () => [
      { title: 'gone', url: 'https://a.example/gone.png' },
      {
        title: 'a gizmo',
        url: 'https://a.example/1.png',
        page: 'https://a.example/1',
        licence: 'CC0',
      },
    ],
  }
  const read = async (url: string) => {
    if (url.includes('gone')) throw new Error('404')
    return picture(1)
  }
  const found = await searchFinder(source, read).find('gizmo', { most: 5 })
  assert.deepEqual(
    found.map(({ source: from, licence }) => [from, licence]),
    [['https://a.example/1', 'CC0']],
  )
})

test('annotated pictures give boxes, masks and what else is there, by name or synonym', async () => {
  const image = square([230, 40, 30], [4, 6, 18, 20], 1)
  mkdirSync(join(folder, 'lvis'))
  writeFileSync(join(folder, 'lvis', '1.png'), encodePng(image.data, image.width, image.height))
  const annotations = {
    categories: [
      { id: 1, name: 'mouse_(computer_equipment)', synonyms: ['mouse', 'computer_mouse'] },
      { id: 2, name: 'pad' },
    ],
    images: [
      { id: 1, file_name: '1.png', width: 32, height: 32 },
      { id: 2, file_name: 'not-here.png', width: 32, height: 32 },
    ],
    annotations: [
      {
        ...{ id: 9, image_id: 1, category_id: 1, bbox: [4, 6, 14, 14] },
        segmentation: [[4, 6, 18, 6, 18, 20, 4, 20]],
      },
      { id: 10, image_id: 1, category_id: 2, bbox: [0, 0, 32, 32] },
      { id: 11, image_id: 2, category_id: 1, bbox: [0, 0, 30, 30] },
    ],
  }
  const path = join(folder, 'lvis', 'val.json')
  writeFileSync(path, JSON.stringify(annotations))
  const finder = groundingFinder({ annotations: path, pictures: join(folder, 'lvis') })
  const [one, ...rest] = await finder.find('computer mice', { most: 5 })
  assert.deepEqual(rest, [])
  assert.deepEqual([one?.box, one?.source], [[4, 6, 18, 20], 'val.json#9'])
  assert.equal(one?.mask?.size.join(), '32,32')
  assert.deepEqual(one?.others, [{ name: 'pad', box: [0, 0, 32, 32] }])
  await assert.rejects(finder.find('mousse', { most: 1 }), {
    code: 'E_GROUNDING',
    cure: /mouse/,
  })
})
