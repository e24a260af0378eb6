/**
 * How fast an index of passages answers from disk, and how much memory it takes.
 *
 * node bench/seek-index.ts [passages, default 1000000] [folder]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../src/base/index.ts'
import { buildPassageIndex, openPassageIndex } from '../src/tools/index.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const given = process.argv[3]
const folder = given ?? (await mkdtemp(join(tmpdir(), 'pupil-seek-index-')))
const random = seededRandom(5)

/** Words by Zipf's law over 300,000, as in an encyclopaedia: few that are everywhere, many that are rare. */
const WORDS = 300_000
function word(): number {
  return Math.min(WORDS - 1, Math.floor(Math.exp(random.next() * Math.log(WORDS))))
}
const text = (length: number): string =>
  Array.from({ length }, () => `w${word().toString(36)}`).join(' ')
function* passages() {
  for (let i = 0; i < count; i++) {
    yield { text: text(40), title: `Title ${i}`, source: `doc${i >> 4}`, offset: (i & 15) * 300 }
  }
}

const start = performance.now()
let most = 0
const built = await buildPassageIndex(folder, passages(), {
  progress: ({ loaded }) => {
    most = Math.max(most, process.memoryUsage().rss)
    if (loaded !== undefined && loaded % 200_000 === 0)
      console.error(`${loaded} passages, ${((performance.now() - start) / 1000).toFixed(0)} s`)
  },
})
const seconds = (performance.now() - start) / 1000
const index = await openPassageIndex(folder)
// Questions as people ask: two or three telling words and two usual ones.
const queries = Array.from({ length: 300 }, () => text(5))
const times: number[] = []
for (const query of queries) {
  const before = performance.now()
  await index.search(query, { limit: 8 })
  times.push(performance.now() - before)
}
times.sort((a, b) => a - b)
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`
console.log(
  `passages ${built.passages}, built in ${seconds.toFixed(1)} s from ${built.resumedAt}, at most ${mb(most)} of memory`,
)
console.log(
  `search: median ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(0.999)} ms; memory ${mb(process.memoryUsage().rss)}`,
)
await index.close()
if (given === undefined) await rm(folder, { recursive: true })
