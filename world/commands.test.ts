import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodePicture } from '../src/image/index.ts'
import {
  answerBalance,
  DRAWING_NOTICES,
  exportTasks,
  fileChunks,
  makeTasks,
  readGqaTasks,
  taskFiles,
  worldStats,
} from './index.ts'
import { fixtureLibrary } from './tasks/fixtures.ts'

const library = await fixtureLibrary()
const tasks = makeTasks(library, { family: 'gqa', count: 6, styles: ['twemoji'], size: 96 })

test('tasks are exported with their pictures, and read back from the folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pupil-world-'))
  try {
    const written = await exportTasks(tasks, 'gqa', library, folder)
    assert.deepEqual((await readdir(folder)).toSorted(), [...new Set(written)].toSorted())
    const back = await readGqaTasks(
      fileChunks(join(folder, 'questions.json')),
      fileChunks(join(folder, 'scene_graphs.json')),
    )
    assert.equal(back.length, tasks.length)
    const [scene] = tasks[0]?.scenes ?? []
    assert.ok(scene !== undefined)
    const { image } = await decodePicture(await readFile(join(folder, scene.image)))
    const raw = library.paint(scene.recipe)
    assert.deepEqual(Buffer.from(image.data), Buffer.from(raw.rgb))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('every format has its files', () => {
  for (const format of ['gqa', 'nlvr2', 'coco', 'lvis', 'llava', 'pupil'] as const) {
    const files = Object.values(taskFiles(tasks, format, library))
    assert.ok(files.length > 0 && files.every((text) => text.length > 100), format)
  }
})

test('stats count concepts, styles, drawings and licences', () => {
  const stats = worldStats(library)
  assert.deepEqual(stats.concepts, { known: 429, new: 100 })
  assert.deepEqual(
    stats.styles.map(({ style }) => style),
    ['noto', 'fluent-flat', 'twemoji'],
  )
  assert.equal(stats.independent['2'], 529)
  const all = Object.values(answerBalance(tasks)).flatMap((row) => Object.values(row))
  assert.equal(
    all.reduce((a, b) => a + b, 0),
    tasks.length,
  )
})

test('every package of drawings has a row for the notice, with the licence of the art', async () => {
  const manifest = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { readonly dependencies: Readonly<Record<string, string>> }
  for (const { package: name, version, licence } of DRAWING_NOTICES) {
    assert.equal(manifest.dependencies[name], version)
    assert.match(licence, /^(Apache-2\.0|MIT|CC-BY-4\.0)$/)
  }
})
