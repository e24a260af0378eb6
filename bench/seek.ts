/**
 * How well the seeking agent answers the picture world's knowledge questions, offline and without a language
 * model: along the graph, with the best fixed sequence of the same tools, without the graph, and with groups of
 * tools taken away; on concepts and on wordings that were not used to choose anything.
 *
 * With `--tools truth` the tools read the scene and err at stated rates; with `--tools starter` they are the
 * shipped starter models, which look at the painted picture.
 *
 * npm run bench:seek [-- --tools starter] [--count 150] [--seeds 3] [--only dynamic] [--first 6] [--show 5]
 */
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { createImage } from '../src/image/index.ts'
import { createSeekingAgent, FREE_GRAPH, seekOutcome } from '../src/agents/index.ts'
import type {
  SeekOptions,
  SeekTool,
  Task as SeekTask,
  TransitionGraph,
} from '../src/agents/index.ts'
import { seededRandom } from '../src/base/index.ts'
import { openWordnet, wordnetFacts } from '../src/tools/index.ts'
import { DEVELOPMENT_STYLE, makeTasks, openLibrary } from '../world/index.ts'
import type { Library, Task } from '../world/index.ts'
import { statelessGraphs } from './seek-free.ts'
import { starterTools } from './seek-starter.ts'
import { RATES, worldTools } from './seek-world.ts'

const { values: flags } = parseArgs({
  options: {
    tools: { type: 'string', default: 'truth' },
    like: { type: 'string' },
    count: { type: 'string', default: '150' },
    seeds: { type: 'string', default: '3' },
    cache: { type: 'string', default: `${process.env['HOME'] ?? '.'}/.cache/pupil/world` },
    only: { type: 'string' },
    first: { type: 'string', default: '0' },
    show: { type: 'string', default: '0' },
  },
})
const [count, seeds, show] = [flags.count, flags.seeds, flags.show].map(Number) as [
  number,
  number,
  number,
]

interface Row {
  readonly right: boolean
  readonly answered: boolean
  readonly calls: number
}

/** Milliseconds of our own work for each decision of each run: choosing, checking, reading, noting. */
const overheads: number[] = []

const wordnet = await openWordnet()
const facts = wordnetFacts(async () => wordnet)
const library = await openLibrary([DEVELOPMENT_STYLE], { cacheFolder: flags.cache })

const starter =
  flags.tools === 'starter'
    ? await starterTools({
        cache: dirname(flags.cache),
        ...(flags.like === undefined ? {} : { likeFrom: Number(flags.like) }),
      })
    : undefined

const tasksOf = (seed: number, split: 'known' | 'new', wording: 'train' | 'held-out' | 'both') =>
  makeTasks(library, {
    ...{ family: 'knowledge', count, seed, split, wording, styles: [DEVELOPMENT_STYLE] },
  })

const PICTURES = new Map<string, ReturnType<typeof createImage>>()

function pictureOf(task: Task, world: Library) {
  const [scene] = task.scenes
  if (scene === undefined) throw new TypeError('a knowledge question has a picture')
  const known = PICTURES.get(scene.image)
  if (known !== undefined) return { scene, image: known }
  const raw = world.paint(scene.recipe)
  const image = createImage(raw.rgb, raw.width, raw.height)
  PICTURES.set(scene.image, image)
  return { scene, image }
}

const level = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .trim()

async function ask(task: Task, seed: number, options: SeekOptions): Promise<Row> {
  const { scene, image } = pictureOf(task, library)
  const tools =
    starter?.providers ??
    worldTools(library.lexicon, scene.graph, { seed: `${seed}/${scene.image}` })
  let inTools = 0
  const timed = [...tools, facts].map((one) => ({
    ...one,
    call: async (...args: Parameters<typeof one.call>) => {
      const begun = performance.now()
      try {
        return await one.call(...args)
      } finally {
        inTools += performance.now() - begun
      }
    },
  }))
  const agent = createSeekingAgent({ providers: timed })
  const seekTask: SeekTask = {
    ...{ agent: 'seeking', family: 'seek', instruction: task.instruction, seed },
    inputs: { IMAGE: image },
  }
  const begun = performance.now()
  const run = await agent.run(seekTask, { options, id: `bench-${task.id}` })
  const decisions = run.steps.filter(({ kind }) => kind === 'decide').length
  overheads.push((performance.now() - begun - inTools) / Math.max(1, decisions))
  const outcome = seekOutcome(run)
  const short = outcome?.answer?.short
  const accepted = [task.answer ?? '', ...(task.accepted ?? [])].map(level)
  const right = short !== undefined && accepted.includes(level(short))
  const calls = run.steps.filter(({ kind }) => kind === 'call').length
  if (!right && shown-- > 0) explain(task, run.steps, short)
  return { right, answered: short !== undefined, calls }
}

let shown = 0

function explain(task: Task, steps: readonly unknown[], short: string | undefined): void {
  const things = task.scenes[0]?.graph.objects.map(({ concept }) => concept).join(', ')
  console.log(
    `\n${task.instruction} [${task.wording}]\n  is ${task.answer}, said ${short}; shows ${things}`,
  )
  for (const step of steps as readonly Record<string, unknown>[]) {
    const { kind, tool, result, verdict, bound, chosen, why, reason } = step
    const text = JSON.stringify({ tool, result, verdict, bound, chosen, why, reason })
    console.log(`  ${String(kind)} ${text.slice(0, 300)}`)
  }
}

/** Mean and 95 % interval in points, by drawing questions anew. */
function mean(values: readonly number[]): readonly [number, number, number] {
  const random = seededRandom(11)
  const of = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length
  const draws = Array.from({ length: 2000 }, () =>
    of(Array.from(values, () => values[random.below(values.length)] ?? 0)),
  ).toSorted((a, b) => a - b)
  return [of(values), draws[50] ?? 0, draws[1949] ?? 0].map((one) => 100 * one) as [
    number,
    number,
    number,
  ]
}

const SINGLE: readonly SeekTool[][] = [
  ['caption'],
  ['vqa'],
  ['detect', 'select_object'],
  ['image_search'],
]

/** Every order of every part of the tools, each once, and then the knowledge base. */
function orders(): readonly (readonly SeekTool[])[] {
  const all: SeekTool[][] = []
  const grow = (had: readonly number[]): void => {
    if (had.length > 0) all.push([...had.flatMap((i) => SINGLE[i] ?? []), 'kb_lookup'])
    for (let i = 0; i < SINGLE.length; i++) if (!had.includes(i)) grow([...had, i])
  }
  grow([])
  return all
}

const again = (n: number, tools: readonly SeekTool[]): readonly SeekTool[] =>
  Array.from({ length: n }, () => tools).flat()

/** Sequences that use a tool several times: more than the paper compares with. */
const REPEATED: readonly (readonly SeekTool[])[] = [
  ['detect', ...again(2, ['select_object', 'image_search']), 'kb_lookup'],
  ['detect', ...again(2, ['select_object', 'vqa']), 'kb_lookup'],
  ['detect', ...again(2, ['select_object', 'image_search', 'vqa']), 'kb_lookup'],
  ['detect', ...again(3, ['select_object', 'image_search', 'kb_lookup'])],
  ['detect', ...again(3, ['select_object', 'vqa', 'kb_lookup'])],
  ['detect', ...again(2, ['select_object', 'image_search', 'vqa', 'kb_lookup'])],
]

const nameOfSequence = (tools: readonly SeekTool[]): string => tools.join(' > ')

/** What does best on questions apart from those of the tables. */
async function best<T>(
  choices: readonly T[],
  tasks: readonly Task[],
  optionsOf: (choice: T) => SeekOptions,
): Promise<T> {
  let winner: { readonly choice: T; readonly right: number } | undefined
  for (const choice of choices) {
    let right = 0
    for (const task of tasks) right += Number((await ask(task, 8, optionsOf(choice))).right)
    if (winner === undefined || right > winner.right) winner = { choice, right }
  }
  if (winner === undefined) throw new TypeError('there are choices')
  return winner.choice
}

const development = tasksOf(8, 'known', 'train').slice(0, 60)
const wanted = flags.only?.split(',')
const inSequence = (sequence: readonly SeekTool[]): SeekOptions => ({ sequence })
const once = wanted ? [] : await best(orders(), development, inSequence)
const repeated = wanted ? [] : await best(REPEATED, development, inSequence)
const stateless = wanted
  ? FREE_GRAPH
  : await best(statelessGraphs(), development, (graph: TransitionGraph) => ({ graph }))

const SYSTEMS: readonly (readonly [name: string, options: SeekOptions])[] = [
  ['dynamic', {}],
  [`best sequence, each tool once: ${nameOfSequence(once)}`, { sequence: once }],
  [`best sequence with repeats: ${nameOfSequence(repeated)}`, { sequence: repeated }],
  [
    `without the graph, best order of ${statelessGraphs().length}: ${stateless.name}`,
    { graph: stateless },
  ],
  ['without the graph, no order', { graph: FREE_GRAPH }],
  ['without the graph and recorded decisions', { graph: FREE_GRAPH, examples: 0 }],
  ['without recorded decisions', { examples: 0 }],
  ['without detection and selection', { without: ['detect', 'select_object'] }],
  ['without caption and questions', { without: ['caption', 'vqa'] }],
  ['without picture search', { without: ['image_search'] }],
  ['without the knowledge base', { without: ['kb_lookup'] }],
]

const SPLITS = [
  ['unseen concepts', 'new', 'both'],
  ['unseen questions', 'known', 'held-out'],
] as const

const started = performance.now()
console.log(
  starter === undefined
    ? `Tools are right this often: ${JSON.stringify(RATES)}`
    : 'Tools are the shipped starter models; picture search finds drawings of other styles.',
)
for (const [split, concepts, wording] of SPLITS) {
  console.log(`\n## ${split}: ${seeds} seeds of ${count} questions\n`)
  console.log('| system | right, % | 95 % | answered, % | tool calls | dynamic ahead by |')
  console.log('|---|---|---|---|---|---|')
  const tasks = Array.from({ length: seeds }, (_, seed) =>
    tasksOf(Number(flags.first) + seed, concepts, wording),
  )
  let dynamic: readonly Row[] = []
  for (const [name, options] of SYSTEMS.filter(([one]) => wanted?.includes(one) ?? true)) {
    shown = show
    const rows: Row[] = []
    for (const [seed, list] of tasks.entries()) {
      for (const task of list) rows.push(await ask(task, seed, options))
    }
    if (name === 'dynamic') dynamic = rows
    const [right, low, high] = mean(rows.map((row) => Number(row.right)))
    const ahead = mean(rows.map((row, i) => Number(dynamic[i]?.right ?? false) - Number(row.right)))
    const answered = (100 * rows.filter((row) => row.answered).length) / rows.length
    const calls = rows.reduce((sum, row) => sum + row.calls, 0) / rows.length
    const seedsRight = tasks.map((list, i) => {
      const before = tasks.slice(0, i).reduce((sum, one) => sum + one.length, 0)
      const part = rows.slice(before, before + list.length)
      return ((100 * part.filter((row) => row.right).length) / part.length).toFixed(1)
    })
    const lead =
      name === 'dynamic'
        ? '–'
        : `${ahead[0].toFixed(1)} (${ahead[1].toFixed(1)} … ${ahead[2].toFixed(1)})`
    console.log(
      `| ${name} | ${right.toFixed(1)} (${seedsRight.join(', ')}) | ${low.toFixed(1)} … ${high.toFixed(1)} | ${answered.toFixed(1)} | ${calls.toFixed(1)} | ${lead} |`,
    )
    if (wanted !== undefined) byType(tasks.flat(), rows)
  }
}
const sorted = overheads.toSorted((a, b) => a - b)
const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(2)
console.log(
  `\nOwn overhead per decision: median ${at(0.5)} ms, p95 ${at(0.95)} ms (${sorted.length} runs)`,
)
console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`)
await starter?.close()

function byType(tasks: readonly Task[], rows: readonly Row[]): void {
  for (const type of new Set(tasks.map((task) => task.wording))) {
    const mine = rows.filter((_, i) => tasks[i]?.wording === type)
    console.log(`  ${type}: ${mine.filter((row) => row.right).length} of ${mine.length}`)
  }
}
