import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Run } from '../agents/index.ts'
import { systemClock } from '../base/index.ts'
import type { ObjectRecord } from '../image/index.ts'
import { migrate, openDb } from '../stores/index.ts'
import { cacheFolders } from './cache.ts'
import { openPupil } from './open-pupil.ts'

// The other guarantees of corrections have their tests where they are kept: learnt.cases.ts and learning.test.ts.

const root = mkdtempSync(join(tmpdir(), 'pupil-guarantees-'))
after(() => rmSync(root, { recursive: true, force: true }))

const open = () =>
  openPupil({
    ...{ cwd: root, env: { PUPIL_HOME: join(root, 'home'), PUPIL_CACHE: join(root, 'cache') } },
  })
const coffee = fileURLToPath(new URL('../../test/fixtures/photos/coffee.jpg', import.meta.url))
const FIND = "A=LOC(image=IMAGE,object='cup')\nR=RESULT(var=A)"

const boxesOf = ({ outcome }: Run): readonly string[] =>
  outcome.status === 'done'
    ? (outcome.value as unknown as ObjectRecord[]).map(({ box }) => box.join(','))
    : assert.fail(JSON.stringify(outcome))

test('a human label and a tombstone survive a re-run, an emptied index and an upgrade of the store', async () => {
  const pupil = await open()
  const first = await pupil.run([coffee], FIND)
  const [found = ''] = boxesOf(first)
  const wrong = found.split(',').map(Number) as unknown as ObjectRecord['box']
  const region = (box: ObjectRecord['box']) =>
    ({ kind: 'region', index: 0, picture: '', box }) as const
  await pupil.learning.correct(first.id, {
    target: region([20, 20, 120, 120]),
    expected: { label: 'cup' },
  })
  await pupil.learning.correct(first.id, { target: region(wrong), expected: { rejected: true } })
  const said = JSON.stringify(await pupil.learning.corrections())
  await pupil.replay(first.id, { from: 0 })
  await pupil.close()
  rmSync(cacheFolders(pupil.config).thumbnails, { recursive: true, force: true })
  const db = await openDb(pupil.config.store)
  await migrate(db, systemClock)
  await db.close()
  const again = await open()
  assert.equal(JSON.stringify(await again.learning.corrections()), said)
  const boxes = boxesOf(await again.run([coffee], FIND))
  assert.ok(!boxes.includes(found), 'what is not there does not come back')
  assert.ok(boxes.includes('20,20,120,120'), 'what was shown is found')
  await again.close()
})
