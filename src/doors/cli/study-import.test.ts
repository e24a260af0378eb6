import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { commandLine, documentOf } from '../../../test/e2e/command-line.ts'

const pupil = commandLine('study-import')
after(() => pupil.remove())

test('the decisions that ship are added once, make a graph, and are scored', async () => {
  const cwd = pupil.folder()
  const said = await pupil(['study', 'import', '--world'], { cwd })
  assert.equal(said.out, '53 decisions were added.\n', said.err)
  const again = await pupil(['study', 'import', '--world'], { cwd })
  assert.equal(again.out, '0 decisions were added.\n')
  const scored = documentOf<{ decisions: number; held: number }>(
    await pupil(['study', 'score', '--json'], { cwd }),
  )
  assert.equal(scored.decisions, 53)
  assert.ok(scored.held > 0)
  const neither = await pupil(['study', 'import'], { cwd })
  assert.deepEqual([neither.code, /a file, or --world/.test(neither.err)], [2, true])
})
