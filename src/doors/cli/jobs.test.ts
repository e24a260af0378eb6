import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('jobs')
after(() => pupil.remove())

test('pupil jobs lists what waits, works nothing off where nothing waits, and names what it does not know', async () => {
  const none = await pupil(['jobs', 'ls'])
  assert.deepEqual([none.code, none.out], [0, ''])
  assert.match(none.err, /No jobs/)
  assert.deepEqual(documentOf(await pupil(['jobs', 'ls', '--json'])), { jobs: [] })
  assert.deepEqual(documentOf(await pupil(['jobs', 'work', '--json'])), { jobs: [] })
  const wrong = await pupil(['jobs', 'cancel', 'job_x'])
  assert.equal(wrong.code, 1)
  assert.match(wrong.err, /No job "job_x" is waiting or running.*pupil jobs ls/s)
})
