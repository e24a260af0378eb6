/**
 * Blame by replay on generated faulty runs: reference programs of picture-world tasks on tools that read the
 * truth, with one or two wrong results planted, that make the answer wrong.
 *
 * A planted fault is the tool's, not the record's: called again at that step, it errs in the same way. Told to
 * the reflector: the right answer, the boxes of what stands in the picture (not what it is), and in the first
 * two rows scores as a calibrated tool gives them (right results 0.6 to 1, planted ones 0.25 to 0.8; objects
 * that were missed leave no score). Two faults: both are needed to set the answer right.
 *
 * Repeat with: node bench/replay-blame.ts [runs] [runs with two faults]
 */
import { noProgress, seededRandom } from '../src/base/index.ts'
import type { Random } from '../src/base/index.ts'
import { createImage, iou, toOriginal } from '../src/image/index.ts'
import type { Box, Image, ObjectRecord } from '../src/image/index.ts'
import { FAMILIES, parse, runProgram } from '../src/program/index.ts'
import type { CallStep, CallTool, ToolResult, Value } from '../src/program/index.ts'
import { isFallible, replayReflector, sameAnswer } from '../src/reflection/index.ts'
import type { Attempt, Blame, ReplayOptions } from '../src/reflection/index.ts'
import { createToolbox } from '../src/tools/index.ts'
import { fixtureLibrary } from '../world/tasks/fixtures.ts'
import { makeTasks } from '../world/tasks/make-tasks.ts'
import type { Task } from '../world/tasks/task.ts'
import { truthBackends } from '../world/tasks/truth-backends.ts'
import { inView } from '../world/tasks/truth-view.ts'

const [ones = 500, twos = 500] = process.argv.slice(2).map(Number)
const WORDS =
  'red blue green black white brown yellow cup dog car tree left right wood metal'.split(' ')

interface World {
  readonly task: Task
  readonly inputs: Readonly<Record<string, Image>>
  readonly call: CallTool
  readonly boxes: (image: Image) => readonly ObjectRecord['box'][]
}

const library = await fixtureLibrary()
const { signatures } = createToolbox({ backends: truthBackends(library.lexicon, []) })

function worldOf(task: Task): World {
  const scenes = task.scenes.map((one) => {
    const raw = library.paint(one.recipe)
    const image = createImage(raw.rgb, raw.width, raw.height)
    return { graph: one.graph, image, fillings: { raw, drawingOf: () => undefined } }
  })
  const toolbox = createToolbox({ backends: truthBackends(library.lexicon, scenes) })
  const names = task.family === 'nlvr' ? ['LEFT', 'RIGHT'] : ['IMAGE']
  return {
    task,
    inputs: Object.fromEntries(scenes.map(({ image }, i) => [names[i] ?? '', image])),
    call: (tool, args, context) => toolbox.call(tool, args, { ...context, progress: noProgress }),
    boxes: (image) => {
      const scene = scenes.find((one) => one.image.frame.original === image.frame.original)
      return scene === undefined ? [] : inView(scene.graph, image).objects.map(({ box }) => box)
    },
  }
}

/** The tools with faults at some steps of the text. */
function faulty(world: World, steps: ReadonlySet<number>, seed: number, scores: boolean): CallTool {
  return async (tool, args, context) => {
    const result = await world.call(tool, args, context)
    const image = Object.values(args).find(
      (one) => (one as { type?: string } | null)?.type === 'image',
    )
    const random = seededRandom(seed * 1000 + context.step)
    const wrong = steps.has(context.step)
    const value = wrong
      ? spoil(result.value, random, world, image as Image | undefined)
      : result.value
    return scored({ ...result, value }, result.value, random, scores)
  }
}

function spoil(value: Value, random: Random, world: World, image: Image | undefined): Value {
  if (typeof value === 'string') {
    if (value === 'yes' || value === 'no') return value === 'yes' ? 'no' : 'yes'
    const number = Number(value)
    if (value !== '' && Number.isFinite(number))
      return String(Math.max(0, number + (random.next() < 0.5 ? 1 : -1)))
    return WORDS[random.below(WORDS.length)] ?? 'thing'
  }
  if (!Array.isArray(value) || image === undefined) return value
  const found = value as readonly ObjectRecord[]
  const free = world.boxes(image).filter((box) => found.every((one) => iou(one.box, box) < 0.9))
  const extra = free[random.below(Math.max(1, free.length))]
  const added: ObjectRecord | undefined =
    extra === undefined
      ? undefined
      : Object.freeze({
          ...{
            type: 'object',
            id: `wrong.${random.below(1e6)}`,
            box: extra,
            mask: null,
            score: 0.5,
          },
          ...{ category: found[0]?.category ?? 'thing', frame: image.frame },
        })
  const at = random.below(Math.max(1, found.length))
  const kind = random.next()
  if (found.length > 0 && (kind < 0.45 || added === undefined))
    return found.filter((_, i) => i !== at)
  if (added === undefined) return found
  return found.length > 0 && kind < 0.7 ? found.with(at, added) : [...found, added]
}

/** Scores as a calibrated tool gives them, or none at all. */
function scored(result: ToolResult, truth: Value, random: Random, on: boolean): ToolResult {
  const { value } = result
  const draw = (right: boolean): number =>
    right ? 0.6 + 0.4 * random.next() : 0.25 + 0.55 * random.next()
  if (typeof value === 'string') {
    const { score: _, ...rest } = result
    return on ? { ...rest, score: draw(value === truth) } : rest
  }
  if (!Array.isArray(value)) return result
  const right = new Set((truth as readonly ObjectRecord[]).map((one) => one?.id))
  const objects = value.map((one) =>
    (one as ObjectRecord)?.type === 'object'
      ? Object.freeze({
          ...(one as ObjectRecord),
          score: on ? draw(right.has((one as ObjectRecord).id)) : null,
        })
      : one,
  )
  const { score: _, ...rest } = result
  return { ...rest, value: objects as Value }
}

interface Planted {
  readonly attempt: Attempt
  readonly world: World
  readonly call: CallTool
  readonly planted: readonly CallStep[]
  readonly truth: ReadonlyMap<number, Value>
  readonly answer: string
}

async function attemptWith(world: World, call: CallTool): Promise<Attempt> {
  const { task, inputs } = world
  const family = task.family === 'nlvr' ? FAMILIES.nlvr : FAMILIES.gqa
  const run = await runProgram(parse(task.program), { inputs, call, signatures, family })
  return {
    family,
    signatures,
    instruction: task.instruction,
    inputs,
    program: task.program,
    ...run,
  }
}

/** A run with so many faults that comes out wrong, or undefined when chance gave none. */
async function plant(
  world: World,
  faults: number,
  seed: number,
  scores: boolean,
): Promise<Planted | undefined> {
  const right = await attemptWith(world, faulty(world, new Set(), seed, scores))
  if (right.outcome.status !== 'done' || right.outcome.answer === undefined) return undefined
  const steps = right.steps.filter(isFallible)
  if (steps.length < faults) return undefined
  const random = seededRandom(seed)
  const drawn = steps.map((step) => ({ step, at: random.next() })).toSorted((a, b) => a.at - b.at)
  const chosen = drawn.slice(0, faults).map(({ step }) => step)
  const numbers = chosen.map(({ step }) => step)
  const { answer } = right.outcome
  const isWrong = async (some: readonly number[]): Promise<Attempt | undefined> => {
    const made = await attemptWith(world, faulty(world, new Set(some), seed, scores))
    const { outcome } = made
    if (outcome.status !== 'done' || outcome.answer === undefined) return undefined
    return sameAnswer(outcome.answer, answer) ? undefined : made
  }
  const attempt = await isWrong(numbers)
  if (attempt === undefined) return undefined
  if (faults > 1) {
    for (const one of numbers) {
      if ((await isWrong(numbers.filter((other) => other !== one))) === undefined) return undefined
    }
  }
  const planted = attempt.steps.filter((step) => numbers.includes(step.step))
  const truth = new Map<number, Value>()
  for (const step of planted) {
    // What it gives where nothing is wrong: after an earlier fault a step was asked about another region.
    const same = right.steps.find(({ index, tool }) => index === step.index && tool === step.tool)
    truth.set(step.index, same?.result ?? (await trueResult(world, step)))
  }
  const call = faulty(world, new Set(numbers), seed, scores)
  return { attempt, world, call, planted, truth, answer }
}

/** What the tool would have given for the arguments it had. */
async function trueResult(world: World, step: CallStep): Promise<Value> {
  const args = Object.fromEntries(step.args.map(({ name, value }) => [name, value]))
  let ids = 0
  const { value } = await world.call(step.tool, args, {
    ...{ signal: new AbortController().signal, family: 'gqa', random: seededRandom(0) },
    ...{ newId: () => `t${ids++}`, step: step.step },
  })
  return value
}

/** Regions are compared in the original picture: a crop may have been another one. */
function sameResult(a: Value | undefined, b: Value | undefined): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameAnswer(a, b)
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  const placed = ({ box, frame }: ObjectRecord): Box => toOriginal(box, frame)
  return (a as readonly ObjectRecord[]).every((one) =>
    (b as readonly ObjectRecord[]).some((other) => iou(placed(one), placed(other)) >= 0.5),
  )
}

/**
 * A second tool's opinion on what a region shows, as a calibrated matcher gives it that puts a right region before a
 * wrong one in 92 of 100 cases (log odds normal about ±2, deviation 2).
 */
function opinionOf(world: World, seed: number): NonNullable<ReplayOptions['opinion']> {
  return async (image, box, concept) => {
    let ids = 0
    const { value } = await world.call(
      'LOC',
      { image, object: concept },
      {
        ...{ signal: new AbortController().signal, family: 'gqa', random: seededRandom(0) },
        ...{ newId: () => `o${ids++}`, step: 0 },
      },
    )
    const isSo = (value as readonly ObjectRecord[]).some((one) => iou(one.box, box) >= 0.5)
    const random = seededRandom(`${seed} ${image.hash} ${String(box)} ${concept}`)
    return 1 / (1 + Math.exp(-((isSo ? 2 : -2) + 2 * random.normal())))
  }
}

interface Row {
  readonly runs: number
  readonly first: number
  readonly all: number
  readonly output: number
  /** Planted steps that were blamed, and those of them whose inferred result is right. */
  readonly steps: number
  readonly each: number
  readonly like: number
  readonly alone: number
  readonly ms: number
}

async function measure(
  faults: number,
  wanted: number,
  { scores, second }: { readonly scores: boolean; readonly second: boolean },
): Promise<Row> {
  let [runs, first, all, output, each, like, alone, ms] = [0, 0, 0, 0, 0, 0, 0, 0]
  let steps = 0
  for (let seed = 0; runs < wanted && seed < wanted * 40; seed++) {
    const task = tasks[seed % tasks.length] as Task
    const made = await plant(worldOf(task), faults, seed, scores)
    if (made === undefined) continue
    const { attempt, world, call, planted, truth, answer } = made
    runs++
    const start = performance.now()
    const reflector = replayReflector({
      ...{ call, proposals: async (image) => world.boxes(image) },
      ...(second ? { opinion: opinionOf(world, seed) } : {}),
    })
    const { blames } = await reflector.reflect(attempt, { answer })
    ms += performance.now() - start
    const guilty = new Set(planted.map(({ index }) => index))
    const isGuilty = (one: Blame | undefined): boolean =>
      one?.step !== undefined && guilty.has(one.step)
    if (isGuilty(blames[0])) first++
    const named = blames.slice(0, faults)
    if (named.length === faults && named.every(isGuilty)) all++
    if (attempt.steps.filter(isFallible).length === faults) alone++
    const matching = blames.filter(isGuilty).slice(0, faults)
    const outputs = matching.map(({ step, expected }) => [expected, truth.get(step ?? -1)] as const)
    if (outputs.length === faults && outputs.every(([a, b]) => sameResult(a, b))) output++
    steps += outputs.length
    each += outputs.filter(([a, b]) => sameResult(a, b)).length
    const size = (value: Value | undefined): unknown =>
      Array.isArray(value) ? value.length : value
    if (
      outputs.length === faults &&
      outputs.every(([a, b]) => sameResult(a, b) || size(a) === size(b))
    )
      like++
  }
  return { runs, first, all, output, each, steps, like, alone, ms: runs === 0 ? 0 : ms / runs }
}

const made = (family: Task['family'], count: number): readonly Task[] =>
  makeTasks(library, { family, count, styles: ['twemoji'], size: 128 })
const half = Math.ceil(Math.max(ones, twos) / 4)
const tasks = [...made('gqa', half), ...made('nlvr', half)]

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
console.log(
  '| faults | scores | second opinion | runs | first blame right | all blamed | outputs right | each output right | right in number | only such steps | ms |',
)
console.log(`|${'---|'.repeat(11)}`)
for (const [faults, wanted, scores, second] of [
  [1, ones, true, true],
  [2, twos, true, true],
  [1, ones, true, false],
  [2, twos, true, false],
  [1, ones, false, false],
  [2, twos, false, false],
] as const) {
  const row = await measure(faults, wanted, { scores, second })
  const share = (part: number): string => percent(part, row.runs)
  const cells = [
    ...[faults, scores ? 'yes' : 'none', second ? 'yes' : 'none', row.runs, share(row.first)],
    ...[share(row.all), share(row.output), percent(row.each, row.steps), share(row.like)],
    ...[share(row.alone), row.ms.toFixed(1)],
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
