import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run, Step } from '../agents/index.ts'
import { runJournal } from './live-run.ts'
import type { RunEvent } from './live-run.ts'

const step = { kind: 'call', index: 0 } as Step
const run = { id: 'run_1' } as Run

async function collect(events: AsyncIterable<RunEvent>): Promise<string[]> {
  const seen: string[] = []
  for await (const event of events) seen.push(`${event.id} ${event.type}`)
  return seen
}

test('who comes late sees everything, who comes back only what was missed', async () => {
  const journal = runJournal()
  journal.tell({ type: 'step', step })
  const early = collect(journal.events())
  journal.tell({ type: 'step', step })
  journal.tell({ type: 'finish', run })
  assert.deepEqual(await early, ['1 step', '2 step', '3 finish'])
  assert.deepEqual(await collect(journal.events(1)), ['2 step', '3 finish'])
  assert.deepEqual(await collect(journal.events(3)), [])
})

test('progress is heard, and not told again to who comes back', async () => {
  const journal = runJournal()
  const note = { task: 'convert', status: 'start' } as const
  journal.tell({ type: 'progress', note })
  journal.tell({ type: 'step', step })
  journal.tell({ type: 'progress', note })
  journal.tell({ type: 'finish', run })
  assert.deepEqual(await collect(journal.events()), [
    '0 progress',
    '1 step',
    '1 progress',
    '2 finish',
  ])
  assert.deepEqual(await collect(journal.events(1)), ['2 finish'])
})

test('a listener that waits gets each event as it comes', async () => {
  const journal = runJournal()
  const events = journal.events()[Symbol.asyncIterator]()
  const first = events.next()
  journal.tell({ type: 'step', step })
  assert.equal((await first).value?.id, 1)
  const second = events.next()
  journal.tell({ type: 'failed', error: new Error('disk') })
  assert.equal((await second).value?.type, 'failed')
  assert.equal((await events.next()).done, true)
})

test('a listener that hangs up ends', async () => {
  const journal = runJournal()
  const control = new AbortController()
  const seen = collect(journal.events(0, { signal: control.signal }))
  journal.tell({ type: 'step', step })
  control.abort()
  assert.deepEqual(await seen, ['1 step'])
})
