import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandLine } from '../../../test/e2e/command-line.ts'
import { watchFolder } from './watch-folder.ts'
import type { Tagged, WatchedLine, WatchOptions } from './watch-folder.ts'
import { writeSidecar, xmpOf } from './xmp-sidecar.ts'

const pupil = commandLine('watch')
after(() => pupil.remove())

const TAGS: Tagged = {
  ...{ run: 'run_1', width: 200, height: 100 },
  tags: [{ label: 'dog', box: [50, 25, 150, 75], score: 0.9 }],
}

/** Watches with a tagger that remembers whom it saw; `acts` happen between changes. */
async function watched(folder: string, acts: readonly (() => void)[], more: object = {}) {
  const seen: string[] = []
  const lines: WatchedLine[] = []
  const options: WatchOptions = {
    instruction: 'Tag it',
    journal: join(folder, 'pupil-tags.jsonl'),
    tag: (path) => {
      seen.push(path.slice(folder.length + 1))
      return readFileSync(path, 'utf8') === 'half'
        ? Promise.reject(Object.assign(new Error('no picture'), { code: 'E_PICTURE_TYPE' }))
        : Promise.resolve(TAGS)
    },
    told: (line) => void lines.push(line),
    changes: (async function* () {
      for (const act of acts) yield act()
    })(),
    ...more,
  }
  const looked = await watchFolder(folder, options)
  assert.equal(looked, seen.length)
  return { seen, lines }
}

test('what is there is tagged first, then what comes, each once, and again when it changes', async () => {
  const folder = pupil.folder()
  const put = (name: string, text: string) => () => writeFileSync(join(folder, name), text)
  put('b.jpg', 'one')()
  put('notes.txt', 'no picture')()
  mkdirSync(join(folder, '.hidden'))
  put('.hidden/x.jpg', 'hidden')()
  mkdirSync(join(folder, 'deep'))
  symlinkSync('/etc/hostname', join(folder, 'link.png'))
  const { seen, lines } = await watched(folder, [
    put('deep/a.PNG', 'two'),
    () => {},
    put('half.png', 'half'),
    put('half.png', 'whole now'),
  ])
  assert.deepEqual(seen, ['b.jpg', 'deep/a.PNG', 'half.png', 'half.png'])
  assert.deepEqual(
    lines.map(({ file, error }) => [file, error?.message]),
    [
      ['b.jpg', undefined],
      ['deep/a.PNG', undefined],
      ['half.png', 'no picture'],
      ['half.png', undefined],
    ],
  )
  const kept = readFileSync(join(folder, 'pupil-tags.jsonl'), 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    kept.map((line) => JSON.parse(line) as WatchedLine),
    lines,
  )
})

test('watching begins before the first look, so that nothing comes unseen in between', async () => {
  const folder = pupil.folder()
  writeFileSync(join(folder, 'a.jpg'), 'a')
  const order: string[] = []
  await watched(folder, [() => void order.push('watching')], {
    told: ({ file }: WatchedLine) => void order.push(file),
  })
  assert.deepEqual(order, ['watching', 'a.jpg'])
})

test('after a stop it goes on where it was, also when the last line was cut; another instruction begins anew', async () => {
  const folder = pupil.folder()
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) writeFileSync(join(folder, name), name)
  const stop = new AbortController()
  const told = ({ file }: WatchedLine): void => {
    if (file === 'b.jpg') stop.abort(new Error('stopped'))
  }
  await assert.rejects(watched(folder, [], { told, signal: stop.signal }), /stopped/)
  const journal = join(folder, 'pupil-tags.jsonl')
  const text = readFileSync(journal, 'utf8')
  writeFileSync(journal, text.slice(0, -10)) // the line of b.jpg
  assert.deepEqual((await watched(folder, [])).seen, ['b.jpg', 'c.jpg'])
  assert.deepEqual((await watched(folder, [])).seen, [])
  assert.equal((await watched(folder, [], { instruction: 'Tag cats' })).seen.length, 3)
})

test('a sidecar has keywords and regions as shares of the picture; what others wrote is kept', async () => {
  const folder = pupil.folder()
  const picture = join(folder, 'a.jpg')
  await writeSidecar(picture, TAGS)
  const text = readFileSync(`${picture}.xmp`, 'utf8')
  assert.match(text, /<dc:subject><rdf:Bag><rdf:li>dog<\/rdf:li><\/rdf:Bag>/)
  assert.match(
    text,
    /stArea:x="0\.500000" stArea:y="0\.500000" stArea:w="0\.500000" stArea:h="0\.500000"/,
  )
  assert.match(text, /AppliedToDimensions stDim:w="200" stDim:h="100"/)
  await writeSidecar(picture, { ...TAGS, run: 'run_2' })
  assert.match(readFileSync(`${picture}.xmp`, 'utf8'), /pupil:run="run_2"/)
  const edited = readFileSync(`${picture}.xmp`, 'utf8').replace(
    '<rdf:Bag>',
    '<rdf:Bag><rdf:li>mine</rdf:li>',
  )
  writeFileSync(`${picture}.xmp`, edited)
  await assert.rejects(writeSidecar(picture, TAGS), { code: 'E_SIDECAR' })
  assert.equal(readFileSync(`${picture}.xmp`, 'utf8'), edited)
  writeFileSync(`${picture}.xmp`, '<x:xmpmeta>by hand</x:xmpmeta>')
  await assert.rejects(writeSidecar(picture, TAGS), { code: 'E_SIDECAR' })
  assert.equal(readFileSync(`${picture}.xmp`, 'utf8'), '<x:xmpmeta>by hand</x:xmpmeta>')
})

test('a label that was read in a picture cannot become markup of a sidecar', () => {
  const label = '</mwg-rs:Name><script>alert("1")</script>&\u0000\'<!--'
  const text = xmpOf({ ...TAGS, tags: [{ label, box: [0, 0, 1, 1], score: null }] })
  assert.ok(!text.includes('<script') && !text.includes('<!--') && !text.includes('\u0000'))
  assert.equal(text.match(/<\/mwg-rs:Name>/g)?.length, 1)
})

test('the command tags a folder once, writes both forms, and does nothing the second time', async () => {
  const folder = pupil.folder()
  const crew = new URL('../../../test/fixtures/photos/crew.jpg', import.meta.url).pathname
  copyFileSync(crew, join(folder, 'crew.jpg'))
  const argv = ['watch', folder, 'Tag every person', '--once', '--to', 'xmp', '--json']
  const first = await pupil(argv, { cwd: folder })
  assert.deepEqual([first.code, first.err], [0, '1 pictures\n'])
  const line = JSON.parse(first.out) as WatchedLine
  assert.equal(line.file, 'crew.jpg')
  assert.ok((line.tags?.length ?? 0) > 0)
  assert.match(readFileSync(join(folder, 'crew.jpg.xmp'), 'utf8'), /<rdf:li>person/)
  assert.equal((await pupil(argv, { cwd: folder })).out, '')
  const wrong = await pupil(['watch', join(folder, 'none')])
  assert.deepEqual([wrong.code, /no folder/.test(wrong.err)], [2, true])
  rmSync(join(folder, 'crew.jpg.xmp'))
})
