/**
 * The closed loop on the picture world: train on corrections, test frozen (offline); or answer a stream, each first
 * answer marked before anything is learnt from it (online).
 *
 *   node bench/loop.ts [--families gqa,nlvr,imgedit,tagging] [--train 6] [--test 12] [--seeds 1]
 *     [--setting offline|online|both] [--ablations none|all|NAME,NAME] [--prompts yes|no] [--profile starter]
 *     [--cache FOLDER] [--out FOLDER]
 *
 * Training tasks are drawn in training styles, test tasks in the development style; new concepts of the test tasks
 * are those of the training tasks where there are enough. Tables in the shape of the paper's Tables 3, 5 and 8, and
 * with --ablations that of Table 4; each share with a 95 % interval (bootstrap over tasks), each method beside the
 * frozen system on the same tasks: fixed, broken. The paper's sizes are --train 500 --test 500 --seeds 3: hours.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPupil } from '../src/app/index.ts'
import type { LoopReport, LoopSwitches, LoopTask, Pupil } from '../src/app/index.ts'
import { bootstrapShares } from '../src/evaluate/index.ts'
import { encodePng } from '../src/image/index.ts'
import {
  DEVELOPMENT_STYLE,
  makeTasks,
  openJudge,
  openLibrary,
  scoreTask,
  taskInputs,
  TRAIN_STYLES,
  worldDemonstrations,
} from '../world/index.ts'
import type { Library, ScoreMeans, Task, TaskFamily } from '../world/index.ts'

const { values: flags } = parseArgs({
  options: {
    families: { type: 'string', default: 'gqa,nlvr,imgedit,tagging' },
    train: { type: 'string', default: '6' },
    test: { type: 'string', default: '12' },
    seeds: { type: 'string', default: '1' },
    setting: { type: 'string', default: 'offline' },
    ablations: { type: 'string', default: 'none' },
    prompts: { type: 'string', default: 'yes' },
    profile: { type: 'string', default: 'starter' },
    cache: { type: 'string' },
    out: { type: 'string' },
  },
})
const families = flags.families.split(',') as TaskFamily[]
const [trainSize, testSize, seeds] = [flags.train, flags.test, flags.seeds].map(Number) as [
  number,
  number,
  number,
]
const work = mkdtempSync(join(tmpdir(), 'pupil-loop-'))
const cache = flags.cache ?? join(work, 'cache')

/** What takes part. "update LLM" learns demonstrations alone, as the paper's rows do. */
const METHODS: Readonly<Record<string, LoopSwitches | null>> = {
  frozen: null,
  '+ update demonstrations': { tools: false },
  '+ update tools': { prompts: flags.prompts === 'yes' },
}
const whole: LoopSwitches = { prompts: flags.prompts === 'yes' }
/** Table 4. Plans, intermediate results and prompt validation need a planner model or prompts to differ at all. */
const ABLATIONS: Readonly<Record<string, LoopSwitches>> = {
  'without local': { ...whole, local: false },
  'without global': { ...whole, global: false },
  'without replay': { ...whole, replay: false },
  'without incorrect cases': { ...whole, wrong: false },
  'without correct cases': { ...whole, right: false },
  'without prompts': { ...whole, prompts: false },
}

interface Marked {
  readonly id: string
  readonly concept: 'known' | 'new'
  readonly right: boolean
  /** Tagging: matched, and expected + given. */
  readonly f1?: readonly [number, number]
}

type Marks = Map<string, Marked>

function tasksOf(
  library: Library,
  family: TaskFamily,
  seed: number,
): { train: Task[]; test: Task[] } {
  const of = (count: number, more: object): Task[] => [
    ...makeTasks(library, {
      family,
      count,
      seed,
      size: 256,
      wording: 'train',
      split: 'both',
      ...more,
    } as Parameters<typeof makeTasks>[1]),
  ]
  const train = of(trainSize, { styles: TRAIN_STYLES, seeds: 'train' })
  const taught = new Set(train.flatMap(({ hinges }) => hinges))
  const pool = of(4 * testSize, { styles: [DEVELOPMENT_STYLE], seeds: 'development' })
  const first = pool.filter(({ hinges }) => hinges.some((one) => taught.has(one)))
  const known = pool.filter(({ hinges }) => hinges.length === 0)
  const half = Math.ceil(testSize / 2)
  const rest = pool.filter((one) => !first.includes(one) && !known.includes(one))
  const fresh = [...first, ...rest].slice(0, half)
  return { train, test: [...fresh, ...known.slice(0, testSize - fresh.length)] }
}

function loopTask(task: Task, library: Library, means: ScoreMeans, marks: Marks): LoopTask {
  const inputs = Object.values(taskInputs(task, library))
  const before = inputs[0]
  const pictures = inputs.map(({ data, width, height }) => encodePng(data, width, height))
  return {
    ...{ id: task.id, family: task.family, instruction: task.instruction, pictures },
    ...(task.answer === undefined ? {} : { answer: task.answer }),
    judge: async ({ outcome }) => {
      const value = outcome.status === 'done' ? outcome.value : undefined
      const score = await scoreTask(task, { value, before }, means)
      const tags = score.tags?.strict
      // The first answer counts (vector L16); what is answered after learning does not.
      if (marks.has(task.id)) return score.strict
      marks.set(task.id, {
        ...{ id: task.id, concept: task.split.concept, right: score.strict },
        ...(tags === undefined
          ? {}
          : { f1: [2 * tags.hits, 2 * tags.hits + tags.misses + tags.surplus] as const }),
      })
      return score.strict
    },
  }
}

async function withPupil<T>(use: (pupil: Pupil) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(work, 'home-'))
  const pupil = await openPupil({
    config: { profile: flags.profile as 'starter', cache, sources: { world: true } },
    cwd: home,
    env: { PUPIL_HOME: home },
  })
  // What the frozen system of `pupil eval world` plans by: examples in training wordings.
  for (const { family, instruction, program } of worldDemonstrations()) {
    await pupil.demonstrations.add({
      family,
      instruction,
      ...(program === undefined ? {} : { program }),
    })
  }
  try {
    return await use(pupil)
  } finally {
    await pupil.close()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Cell {
  readonly marks: readonly Marked[]
  /** How training tasks ended. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly lessons: number
  /** Tests that ended in an error, by code. */
  readonly errors: Readonly<Record<string, number>>
}

async function cellOf(
  family: TaskFamily,
  setting: 'offline' | 'online',
  switches: LoopSwitches | null,
  worlds: readonly { library: Library; means: ScoreMeans; train: Task[]; test: Task[] }[],
): Promise<Cell> {
  const all: Marked[] = []
  const outcomes: Record<string, number> = {}
  let lessons = 0
  const errors: Record<string, number> = {}
  const note = ({ results }: LoopReport): void => {
    for (const { error } of results)
      if (error !== undefined) errors[error] = (errors[error] ?? 0) + 1
  }
  for (const { library, means, train, test } of worlds) {
    await withPupil(async (pupil) => {
      const marks: Marks = new Map()
      const asLoop = (tasks: readonly Task[]): LoopTask[] =>
        tasks.map((task) => loopTask(task, library, means, marks))
      const count = ({ results }: LoopReport): void => {
        for (const one of results) {
          outcomes[one.outcome] = (outcomes[one.outcome] ?? 0) + 1
          lessons += one.lessons.length
        }
      }
      if (setting === 'offline') {
        if (switches !== null) count(await pupil.train(asLoop(train), { switches }))
        marks.clear()
        note(await pupil.evaluate(asLoop(test)))
        all.push(...marks.values())
      } else {
        const stream = [...train, ...test]
        for (const task of stream) {
          const [one] = asLoop([task])
          if (one === undefined) continue
          if (switches === null) note(await pupil.evaluate([one]))
          else {
            const report = await pupil.train([one], { switches })
            count(report)
            note(report)
          }
        }
        all.push(...marks.values())
      }
    })
    console.error(`${family} ${setting} ${JSON.stringify(switches)}: ${all.length} tasks`)
  }
  return { marks: all, outcomes, lessons, errors }
}

const percent = (value: number): string => (100 * value).toFixed(1)

function share(marks: readonly Marked[]): string {
  if (marks.length === 0) return '–'
  const parts = marks.map(({ right, f1 }) => f1 ?? ([Number(right), 1] as const))
  const [over, under] = parts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0] as readonly [
    number,
    number,
  ])
  const [low, high] = bootstrapShares(parts)
  return `${percent(under === 0 ? 1 : over / under)} [${percent(low)}, ${percent(high)}]`
}

function paired(frozen: readonly Marked[], marks: readonly Marked[]): string {
  const before = new Map(frozen.map((one) => [one.id, one.right]))
  const fixed = marks.filter(({ id, right }) => right && before.get(id) === false).length
  const broken = marks.filter(({ id, right }) => !right && before.get(id) === true).length
  return `+${fixed} −${broken}`
}

const judge = await openJudge()
const lines: string[] = []
const say = (line: string): void => {
  lines.push(line)
  console.log(line)
}
const settings =
  flags.setting === 'both' ? (['offline', 'online'] as const) : [flags.setting as 'offline']
const chosen =
  flags.ablations === 'none'
    ? []
    : Object.keys(ABLATIONS).filter(
        (name) => flags.ablations === 'all' || flags.ablations.split(',').includes(name),
      )
const library = await openLibrary([...TRAIN_STYLES, DEVELOPMENT_STYLE], {
  cacheFolder: join(cache, 'world'),
})
const means: ScoreMeans = { lexicon: library.lexicon, judge }
say(
  `train ${trainSize}, test ${testSize} a family and seed, ${seeds} seeds, profile ${flags.profile}`,
)
say('')
say(
  '| family | setting | method | all | new concepts | known concepts | fixed, broken | training | lessons | errors |',
)
say('|---|---|---|---|---|---|---|---|---|---|')
for (const family of families) {
  const worlds = Array.from({ length: seeds }, (_, seed) => ({
    library,
    means,
    ...tasksOf(library, family, seed),
  }))
  for (const setting of settings) {
    let frozen: readonly Marked[] = []
    const rows = {
      ...METHODS,
      ...Object.fromEntries(chosen.map((name) => [name, ABLATIONS[name] ?? {}])),
    }
    for (const [name, switches] of Object.entries(rows)) {
      const { marks, outcomes, lessons, errors } = await cellOf(family, setting, switches, worlds)
      if (switches === null) frozen = marks
      const of = (concept: Marked['concept']): string =>
        share(marks.filter((one) => one.concept === concept))
      const listed = (counts: Readonly<Record<string, number>>): string =>
        Object.entries(counts)
          .map(([key, count]) => `${key} ${count}`)
          .join(', ')
      say(
        `| ${family} | ${setting} | ${name} | ${share(marks)} | ${of('new')} | ${of('known')} | ${paired(frozen, marks)} | ${listed(outcomes)} | ${lessons} | ${listed(errors)} |`,
      )
    }
  }
}
if (flags.out !== undefined) {
  mkdirSync(flags.out, { recursive: true })
  writeFileSync(join(flags.out, 'loop.md'), `${lines.join('\n')}\n`)
}
await judge[Symbol.asyncDispose]()
rmSync(work, { recursive: true, force: true })
