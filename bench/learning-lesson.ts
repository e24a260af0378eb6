/**
 * A whole lesson on the starter models: how soon the examples act, how long the lesson takes in a worker process, what
 * part of that is tuning, and how much memory the process takes.
 *
 *   node bench/learning-lesson.ts [--lessons 50] [--tool SELECT] [--memory 1500] [--cache FOLDER]
 *
 * Each lesson is one picture of a new concept, a crop of a scene in a training style, taught by `teach`; the rest is
 * gathered from the picture world's drawings. Wall time on this machine: say what else runs on it.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPupil } from '../src/app/index.ts'
import { createImage, cropImage, encodePng } from '../src/image/index.ts'
import { openLibrary, TRAIN_STYLES } from '../world/index.ts'

const { values: flags } = parseArgs({
  options: {
    lessons: { type: 'string', default: '50' },
    tool: { type: 'string', default: 'SELECT' },
    memory: { type: 'string', default: '1500' },
    cache: { type: 'string', default: '.cache/loop' },
  },
})
const library = await openLibrary(TRAIN_STYLES, { cacheFolder: join(flags.cache, 'world') })
const home = mkdtempSync(join(tmpdir(), 'pupil-lesson-'))
const pupil = await openPupil({
  config: {
    ...{ profile: 'starter', cache: flags.cache, sources: { world: true } },
    learning: { memory: Number(flags.memory) },
  },
  cwd: home,
  env: { PUPIL_HOME: home },
})

/** A crop of a scene that shows the concept. */
function cropOf(id: string, seed: number): Uint8Array | undefined {
  const recipe = {
    ...{ seed, size: 256, styles: TRAIN_STYLES, objects: 3, wanted: [id], tints: [] },
    ...{ without: [], fresh: [id] },
  }
  const { rgb, width, height } = library.paint(recipe)
  const seen = library.scene(recipe).graph.objects.find(({ concept }) => concept === id)
  if (seen === undefined) return undefined
  const crop = cropImage(createImage(rgb, width, height), seen.box)
  return encodePng(crop.data, crop.width, crop.height)
}

/** The largest resident memory of any child that has ended or runs, in MiB; Linux only. */
function peakOf(pid: number): number {
  const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

function childrenOf(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

const at = (values: readonly number[], share: number): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0).toFixed(1)

const acts: number[] = []
const whole: number[] = []
let peak = 0
let failed = 0
const concepts = library.conceptsOf(TRAIN_STYLES, 'new')
for (let n = 0; whole.length + failed < Number(flags.lessons) && n < 400; n++) {
  const id = concepts[n % concepts.length] as string // there are some
  const picture = cropOf(id, 9000 + n)
  if (picture === undefined) continue
  const start = performance.now()
  const concept = library.lexicon.concept(id).label
  await pupil.learning.teach({ tool: flags.tool, concept, pictures: [picture] })
  acts.push((performance.now() - start) / 1000)
  const look = setInterval(() => {
    for (const pid of childrenOf(process.pid)) {
      try {
        peak = Math.max(peak, peakOf(pid))
      } catch {
        // It ended between the two looks.
      }
    }
  }, 100)
  const begun = performance.now()
  await pupil.learning.jobs.processes({ once: true, note: (text) => console.error(text) })
  clearInterval(look)
  const [job] = await pupil.learning.jobs.list()
  if (job?.state === 'done') whole.push((performance.now() - begun) / 1000)
  else failed++
  console.error(
    `${n} ${concept}: ${job?.state} ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  )
}
console.log('| what | median | 95 % | target |')
console.log('|---|---|---|---|')
console.log(`| examples act | ${at(acts, 0.5)} s | ${at(acts, 0.95)} s | 2 s |`)
console.log(
  `| lesson in a worker process, start to end | ${at(whole, 0.5)} s | ${at(whole, 0.95)} s | 60 s |`,
)
console.log(`| memory of the process, highest of all | ${peak.toFixed(0)} MiB | – | 1500 MiB |`)
console.log(`\n${whole.length} lessons done, ${failed} not; load ${loadavg()[0]?.toFixed(1)}`)
await pupil.close()
rmSync(home, { recursive: true, force: true })
