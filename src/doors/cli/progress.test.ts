import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Io } from './io.ts'
import { noteText, progressLine } from './progress.ts'

function watched(isTTY: boolean, env: Io['env'] = {}) {
  const said: string[] = []
  const stderr = {
    isTTY,
    columns: 20,
    write: (text: string | Uint8Array) => said.push(String(text)),
  }
  const io: Io = { stdin: Readable.from([]), stdout: stderr, stderr, env, cwd: '/' }
  return { said, line: progressLine(io, { quiet: false, color: false }) }
}

test('on a terminal one line changes, no longer than the window, and goes away', () => {
  const { said, line } = watched(true)
  line.say('1 BOX0=LOC(object=a very long description)')
  line.clear()
  line.clear()
  assert.deepEqual(said, ['\r\u001b[2K1 BOX0=LOC(object=a', '\r\u001b[2K'])
})

test('elsewhere, and in CI, nothing is shown', () => {
  for (const { said, line } of [watched(false), watched(true, { CI: 'true' })]) {
    line.say('reading')
    line.note({ task: 'convert', status: 'start' })
    line.clear()
    assert.deepEqual(said, [])
  }
})

test('slow work says what, how far, of how much', () => {
  assert.equal(noteText({ task: 'convert centernet', status: 'start' }), 'convert centernet …')
  const bytes = {
    task: 'convert',
    status: 'progress',
    loaded: 3_100_000,
    total: 4_200_000,
    unit: 'bytes',
  } as const
  assert.equal(noteText(bytes), 'convert 3.1 of 4.2 MB')
  assert.equal(
    noteText({ task: 'tune', status: 'progress', loaded: 3, total: 9, unit: 'steps' }),
    'tune 3 of 9 steps',
  )
})
