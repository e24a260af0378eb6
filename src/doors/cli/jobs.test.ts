import assert from 'node:assert/strict'
import { join } from 'node:path'
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

test('pupil correct --teach --json works off what waits and is still one document', async () => {
  const cwd = pupil.folder()
  const call = (argv: readonly string[], stdin = '') => pupil(argv, { cwd, stdin })
  const picture = join(import.meta.dirname, '../../../docs/images/tagged.webp')
  const program = `A=EVAL(expr="1 + 1")\nR=RESULT(var=A)`
  assert.equal((await call(['run', picture, '-'], program)).code, 0)
  const correct = ['correct', 'last', '--program', '-', '--teach', '--json']
  const said = await call(correct, program.replace('1 + 1', '1 + 2'))
  const { lesson, jobs } = documentOf<{ lesson?: { status: string }; jobs?: unknown }>(said)
  assert.deepEqual([said.code, lesson?.status, jobs], [0, 'applied', []])
})
