// The picture world: scenes, truth and tasks per CPU second, and the baseline that never looks.
// `node bench/world.ts [CACHE] [TASKS]`. Must hold: 2,000 raw scenes of 256 x 256 a CPU second; text-only
// under 55 % on yes/no and choices, 52 % on statements, 35 % on counts, 5 % on names; every reference
// program right on the truth. CPU seconds, since the machine may be shared.
import {
  answerKind,
  makeTasks,
  openLibrary,
  paintScene,
  runOnTruth,
  sceneTruth,
  TEXT_ONLY_BOUNDS,
  textOnlyBaseline,
  TRAIN_STYLES,
} from '../world/index.ts'
import type { AnswerKind, TextOnlyScore } from '../world/index.ts'

const cacheFolder = process.argv[2] ?? '.cache/sprites'
const count = Number(process.argv[3] ?? 300)

const library = await openLibrary([...TRAIN_STYLES, 'twemoji'], { cacheFolder })
const { lexicon, sprites } = library
const training = sprites.filter(({ style }) => style !== 'twemoji')
const tintable = new Set(
  [...lexicon.concepts.values()].flatMap(({ id, tint }) => (tint ? [id] : [])),
)
const options = { sprites: training, tintable }

/** Calls per CPU second, user and system, after a warm-up. */
function rate(name: string, n: number, work: (i: number) => unknown): void {
  for (let i = 0; i < n; i++) work(i)
  const start = process.cpuUsage()
  for (let i = 0; i < n; i++) work(i)
  const { user, system } = process.cpuUsage(start)
  console.log(`${name}: ${Math.round((n * 1e6) / (user + system))} a CPU second`)
}

rate('raw scenes, 256 x 256', 1500, (i) => paintScene(i, options))
const raws = Array.from({ length: 200 }, (_, i) => paintScene(i, options))
const names = { sprites: '', synset: (id: string) => lexicon.concept(id).synset }
rate('truths of scenes', 200, (i) => {
  const raw = raws[i]
  return raw && sceneTruth(raw, names)
})

const totals = new Map<AnswerKind, TextOnlyScore>()
for (const family of ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge', 'dialogue'] as const) {
  const start = process.cpuUsage()
  const tasks = makeTasks(library, { family, count, styles: ['twemoji'] })
  const { user, system } = process.cpuUsage(start)
  let right = 0
  const checked = tasks.slice(0, 60)
  for (const task of checked) {
    const { answer } = await runOnTruth(task, library)
    const text = answer !== undefined && 'text' in answer ? answer.text : undefined
    if (task.answer === undefined ? answer !== undefined : isRight(task, text)) right++
  }
  console.log(
    `${family}: ${tasks.length} tasks, ${((user + system) / 1e3 / tasks.length).toFixed(0)} CPU ms each; programs right on the truth ${right} of ${checked.length}`,
  )
  if (!tasks.some((task) => answerKind(task) !== undefined)) continue
  const taught = makeTasks(library, {
    ...{ family, count: count * 2, styles: ['noto'], seeds: 'train', wording: 'train' },
    ...{ split: 'known', size: 128 },
  })
  for (const [kind, { right: hits, of }] of textOnlyBaseline(taught, tasks)) {
    const before = totals.get(kind) ?? { right: 0, of: 0 }
    totals.set(kind, { right: before.right + hits, of: before.of + of })
  }
}
for (const [kind, { right, of }] of totals) {
  const bound = kind === 'colour' ? '' : ` (at most ${Math.round(TEXT_ONLY_BOUNDS[kind] * 100)} %)`
  console.log(`text only, ${kind}: ${((100 * right) / of).toFixed(1)} % of ${of}${bound}`)
}

function isRight(
  { answer, accepted = [] }: { readonly answer?: string; readonly accepted?: readonly string[] },
  text: string | undefined,
): boolean {
  return text !== undefined && (text === answer || accepted.includes(text))
}
