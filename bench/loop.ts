/**
 * The closed loop on the picture world: train on corrections, test frozen (offline); or answer a stream, each first
 * answer marked before anything is learnt from it (online).
 *
 *   node bench/loop.ts [--families gqa,nlvr,imgedit,tagging] [--settings offline,online] [--train 24] [--test 40]
 *     [--concepts 8] [--seeds 1] [--methods frozen,demonstrations,exemplar,loop] [--ablations none|all|NAME,…]
 *     [--noise none|all] [--steps N] [--pictures N] [--cache FOLDER] [--cells FOLDER] [--out FILE] [--report]
 *
 * Training is drawn in training styles, tests in the development style; half of the tasks of both hinge on the same
 * new concepts. Tables in the shape of the paper's Tables 3, 5 and 8, with --ablations that of Table 4, with --noise
 * what wrong pictures among those found cost; each share with a 95 % interval (bootstrap over tasks), each method
 * beside the frozen system on the same tasks.
 *
 * Every cell (family, setting, method, seed) is kept on disk as soon as it is measured, under the digest of the
 * weights and sizes, so that a run that was stopped goes on and new weights are measured anew; --report measures
 * nothing and prints what is there. The paper's sizes are --train 500 --test 500 --seeds 3 --concepts 100: hours.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LoopSwitches } from '../src/app/index.ts'
import { DEVELOPMENT_STYLE, openJudge, openLibrary, TRAIN_STYLES } from '../world/index.ts'
import type { TaskFamily } from '../world/index.ts'
import { keptCell, measureCell, weightsDigest } from './loop-cells.ts'
import type { Cell, CellMeans, CellName, CellPlan, Setting } from './loop-cells.ts'
import { reasonLines, TABLE_HEAD, tableRows } from './loop-tables.ts'
import type { Row } from './loop-tables.ts'

const { values: flags } = parseArgs({
  options: {
    families: { type: 'string', default: 'gqa,nlvr,imgedit,tagging' },
    settings: { type: 'string', default: 'offline' },
    train: { type: 'string', default: '24' },
    test: { type: 'string', default: '40' },
    concepts: { type: 'string', default: '8' },
    seeds: { type: 'string', default: '1' },
    methods: { type: 'string', default: 'frozen,demonstrations,exemplar,loop' },
    ablations: { type: 'string', default: 'none' },
    noise: { type: 'string', default: 'none' },
    steps: { type: 'string' },
    pictures: { type: 'string' },
    cache: { type: 'string', default: '.cache/loop' },
    cells: { type: 'string', default: '.cache/loop/cells' },
    out: { type: 'string' },
    report: { type: 'boolean', default: false },
  },
})

/** What takes part. "demonstrations" is the paper's "+ update LLM"; "loop" is everything. */
const METHODS: Readonly<Record<string, LoopSwitches | null>> = {
  frozen: null,
  demonstrations: { tools: false },
  exemplar: { prompts: false, gather: false },
  gathered: { prompts: false },
  loop: {},
}
/**
 * Table 4. Without a planner's model the loop has no plan in words, no incorrect example in a prompt and no results in
 * words to leave out: those parts are equal to the loop and are not run.
 */
const ABLATIONS: Readonly<Record<string, LoopSwitches>> = {
  'without local': { local: false },
  'without global': { global: false },
  'without replay': { replay: false },
  'without incorrect cases': { wrong: false },
  'without correct cases': { right: false },
  'without validation': { validation: false },
}
const NOISE: Readonly<Record<string, readonly [share: number, switches: LoopSwitches]>> = {
  'clean search': [0, {}],
  '30 % wrong pictures': [0.3, {}],
  '30 % wrong, without validation': [0.3, { validation: false }],
}

const number = (name: 'train' | 'test' | 'concepts' | 'seeds'): number => Number(flags[name])
const base: CellPlan = {
  ...{ train: number('train'), test: number('test'), concepts: number('concepts') },
  learning: {
    ...(flags.steps === undefined ? {} : { steps: Number(flags.steps) }),
    ...(flags.pictures === undefined ? {} : { pictures: Number(flags.pictures) }),
  },
}

interface Wanted {
  readonly method: string
  readonly switches: LoopSwitches | null
  readonly plan: CellPlan
}

function chosen(names: string, all: Readonly<Record<string, unknown>>): readonly string[] {
  if (names === 'none') return []
  if (names === 'all') return Object.keys(all)
  const wanted = names.split(',')
  const strange = wanted.find((name) => !Object.hasOwn(all, name))
  if (strange !== undefined)
    throw new Error(`"${strange}" is none of ${Object.keys(all).join(', ')}`)
  return wanted
}

const wanted: readonly Wanted[] = [
  ...chosen(flags.methods, METHODS).map((method) => ({
    ...{ method, switches: METHODS[method] ?? null, plan: base },
  })),
  ...chosen(flags.ablations, ABLATIONS).map((method) => ({
    ...{ method, switches: ABLATIONS[method] ?? {}, plan: base },
  })),
  ...chosen(flags.noise, NOISE).map((method) => {
    const [noise, switches] = NOISE[method] ?? [0, {}]
    return { method, switches, plan: { ...base, noise } }
  }),
]

/** The drawings and the judge are opened when the first cell must be measured. */
let means: Promise<CellMeans & AsyncDisposable> | undefined
async function openMeans(): Promise<CellMeans & AsyncDisposable> {
  const judge = await openJudge()
  const library = await openLibrary([...TRAIN_STYLES, DEVELOPMENT_STYLE], {
    cacheFolder: join(flags.cache, 'world'),
  })
  return {
    ...{ library, cache: flags.cache, cells: flags.cells },
    means: { lexicon: library.lexicon, judge },
    [Symbol.asyncDispose]: () => judge[Symbol.asyncDispose](),
  }
}

async function cellOf(name: CellName, { switches, plan }: Wanted): Promise<Cell | undefined> {
  const kept = keptCell(name, plan, flags.cells)
  if (kept !== undefined || flags.report) return kept
  means ??= openMeans()
  const cell = await measureCell(name, switches, plan, await means)
  const right = cell.marks.filter((one) => one.right).length
  console.error(
    `${name.family} ${name.setting} ${name.method} ${name.seed}: ${right} of ${cell.marks.length}, ${cell.seconds.toFixed(0)} s`,
  )
  return cell
}

const lines: string[] = [
  `train ${base.train}, test ${base.test} a family and seed, ${base.concepts} new concepts, weights ${weightsDigest()}`,
  '',
  ...TABLE_HEAD,
]
const reasons: string[] = []
const families = flags.families.split(',') as TaskFamily[]
for (const family of families) {
  for (const setting of flags.settings.split(',') as Setting[]) {
    const rows: Row[] = []
    for (const one of wanted) {
      const cells: Cell[] = []
      for (let seed = 0; seed < number('seeds'); seed++) {
        const cell = await cellOf({ family, setting, method: one.method, seed }, one)
        if (cell !== undefined) cells.push(cell)
      }
      if (cells.length > 0) rows.push({ method: one.method, cells })
    }
    lines.push(...tableRows(family, setting, rows))
    const why = reasonLines(rows)
    if (why.length > 0) reasons.push('', `${family}, ${setting}: what was not learnt`, '', ...why)
  }
}
const text = `${[...lines, ...reasons].join('\n')}\n`
console.log(text)
if (flags.out !== undefined) {
  mkdirSync(dirname(flags.out), { recursive: true })
  writeFileSync(flags.out, text)
}
await (await means)?.[Symbol.asyncDispose]()
