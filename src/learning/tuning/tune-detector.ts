import { noProgress, seededRandom } from '../../base/index.ts'
import { iou, suppress } from '../../image/index.ts'
import type { Box, Image } from '../../image/index.ts'
import {
  adam,
  boxGiou,
  boxL1,
  chain,
  clipByGlobalNorm,
  corners,
  focal,
  matchQueries,
  rowsAt,
  sumOf,
  tune,
} from '../../onnx/index.ts'
import type { Optimizer, PromptedModel, RunTensors, TuneLoss } from '../../onnx/index.ts'
import { flatPrompt } from '../../tools/index.ts'
import type { LearnableDetector, PaddedPicture } from '../../tools/index.ts'
import { ensembleOf } from './ensemble-of.ts'
import { floats, lossInputs, longs, openLearnable, runWith, sessionOf } from './fits-model.ts'
import { splitExamples } from './split-examples.ts'
import { againstScores, untuned } from './tuning.ts'
import type { Discarded, Tuned, TunedPrompt, TuningExample, TuningOptions } from './tuning.ts'

const STEPS = 100
const RATE = 5e-4
const CLIP = 1
/** Different pictures; the paper takes 200, on a processor it is 20. */
const PICTURES = 20
/** Names that are looked for without being there, beside the concept and one other. */
const ABSENT = 13
/** A find of the concept: score above, overlap with the truth from. */
const FOUND_ABOVE = 0.1
const SAME_PLACE = 0.5
/** Mean overlap from which a picture is learnt (CLOVA: 0.6). */
const LEARNT_FROM = 0.6
/** LOC keeps the best of boxes that overlap more. */
const MAX_OVERLAP = 0.5

export interface DetectorOptions extends TuningOptions {
  /** Names to draw those from that are not there; none of them may mean the concept. */
  readonly absent?: readonly string[]
  /** What the examples find as nearest neighbours: what tuning must beat. */
  readonly exemplars?: (image: Image) => Promise<readonly Box[]>
}

/** A picture with everything known to be in it. */
interface Scene {
  readonly image: Image
  readonly padded: PaddedPicture
  readonly feature: Float32Array
  readonly wanted: readonly Box[]
  readonly others: readonly { readonly name: string; readonly box: Box }[]
}

interface Bench {
  readonly model: PromptedModel
  readonly learnable: LearnableDetector
  readonly concept: string
  readonly asked: RunTensors
  readonly options: DetectorOptions
}

/**
 * Learns prompts by which a detector finds a concept (LOC): one a picture, focal loss, L1 and generalised
 * overlap of matched boxes; the concept and one other thing of the picture are there, up to 13 names are not.
 *
 * A picture on which the plain detector is right teaches nothing. A prompt stays when its own picture comes out
 * right within its steps (every object found, mean overlap above 0.6) and held-out pictures gain by it.
 *
 * @source CLOVA §3.4 (LOC); clova §4.3, §4.4
 */
export async function tuneDetector(
  learnable: LearnableDetector,
  concept: string,
  examples: readonly TuningExample[],
  options: DetectorOptions = {},
): Promise<Tuned> {
  const { training, heldOut, folded } = await splitExamples(examples, options)
  const scenes = await scenesOf(training, learnable, options)
  const checks = await scenesOf(heldOut, learnable, options)
  const [first] = [...scenes, ...checks]
  if (first === undefined) return untuned('There is no picture to learn from.', folded)
  const asked = await learnable.asked([concept], options)
  const sizes = { [learnable.pixels]: first.padded.pixels, ...asked }
  await using model = await openLearnable(learnable, sizes, options)
  const bench: Bench = { model, learnable, concept, asked, options }
  const plain = await scoreOf(checks, bench, () => undefined)
  const made = await tuneEach(scenes, checks, plain, bench)
  const ensemble = ensembleOf(made.kept)
  const scores = {
    ...{ plain, exemplars: await exemplarScore(checks, options) },
    tuned:
      made.kept.length === 0
        ? null
        : await scoreOf(checks, bench, ({ feature }) => ensemble(feature)?.prompts),
  }
  const against = options.validate === false ? undefined : againstScores(scores)
  const shown = checks.filter(({ wanted }) => wanted.length > 0).length
  return {
    ...{ ...made, scores, folded },
    heldOut: { positives: shown, negatives: checks.length - shown },
    ...(against === undefined ? {} : { against }),
  }
}

/** Examples by picture. */
async function scenesOf(
  examples: readonly TuningExample[],
  learnable: LearnableDetector,
  options: TuningOptions,
): Promise<readonly Scene[]> {
  const scenes: Scene[] = []
  for (const own of Map.groupBy(examples, ({ image }) => image.hash).values()) {
    const image = (own[0] as TuningExample).image // groups are never empty
    const whole: Box = [0, 0, image.width, image.height]
    const others = own.filter((one) => !one.positive)
    scenes.push({
      ...{ image, padded: await learnable.picture(image, options) },
      feature: await learnable.feature(image, options),
      wanted: own.flatMap(({ positive, box }) => (positive ? [box ?? whole] : [])),
      others: [
        ...own.flatMap((one) => one.others ?? []),
        ...others.flatMap(({ name, box }) => (box === undefined ? [] : [{ name, box }])),
      ],
    })
  }
  return scenes
}

async function tuneEach(
  scenes: readonly Scene[],
  checks: readonly Scene[],
  plain: number,
  bench: Bench,
): Promise<Pick<Tuned, 'kept' | 'discarded' | 'steps'>> {
  const { options } = bench
  const { progress = noProgress } = options
  const kept: TunedPrompt[] = []
  const discarded: Discarded[] = []
  let steps = 0
  const shown = scenes.filter(({ wanted }) => wanted.length > 0).slice(0, options.most ?? PICTURES)
  for (const [i, scene] of shown.entries()) {
    progress({
      task: 'learn',
      status: 'progress',
      loaded: i,
      total: shown.length,
      unit: 'pictures',
    })
    const picture = scene.image.hash
    if (await isLearnt(scene, undefined, bench)) {
      discarded.push({ picture, reason: 'It comes out right without a prompt.' })
      continue
    }
    const { prompts, curve } = await descend(scene, bench, i)
    steps += curve.length
    const reason = await failing(scene, checks, { prompts, plain }, bench)
    if (reason !== undefined) discarded.push({ picture, reason })
    else kept.push({ picture, feature: scene.feature, ...flatPrompt(prompts) })
  }
  return { kept, discarded, steps }
}

async function failing(
  scene: Scene,
  checks: readonly Scene[],
  { prompts, plain }: { readonly prompts: RunTensors; readonly plain: number },
  bench: Bench,
): Promise<string | undefined> {
  if (bench.options.validate === false) return undefined
  if (!(await isLearnt(scene, prompts, bench)))
    return 'Its own picture does not come out right with it.'
  const score = await scoreOf(checks, bench, () => prompts)
  if (score > plain) return undefined
  const how = score < plain ? 'worse' : 'no better'
  return `With it held-out pictures come out ${how}.`
}

async function descend(scene: Scene, bench: Bench, number: number) {
  const { learnable, concept, options } = bench
  const seed = `${options.seed ?? 0}/${number}`
  const names = namesFor(scene, concept, options, seed)
  const fixed = {
    [learnable.pixels]: scene.padded.pixels,
    ...(await learnable.asked(names, options)),
  }
  const targets = targetsOf(scene, names)
  const graph = await learnable.model(options)
  const { side } = scene.padded
  const boxes = targets.flatMap(({ box }) => box.map((value) => value / side))
  const count = targets.length
  await using whole = await openLearnable(learnable, fixed, options)
  let before = await runWith(whole, fixed, undefined, options)
  const [, queries = 0] = before[learnable.logits]?.dims ?? []
  const fed = {
    learn_boxes: floats([1, count, 4], boxes),
    learn_count: floats([], [count]),
    learn_query: longs([1, count], new Array<number>(count).fill(0)),
    learn_there: floats([1, queries, names.length], new Float32Array(queries * names.length)),
  }
  const { learn_query: _, learn_there: __, ...still } = fed
  return tune(
    graph,
    learnable.injection,
    {
      fixed: { ...fixed, ...still },
      changing: ['learn_query', 'learn_there'],
      each: ({ outputs }) => {
        if (learnable.logits in outputs) before = outputs
        return matched(before, targets, { learnable, side, names: names.length })
      },
    },
    lossOf(learnable, fed),
    {
      ...{ batch: 1, steps: options.steps ?? STEPS, seed, ...sessionOf(options) },
      optimizer: chain(
        clipByGlobalNorm(CLIP) as Optimizer,
        adam({ rate: options.rate ?? RATE }),
      ) as Optimizer,
      outputs: [learnable.logits, learnable.boxes],
      stop: ({ outputs }) => {
        const found = foundIn(outputs, 0, learnable, scene.padded)
        return isRight(scene, found)
      },
    },
  )
}

function lossOf(learnable: LearnableDetector, fed: RunTensors): TuneLoss {
  return {
    inputs: lossInputs(fed),
    build: (b) => {
      const own = rowsAt(b, learnable.boxes, 'learn_query')
      const found = learnable.boxForm === 'centre' ? corners(b, own) : own
      const focus = { alpha: 0.3, gamma: 2, divisor: 'learn_count' }
      return sumOf(b, [
        [focal(b, learnable.logits, 'learn_there', focus), 1],
        [boxL1(b, found, 'learn_boxes'), 1],
        [boxGiou(b, found, 'learn_boxes'), 1],
      ])
    },
  }
}

/** The concept, one other thing of the picture, and names that are not there. */
function namesFor(
  { others }: Scene,
  concept: string,
  { absent = [] }: DetectorOptions,
  seed: string,
): readonly string[] {
  const random = seededRandom(seed).fork('names')
  const there = [...new Set(others.map(({ name }) => name))].filter((name) => name !== concept)
  const other = there.length === 0 ? [] : [there[random.below(there.length)] ?? '']
  const free = absent.filter((name) => name !== concept && !there.includes(name))
  const order = free.map((name) => ({ name, at: random.next() })).toSorted((a, b) => a.at - b.at)
  return [concept, ...other, ...order.slice(0, ABSENT).map(({ name }) => name)]
}

interface Target {
  readonly box: Box
  readonly label: number
}

function targetsOf({ wanted, others }: Scene, names: readonly string[]): readonly Target[] {
  return [
    ...wanted.map((box): Target => ({ box, label: 0 })),
    ...others.flatMap(({ name, box }): readonly Target[] =>
      name === names[1] ? [{ box, label: 1 }] : [],
    ),
  ]
}

interface Matching {
  readonly learnable: LearnableDetector
  readonly side: number
  readonly names: number
}

/** The queries that answer for the targets, by what the model said last. */
function matched(
  outputs: RunTensors,
  targets: readonly Target[],
  { learnable, side, names }: Matching,
): RunTensors {
  const logits = outputs[learnable.logits]?.data as Float32Array
  const boxes = asCorners(outputs[learnable.boxes]?.data as Float32Array, learnable)
  const queries = matchQueries({
    ...{ logits, boxes, classes: names },
    targets: targets.map(({ box, label }) => ({ box: box.map((value) => value / side), label })),
  })
  const there = new Float32Array(logits.length)
  queries.forEach((query, i) => (there[query * names + (targets[i]?.label ?? 0)] = 1))
  return {
    learn_query: longs([1, queries.length], queries),
    learn_there: floats([1, logits.length / names, names], there),
  }
}

function asCorners(boxes: Float32Array, { boxForm }: LearnableDetector): Float32Array {
  if (boxForm === 'corners') return boxes
  return boxes.map((_, i) => {
    const at = 4 * Math.floor(i / 4)
    const axis = i % 2
    const half = (boxes[at + 2 + axis] ?? 0) / 2
    return (boxes[at + axis] ?? 0) + (i % 4 < 2 ? -half : half)
  })
}

interface FoundBox {
  readonly box: Box
  readonly score: number
}

/** What is found of a name, best first, in pixels of the picture. */
function foundIn(
  outputs: RunTensors,
  name: number,
  learnable: LearnableDetector,
  { side }: PaddedPicture,
): readonly FoundBox[] {
  const [, queries = 0, names = 1] = outputs[learnable.logits]?.dims ?? []
  const logits = outputs[learnable.logits]?.data as Float32Array
  const boxes = asCorners(outputs[learnable.boxes]?.data as Float32Array, learnable)
  const all = Array.from({ length: queries }, (_, q): FoundBox => ({
    box: Array.from(boxes.slice(4 * q, 4 * q + 4), (v) => v * side) as unknown as Box,
    score: 1 / (1 + Math.exp(-(logits[q * names + name] ?? 0))),
  }))
  const strong = all.filter(({ score }) => score > FOUND_ABOVE)
  return suppress(
    strong.toSorted((a, b) => b.score - a.score),
    { maxOverlap: MAX_OVERLAP },
  )
}

/** The overlaps of truth and finds, one to one, best first. */
function overlaps(
  wanted: readonly Box[],
  found: readonly { readonly box: Box }[],
): readonly number[] {
  const pairs = wanted
    .flatMap((truth, i) => found.map(({ box }, j) => ({ i, j, over: iou(truth, box) })))
    .toSorted((a, b) => b.over - a.over)
  const [usedI, usedJ] = [new Set<number>(), new Set<number>()]
  return pairs.flatMap(({ i, j, over }) => {
    if (usedI.has(i) || usedJ.has(j)) return []
    usedI.add(i)
    usedJ.add(j)
    return [over]
  })
}

function isRight({ wanted }: Scene, found: readonly FoundBox[]): boolean {
  const over = overlaps(wanted, found)
  const mean = over.reduce((sum, one) => sum + one, 0) / Math.max(1, wanted.length)
  return over.filter((one) => one >= SAME_PLACE).length === wanted.length && mean > LEARNT_FROM
}

async function findWith(
  scene: Scene,
  prompts: RunTensors | undefined,
  { model, learnable, asked, options }: Bench,
): Promise<readonly FoundBox[]> {
  const feeds = { [learnable.pixels]: scene.padded.pixels, ...asked }
  const outputs = await runWith(model, feeds, prompts, options)
  return foundIn(outputs, 0, learnable, scene.padded)
}

async function isLearnt(
  scene: Scene,
  prompts: RunTensors | undefined,
  bench: Bench,
): Promise<boolean> {
  return isRight(scene, await findWith(scene, prompts, bench))
}

/** Mean over pictures of F1 at an overlap of 0.5; where the concept is not, 1 if nothing was found. */
async function scoreOf(
  scenes: readonly Scene[],
  bench: Bench,
  promptsFor: (scene: Scene) => RunTensors | undefined,
): Promise<number> {
  let sum = 0
  for (const scene of scenes) sum += f1(scene, await findWith(scene, promptsFor(scene), bench))
  return sum / Math.max(1, scenes.length)
}

function f1({ wanted }: Scene, found: readonly { readonly box: Box }[]): number {
  if (wanted.length + found.length === 0) return 1
  const right = overlaps(wanted, found).filter((one) => one >= SAME_PLACE).length
  return (2 * right) / (wanted.length + found.length)
}

async function exemplarScore(
  scenes: readonly Scene[],
  { exemplars }: DetectorOptions,
): Promise<number | null> {
  if (exemplars === undefined || scenes.length === 0) return null
  let sum = 0
  for (const scene of scenes) {
    const found = await exemplars(scene.image)
    sum += f1(
      scene,
      found.map((box) => ({ box })),
    )
  }
  return sum / scenes.length
}
