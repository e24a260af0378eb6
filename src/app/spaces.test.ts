import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { encodePicture, solidImage } from '../image/index.ts'
import { openPupil } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-spaces-'))
after(() => rmSync(root, { recursive: true, force: true }))
const BLUE = await encodePicture(solidImage({ width: 60, height: 40 }, [9, 90, 200]), 'png')
const PROGRAM = 'A=CROP(image=IMAGE,box=[[0,0,30,30]])\nR=RESULT(var=A)'

test('spaces share one store, and none sees what another did, has or was taught', async () => {
  const home = await openPupil({ cwd: root, env: { PUPIL_HOME: join(root, 'a') } })
  const other = home.inSpace('ann')
  assert.equal(home.inSpace('ann'), other)
  assert.equal(home.inSpace('home'), home)
  assert.equal(other.inSpace('home'), home)
  assert.equal(other.config.space, 'ann')
  const run = await home.run([BLUE], PROGRAM)
  const hash = run.task.inputs.IMAGE?.hash ?? ''
  await home.pictures.file(hash, { maxSide: 32 })
  await home.learning.teach({ tool: 'LOC', concept: 'blue thing', pictures: [BLUE] })
  const chat = await home.chats.open()
  await assert.rejects(other.runs.get(run.id), { code: 'E_NO_RUN' })
  await assert.rejects(other.pictures.file(hash), { code: 'E_NO_PICTURE' })
  await assert.rejects(other.pictures.file(hash, { maxSide: 32 }), { code: 'E_NO_PICTURE' })
  await assert.rejects(other.chats.get(chat.id), { code: 'E_NO_CHAT' })
  assert.deepEqual(await other.learning.lessons(), [])
  assert.deepEqual(await other.learning.concepts.list(), [])
  const own = await other.run([BLUE], PROGRAM)
  assert.deepEqual(
    (await other.runs.list()).map(({ id }) => id),
    [own.id],
  )
  assert.deepEqual(
    (await home.runs.list()).map(({ id }) => id),
    [run.id],
  )
  // Two spaces have the same picture now; it is one file, and stays while one of them has it.
  assert.equal((await other.pictures.file(hash)).type, 'image/png')
  await home.close()
})

test('a lesson acts in its space only, though the models are the same', async () => {
  const home = await openPupil({ cwd: root, env: { PUPIL_HOME: join(root, 'b') } })
  const other = home.inSpace('ann')
  const find = 'B=LOC(image=IMAGE,object="cruller")\nN=COUNT(box=B)\nR=RESULT(var=N)'
  await home.learning.teach({ tool: 'LOC', concept: 'cruller', pictures: [BLUE] })
  const here = await home.run([BLUE], find)
  const there = await other.run([BLUE], find)
  assert.equal(here.outcome.status, 'done')
  // There the word means nothing.
  assert.equal(there.outcome.status === 'error' && there.outcome.error.code, 'T_UNAVAILABLE')
  await home.close()
})
