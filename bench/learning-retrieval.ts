/**
 * Time to retrieve the prompt of an input from 100,000 prompts of 500 concepts, on a SQLite file.
 *
 *   node bench/learning-retrieval.ts [--prompts 100000] [--asks 300]
 *
 * `first` is a concept that was not asked for since anything was written: its rows and the numbers of the ten
 * nearest are read. `again` is one that was.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom, systemClock } from '../src/base/index.ts'
import { promptBook } from '../src/learning/index.ts'
import { createLearnt } from '../src/memory/index.ts'
import type { LearntRow } from '../src/memory/index.ts'
import { learntStore, migrate, openDb } from '../src/stores/index.ts'
import { mixPrompts } from '../src/tools/index.ts'

const { values: flags } = parseArgs({
  options: {
    prompts: { type: 'string', default: '100000' },
    asks: { type: 'string', default: '300' },
  },
})
const count = Number(flags.prompts)
const concepts = Math.max(1, Math.round(count / 200))
const width = 192
const random = seededRandom('bench')
const folder = mkdtempSync(join(tmpdir(), 'pupil-bench-'))
const db = await openDb(join(folder, 'pupil.db'))
await migrate(db, systemClock)
const rows = learntStore(db, 'home')
const text = (values: Float32Array): string => Buffer.from(values.buffer).toString('base64')
const feature = (): Float32Array => Float32Array.from({ length: width }, () => random.normal())
// Prompts of the encoder are 3 × 100 × 192 numbers; a quarter of that keeps the file small on disk.
const shape = [3, 25, width]
const numbers = text(Float32Array.from({ length: 3 * 25 * width }, () => 0.02 * random.normal()))
for (let from = 0; from < count; from += 5000) {
  await rows.write(async (writer) => {
    for (let i = from; i < Math.min(count, from + 5000); i++) {
      const concept = `concept ${i % concepts}`
      const shared = { id: `p${i}`, key: 'l1', active: true, createdAt: i }
      const head = {
        ...{ id: `p${i}`, tool: 'SELECT', concept, feature: text(feature()), shape, lesson: 'l1' },
        ...{ model: { name: 'm', hash: 'h' }, picture: `${i}`, createdAt: i },
      }
      const one: LearntRow = {
        ...shared,
        kind: 'prompt',
        topic: `SELECT ${concept}`,
        body: JSON.stringify(head),
      }
      await writer.put(one)
      await writer.put({ ...shared, kind: 'prompt-values', body: numbers })
    }
  })
}
const book = promptBook(createLearnt(rows))
const median = (list: readonly number[]): string =>
  (list.toSorted((a, b) => a - b)[list.length >> 1] ?? NaN).toFixed(2)
const worst = (list: readonly number[]): string =>
  (list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)] ?? NaN).toFixed(2)
const first: number[] = []
const again: number[] = []
const spent = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const cpu: number[] = []
for (let i = 0; i < Number(flags.asks); i++) {
  const ask = { tool: 'SELECT', concept: `concept ${i % concepts}`, model: 'h', feature: feature() }
  for (const list of [first, again]) {
    const [start, before] = [performance.now(), spent()]
    if (mixPrompts(await book.near(ask)) === undefined) throw new Error('No prompt was found.')
    list.push(performance.now() - start)
    if (list === first) cpu.push(spent() - before)
  }
}
console.log(`${count} prompts of ${concepts} concepts, features of ${width}`)
console.log(`first  median ${median(first)} ms, 95 % below ${worst(first)} ms`)
console.log(`first  median ${median(cpu)} ms of processor time`)
console.log(`again  median ${median(again)} ms, 95 % below ${worst(again)} ms`)
await db.close()
rmSync(folder, { recursive: true })
