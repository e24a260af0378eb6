import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RunDocument } from '../../src/app/index.ts'
import { pictureType } from '../../src/image/index.ts'
import { commandLine, documentOf } from './command-line.ts'
import { MODEL_CACHE, photo } from './photos.ts'

const pupil = commandLine('photographs', MODEL_CACHE)
after(() => pupil.remove())

test('a question about a photograph is answered, with its program and steps', async () => {
  const said = await pupil(['ask', photo('coffee'), 'How many cups are there?', '--json'])
  assert.deepEqual([said.code, said.err], [0, ''])
  const run = documentOf<RunDocument>(said)
  assert.equal(run.answer, '1')
  assert.equal(run.agent, 'programs')
  assert.match(run.program, /^BOX0=LOC\(image=IMAGE,object='cup'\)\n/)
  assert.equal(run.steps[0]?.tool, 'LOC')
  const [x1, y1, x2, y2] = (run.steps[0]?.result as unknown as { box: number[] }[])[0]?.box ?? []
  assert.ok(x1 !== undefined && y1 !== undefined && x2 !== undefined && y2 !== undefined)
  assert.ok(
    x1 > 100 && x1 < 230 && x2 > 350 && x2 < 480 && y1 < 60 && y2 > 230,
    String([x1, y1, x2, y2]),
  )
  assert.ok(run.models.some((model) => model.hash !== undefined))
  for (const key of ['run', 'agent', 'program', 'steps', 'costs', 'warnings'])
    assert.ok(key in run, key)
})

test('the plain answer stands alone on stdout, the trace on stderr', async () => {
  const said = await pupil([
    'ask',
    photo('astronaut'),
    'How many people are in the picture?',
    '--trace',
  ])
  assert.deepEqual([said.code, said.out], [0, '1\n'])
  assert.match(said.err, /program made by analogy/)
  assert.match(said.err, /BOX0=LOC\(object=person\)/)
})

test('a picture comes from standard input', async () => {
  const said = await pupil(['ask', '-', 'Is there a cat?'], {
    stdin: readFileSync(photo('chelsea')),
  })
  assert.deepEqual([said.code, said.out], [0, 'yes\n'])
})

test('two pictures are compared', async () => {
  const statement = 'There are more people in the left picture than in the right one'
  assert.equal(
    (await pupil(['compare', photo('astronaut'), photo('chelsea'), statement])).out,
    'true\n',
  )
  assert.equal(
    (await pupil(['compare', photo('chelsea'), photo('astronaut'), statement])).out,
    'false\n',
  )
})

test('a picture is edited into the file that was named, in its kind, and explained', async () => {
  const cwd = pupil.folder()
  const words = 'Hide every face with a smiling emoji'
  const argv = ['edit', photo('astronaut'), words, '-o', 'out.jpg', '--html', 'out.html', '--json']
  const said = await pupil(argv, { cwd })
  assert.equal(said.code, 0)
  const run = documentOf<RunDocument>(said)
  assert.equal(run.image, join(cwd, 'out.jpg'))
  assert.equal(await pictureType(readFileSync(join(cwd, 'out.jpg'))), 'jpeg')
  const html = readFileSync(join(cwd, 'out.html'), 'utf8')
  assert.match(html, /FACEDET/)
  assert.doesNotMatch(html, /<script|src="http/)
})

test('without -o an edit lies beside you and overwrites nothing', async () => {
  const cwd = pupil.folder()
  const argv = ['edit', photo('astronaut'), 'Hide every face with a smiling emoji']
  assert.equal((await pupil(argv, { cwd })).out, `${join(cwd, 'astronaut.edited.png')}\n`)
  assert.equal((await pupil(argv, { cwd })).out, `${join(cwd, 'astronaut.edited-2.png')}\n`)
  assert.deepEqual(
    readdirSync(cwd).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('things are tagged, with boxes in pixels of the original', async () => {
  const said = await pupil(['tag', photo('astronaut'), 'Tag every person', '--json'])
  const run = documentOf<RunDocument>(said)
  assert.equal(run.tags?.[0]?.label, 'person')
  const [x1, y1, x2, y2] = run.tags?.[0]?.box ?? []
  assert.ok(
    [x1, y1, x2, y2].every((n) => Number.isInteger(n) && (n ?? -1) >= 0 && (n ?? 999) <= 512),
  )
  const plain = await pupil(['tag', photo('astronaut'), 'Tag every person'])
  assert.match(plain.out, /^person +0\.\d\d +\[\d+, \d+, \d+, \d+\]\n$/)
})

test('a run is shown, explained and replayed without any model', async () => {
  const cwd = pupil.folder()
  await pupil(['ask', photo('coffee'), 'How many cups are there?'], { cwd })
  const shown = documentOf<RunDocument>(await pupil(['show', 'last', '--json'], { cwd }))
  assert.match(
    (await pupil(['show', shown.run.slice(0, 9)], { cwd })).out,
    /How many cups are there\?/,
  )
  assert.match((await pupil(['show', 'last', '--html', '-'], { cwd })).out, /^<!doctype html>/)
  // No cache to convert models into, and none is needed.
  const env = { PUPIL_CACHE: join(cwd, 'no-cache') }
  const again = documentOf<RunDocument>(await pupil(['replay', 'last', '--json'], { cwd, env }))
  const acts = (run: RunDocument) =>
    run.steps.map(({ tool, args, result }) => ({ tool, args, result }))
  assert.deepEqual(acts(again), acts(shown))
  assert.equal(again.answer, shown.answer)
  assert.notEqual(again.run, shown.run)
  assert.ok(!existsSync(join(cwd, 'no-cache', 'models')))
  assert.equal(
    documentOf<{ runs: unknown[] }>(await pupil(['runs', '--json'], { cwd })).runs.length,
    2,
  )
})

test('what is like nothing that it was shown is refused, saying what it understands', async () => {
  const said = await pupil(['ask', photo('coffee'), 'Compose a sonnet in praise of Tuesday'])
  assert.deepEqual([said.code, said.out], [1, ''])
  assert.match(said.err, /is like nothing that I was shown\. I understand such as/)
})
