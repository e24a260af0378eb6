import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { countingIds } from '../base/index.ts'
import { encodePicture, solidImage } from '../image/index.ts'
import type { RunEvent } from './live-run.ts'
import { openPupil } from './open-pupil.ts'
import type { OpenPupilOptions } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-app-'))
after(() => rmSync(root, { recursive: true, force: true }))
let homes = 0

function open(options: OpenPupilOptions = {}) {
  const env = { PUPIL_HOME: join(root, String(homes++)) }
  return openPupil({ cwd: root, ids: countingIds(), env, ...options })
}

const BLUE = await encodePicture(solidImage({ width: 1600, height: 1200 }, [9, 90, 200]), 'png')
const CROP = 'A=CROP(image=IMAGE,box=[[10,20,110,120]])\nFINAL_RESULT=RESULT(var=A)'

test('a run is kept, found by the beginning of its id, loaded with its pictures, and removed', async () => {
  const pupil = await open()
  const run = await pupil.run([BLUE], CROP)
  assert.equal(run.outcome.status, 'done')
  assert.equal((await pupil.runs.get('run_')).id, run.id)
  assert.equal((await pupil.runs.get('last')).id, run.id)
  const loaded = await pupil.runs.load(run.id)
  assert.deepEqual(loaded.task.inputs.IMAGE?.frame, run.task.inputs.IMAGE?.frame)
  assert.deepEqual(
    loaded.steps.map((step) => step.kind),
    ['program', 'call', 'call'],
  )
  const [before, now] = [run, loaded].map((one) =>
    one.outcome.status === 'done' ? one.outcome.value : null,
  )
  assert.deepEqual(now, before)
  await pupil.runs.remove('last')
  await assert.rejects(pupil.runs.get('last'), { code: 'E_NO_RUN' })
  await pupil.close()
})

test('a picture is reduced to what the family works on, and kept once', async () => {
  const pupil = await open()
  const [one, two] = await Promise.all([pupil.run([BLUE], CROP), pupil.run([BLUE], CROP)])
  assert.deepEqual([one.task.inputs.IMAGE?.width, two.task.inputs.IMAGE?.height], [640, 480])
  const pictures = (await pupil.cache.list()).find((entry) => entry.name === 'pictures')
  assert.equal(pictures?.files, 3, 'the file, the input that was reduced from it, and the crop')
  await pupil.close()
})

test('pruning takes caches and pictures without a run, never those of a run', async () => {
  let now = 1_000
  const clock = {
    now: () => now,
    tick: () => performance.now(),
    sleep: () => new Promise<void>(() => {}),
  }
  const pupil = await open({ clock })
  const kept = await pupil.run([BLUE], CROP)
  const small = await encodePicture(solidImage({ width: 9, height: 9 }, [1, 2, 3]), 'png')
  const sum = 'A=EVAL(expr="1")\nR=RESULT(var=A)'
  const loose = await pupil.run([small], sum)
  const address = loose.task.inputs.IMAGE?.hash ?? ''
  await pupil.runs.remove(loose.id)
  const hash = kept.task.inputs.IMAGE?.hash ?? ''
  await pupil.pictures.file(hash, { maxSide: 32 })
  assert.equal((await pupil.cache.prune()).files, 1, 'the thumbnail; what is young stays')
  now += 2 * 60 * 60 * 1000
  assert.equal((await pupil.cache.prune()).files, 1, 'the picture without a run')
  assert.equal((await pupil.pictures.file(hash)).type, 'image/png')
  await assert.rejects(pupil.pictures.file(address), { code: 'E_NO_PICTURE' })
  await pupil.run([small], sum)
  assert.equal((await pupil.pictures.file(address)).type, 'image/png', 'kept again when used again')
  await pupil.close()
})

test('the events of a run are its steps and its end; the plain call collects them', async () => {
  const pupil = await open()
  const heard: string[] = []
  const request = { family: 'open', instruction: '', pictures: [BLUE], program: CROP }
  const live = await pupil.start(request, { onStep: (step) => heard.push(step.kind) })
  const events: RunEvent[] = []
  for await (const event of live.events()) events.push(event)
  assert.deepEqual(
    events.map(({ id, type }) => `${id} ${type}`),
    ['1 step', '2 step', '3 step', '4 finish'],
  )
  assert.deepEqual(heard, ['program', 'call', 'call'])
  assert.equal((await live.result).id, live.id)
  await pupil.close()
})

test('a cancelled run is on record as stopped', async () => {
  const pupil = await open()
  const request = { family: 'open', instruction: '', pictures: [BLUE], program: CROP }
  const live = await pupil.start(request)
  live.cancel('Enough.')
  const run = await live.result
  assert.deepEqual(run.outcome, { status: 'aborted', reason: 'Enough.' })
  assert.equal((await pupil.runs.list())[0]?.status, 'aborted')
  await pupil.close()
})

test('a replay gives the same steps; from a step on it calls the tools again', async () => {
  const pupil = await open()
  const run = await pupil.run([BLUE], CROP)
  const again = await pupil.replay(run.id)
  assert.notEqual(again.id, run.id)
  assert.deepEqual(
    again.steps.map((step) => step.kind === 'call' && step.result),
    run.steps.map((step) => step.kind === 'call' && step.result),
  )
  assert.ok(
    again.steps.every(
      (step) => step.kind !== 'call' || step.replayed === 'record' || step.tool === 'RESULT',
    ),
  )
  const anew = await pupil.replay(run.id, { from: 0 })
  const crop = anew.steps.find((step) => step.kind === 'call' && step.tool === 'CROP')
  assert.ok(crop?.kind === 'call' && crop.replayed === undefined)
  await pupil.close()
})

test('spaces of one store do not see each other', async () => {
  const env = { PUPIL_HOME: join(root, 'shared') }
  const [mine, yours] = await Promise.all([
    open({ env, config: { space: 'mine' } }),
    open({ env, config: { space: 'yours' } }),
  ])
  const run = await mine.run([BLUE], CROP)
  assert.deepEqual(await yours.runs.list(), [])
  await assert.rejects(yours.runs.get(run.id), { code: 'E_NO_RUN' })
  await assert.rejects(yours.pictures.file(run.task.inputs.IMAGE?.hash ?? ''), {
    code: 'E_NO_PICTURE',
  })
  await Promise.all([mine.close(), yours.close()])
})

test('nothing is opened before it is needed', async () => {
  const pupil = await open({ config: { data: join(root, 'untouched') } })
  await pupil.programs.check('A=SEG(image=IMAGE)', 'open')
  await pupil.tools()
  await pupil.families()
  await pupil.close()
  const { existsSync } = await import('node:fs')
  assert.equal(existsSync(join(root, 'untouched')), false)
})

test('families and the pictures they want', async () => {
  const pupil = await open()
  await assert.rejects(
    pupil.run([BLUE], CROP, { family: 'nlvr' }),
    /Expected 2 pictures \(LEFT, RIGHT\) for the family nlvr/,
  )
  await assert.rejects(pupil.run([BLUE], CROP, { family: 'gqaa' }), { code: 'E_FAMILY' })
  const sum = 'A=CROP(image=IMAGE_2,box=[[0,0,5,5]])\nR=RESULT(var=A)'
  const run = await pupil.run([BLUE, BLUE], sum)
  assert.deepEqual(Object.keys(run.task.inputs), ['IMAGE', 'IMAGE_2'])
  assert.equal(run.outcome.status, 'done')
  await pupil.close()
})
