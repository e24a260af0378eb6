/**
 * How fast an index of passages answers from disk, and how much memory it takes, building and answering in
 * processes of their own.
 *
 * node bench/seek-index.ts [passages, default 1000000] [folder to keep it in]
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '../src/base/index.ts'
import { buildPassageIndex, openPassageIndex } from '../src/tools/index.ts'

const [count = '1000000', given, role] = process.argv.slice(2)
const random = seededRandom(role === 'search' ? 6 : 5)

/** Words by Zipf's law over 300,000, as in an encyclopaedia: few that are everywhere, many that are rare. */
const WORDS = 300_000
const word = (): number =>
  Math.min(WORDS - 1, Math.floor(Math.exp(random.next() * Math.log(WORDS))))
const text = (length: number): string =>
  Array.from({ length }, () => `w${word().toString(36)}`).join(' ')
function* passages() {
  for (let i = 0; i < Number(count); i++) {
    yield { text: text(40), title: `Title ${i}`, source: `doc${i >> 4}`, offset: (i & 15) * 300 }
  }
}
const memory = (): string => `${(process.resourceUsage().maxRSS / 1000).toFixed(0)} MB at most`

async function build(folder: string): Promise<void> {
  const start = performance.now()
  const built = await buildPassageIndex(folder, passages(), {
    progress: ({ loaded = 0 }) => {
      if (loaded % 200_000 === 0) console.error(`${loaded} passages`)
    },
  })
  const seconds = (performance.now() - start) / 1000
  console.log(`build: ${built.passages} passages in ${seconds.toFixed(0)} s, memory ${memory()}`)
}

/** Five words as people ask: some usual, some telling. */
async function search(folder: string): Promise<void> {
  const index = await openPassageIndex(folder)
  const times: number[] = []
  for (let i = 0; i < 400; i++) {
    const query = text(5)
    const before = performance.now()
    await index.search(query, { limit: 8 })
    if (i >= 20) times.push(performance.now() - before)
  }
  times.sort((a, b) => a - b)
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  const [median, p95] = [at(0.5), at(0.95)]
  console.log(`search: median ${median} ms, p95 ${p95} ms, p99 ${at(0.99)} ms, memory ${memory()}`)
  await index.close()
}

if (role === 'build' && given !== undefined) await build(given)
else if (role === 'search' && given !== undefined) await search(given)
else {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'pupil-seek-index-')))
  for (const part of ['build', 'search']) {
    const args = [import.meta.filename, count, folder, part]
    execFileSync(process.execPath, args, { stdio: 'inherit' })
  }
  if (given === undefined) await rm(folder, { recursive: true })
}
