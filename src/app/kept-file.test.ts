import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sha256 } from '../base/index.ts'
import { encodePicture, finerImage, isImage, solidImage } from '../image/index.ts'
import type { Tool } from '../tools/index.ts'
import { openPupil } from './open-pupil.ts'

const root = mkdtempSync(join(tmpdir(), 'pupil-kept-file-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** Tells how wide the picture is when it is looked at twice. */
const FINE: Tool = {
  signature: {
    ...{ name: 'FINE', about: 'Width of the finer picture.', families: ['open'], out: 'number' },
    args: [{ name: 'image', type: 'image', about: 'The picture.' }],
  },
  run: async ({ image }) => {
    assert.ok(isImage(image))
    return { value: (await finerImage(image, { maxSide: 5000 })).width }
  },
}

const FILE = await encodePicture(solidImage({ width: 3000, height: 1500 }, [9, 90, 200]), 'png')

test('a step that looks twice sees as much when it is made anew from the record', async () => {
  const pupil = await openPupil({ cwd: root, env: { PUPIL_HOME: root }, tools: [FINE] })
  const text = [
    'IMAGE0=CROP(image=IMAGE,box=[[0,0,64,64]])',
    'A=FINE(image=IMAGE)',
    'B=FINE(image=IMAGE0)',
    'IMAGE1=COLORPOP(image=IMAGE,object=[[0,0,64,64]])',
    'C=FINE(image=IMAGE1)',
    "D=EVAL(expr=\"concat({A}, ' ', {B}, ' ', {C})\")",
    'FINAL_RESULT=RESULT(var=D)',
  ].join('\n')
  const first = await pupil.run([FILE], text)
  const width = first.task.inputs.IMAGE?.width ?? 0
  const part = Math.round((64 * 3000) / width)
  const said = first.outcome.status === 'done' ? first.outcome.answer : ''
  assert.equal(said, `3000 ${part} ${width}`, 'an edit has nothing finer')
  for (const from of [0, 1, 2, 4]) {
    const again = await pupil.replay(first.id, { from })
    assert.deepEqual(again.outcome, first.outcome, `from step ${from}`)
  }
  // The file itself, with all that a camera writes into it, is never given out.
  await assert.rejects(pupil.pictures.file(sha256(FILE)), { code: 'E_NO_PICTURE' })
  assert.equal(await pupil.pictures.path(sha256(FILE)), undefined)
  await pupil.runs.remove(first.id)
  await pupil.close()
})
