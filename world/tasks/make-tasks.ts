import { expected, sha256, UserFault } from '../../src/base/index.ts'
import type { Abortable, Progress } from '../../src/base/index.ts'
import { streamOf } from '../stream.ts'
import type { Stream } from '../stream.ts'
import type { Style } from '../types.ts'
import { ALL_TYPES } from './all-types.ts'
import { createDesk } from './desk.ts'
import type { Library } from './library.ts'
import type { Question, QuestionType, SceneWish, Solution } from './question.ts'
import type { DialogueTurn, SceneRecipe, Task, TaskFamily, TaskScene, TaskSplit } from './task.ts'
import { fillWording, pickWording, wordingsOf } from './wording.ts'
import type { Wording } from './wording.ts'

/** Which tasks are wanted. */
export interface TaskOptions extends Abortable {
  readonly family: TaskFamily
  readonly count: number
  /** Which of many draws of the same kind; 0 to 8. */
  readonly seed?: number
  /** Tasks that hinge on a new concept, on none, or half and half (default). */
  readonly split?: 'known' | 'new' | 'both'
  readonly styles: readonly Style[]
  readonly seeds?: TaskSplit['seeds']
  /** Default both, half and half. */
  readonly wording?: TaskSplit['wording'] | 'both'
  readonly size?: number
  /** Tasks that hinge on a new concept hinge on one of these; default any. */
  readonly hinges?: readonly string[]
  /** Only these types, such as `exist`; default all of the family. */
  readonly types?: readonly string[]
  readonly progress?: Progress
}

const FIRST_SEED = { train: 0, development: 1_000_000, final: 2_000_000 } as const
const FAMILIES = ['gqa', 'nlvr', 'imgedit', 'tagging', 'knowledge', 'dialogue'] as const

/** Pictures tried for one answer before the question is dropped. */
const TRIES = 60

interface Making {
  readonly library: Library
  readonly options: TaskOptions
  readonly stream: Stream
  /** How often each answer of a form was given. */
  readonly given: Map<string, number>
  readonly split: Omit<TaskSplit, 'concept' | 'wording'>
  nextSeed: number
}

/**
 * Tasks of a family with exact answers: same options and sprites, same tasks.
 *
 * Every answer of two is asked for with the same words as the other, so that no words tell it.
 * @throws UserFault `E_ARGUMENT` for a family, seed or type that is not there
 * @source picture-world §5
 */
export function makeTasks(library: Library, options: TaskOptions): readonly Task[] {
  const { family, count, seed = 0, split = 'both' } = options
  if (seed < 0 || seed > 8) throw expected('0 to 8', 'seed', seed)
  const types = typesOf(options)
  const stream = streamOf(seed, `words/${family}-${options.seeds ?? 'development'}-${split}`)
  const making: Making = {
    library,
    options,
    stream,
    given: new Map(),
    split: { style: styleOf(options.styles), seeds: options.seeds ?? 'development' },
    nextSeed: firstSeed(family, seed, options),
  }
  const made: Task[][] = []
  const hinges = hingesOf(making)
  // Questions that hinge on a new concept and those that do not go round the types apart.
  const asked = { new: 0, known: 0 }
  const done = { new: 0, known: 0 }
  for (let n = 0, total = 0; total < count; n++) {
    options.signal?.throwIfAborted()
    if (n > count * 20 + 200) throw tooFew(family, total, count)
    const part = split === 'both' ? (done.new < done.known ? 'new' : 'known') : split
    const type = types[asked[part]++ % types.length] as QuestionType
    const group = makeGroup(making, type, part === 'new' ? hinges() : undefined)
    if (group.length === 0) continue
    made.push(group)
    total += group.length
    done[part] += group.length
    options.progress?.({
      task: `tasks ${family}`,
      status: 'progress',
      loaded: total,
      total: count,
    })
  }
  return stream.shuffle(wholePairs(made, count)).flat().slice(0, count)
}

/** One too many is taken off as a single question, so that no pair is torn, where there is one. */
function wholePairs(groups: readonly Task[][], count: number): readonly Task[][] {
  const total = groups.reduce((sum, group) => sum + group.length, 0)
  const single = total > count ? groups.findLastIndex((group) => group.length === 1) : -1
  return groups.filter((_, i) => i !== single)
}

function typesOf({ family, types }: TaskOptions): readonly QuestionType[] {
  const found = ALL_TYPES.filter(
    (one) => one.family === family && (types === undefined || types.includes(one.type)),
  )
  if (found.length === 0) {
    const known = [...new Set(ALL_TYPES.filter((one) => one.family === family).map((t) => t.type))]
    throw expected(known.join(', ') || FAMILIES.join(', '), 'types', types ?? family)
  }
  return found
}

function styleOf(styles: readonly Style[]): TaskSplit['style'] {
  if (styles.some((style) => style.startsWith('final'))) return 'final'
  return styles.includes('twemoji') ? 'development' : 'train'
}

/** Each family and draw has seeds of its own: 100,000 a draw, of those 15,000 a family. */
function firstSeed(family: TaskFamily, seed: number, { seeds, split }: TaskOptions): number {
  const place = FAMILIES.indexOf(family) * 15_000 + (split === 'new' ? 7_500 : 0)
  return FIRST_SEED[seeds ?? 'development'] + seed * 100_000 + place
}

/** New concepts in random order, over and over, so that each is asked about equally often. */
function hingesOf({ library, options, stream }: Making): () => string {
  const { hinges } = options
  const drawn = library.conceptsOf(options.styles, 'new')
  const all = hinges === undefined ? drawn : drawn.filter((id) => hinges.includes(id))
  let left: string[] = []
  return () => {
    if (left.length === 0) left = stream.shuffle(all)
    const next = left.pop()
    if (next === undefined) throw expected('styles with new concepts', 'styles', options.styles)
    return next
  }
}

function makeGroup(making: Making, type: QuestionType, hinge: string | undefined): Task[] {
  const { library, options, stream } = making
  const desk = createDesk(library, options.styles, stream, hinge)
  const question = type.ask(desk)
  if (question === undefined) return []
  const wording = chooseWording(type, options, stream)
  if (tooCommon(making, type, question)) return []
  const answers = answersFor(making, type, question)
  const group: Task[] = []
  const close = stream.chance(1, 2)
  let before: readonly TaskScene[] = []
  for (const [i, answer] of answers.entries()) {
    const found = findScenes(making, question, answer, i > 0 && close ? before : undefined)
    if (found === undefined) return []
    before = found.scenes
    group.push(toTask(making, { type, wording, question, hinge }, found))
  }
  for (const { answer = '' } of group) {
    const key = `${type.form} ${answer}`
    making.given.set(key, (making.given.get(key) ?? 0) + 1)
  }
  return group
}

function chooseWording(type: QuestionType, options: TaskOptions, stream: Stream): Wording {
  const wanted = options.wording ?? 'both'
  const part = wanted === 'both' ? (stream.chance(1, 2) ? 'train' : 'held-out') : wanted
  return pickWording(wordingsOf(type.form, type.wordings), part, stream)
}

/** Names are spread: none is the answer of more than one in thirty questions of a form. */
function tooCommon({ given }: Making, { form }: QuestionType, { answers }: Question): boolean {
  const [answer, second] = answers
  if (answer === undefined || second !== undefined || answer === 'yes' || answer === 'no')
    return false
  const all = [...given].filter(([key]) => key.startsWith(`${form} `))
  const total = all.reduce((sum, [, count]) => sum + count, 0)
  return (given.get(`${form} ${answer}`) ?? 0) > total / 30
}

/** Both of two, in random order; of more the one least given; whatever comes when none is named. */
function answersFor(
  { given, stream }: Making,
  type: QuestionType,
  { answers }: Question,
): readonly (string | undefined)[] {
  if (answers.length === 0) return [undefined]
  const shuffled = stream.shuffle(answers)
  if (answers.length <= 2) return shuffled
  const used = (answer: string): number => given.get(`${type.form} ${answer}`) ?? 0
  return [shuffled.toSorted((a, b) => used(a) - used(b))[0]]
}

interface Found {
  readonly scenes: readonly TaskScene[]
  readonly solution: Solution
}

/** Paints until the truth is clear and the answer is the wanted one. */
function findScenes(
  making: Making,
  question: Question,
  answer: string | undefined,
  like: readonly TaskScene[] | undefined,
): Found | undefined {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const close = like !== undefined && attempt === 0
    const wishes = question.stage(answer, close)
    const scenes = wishes.map((wish, i) => {
      const seed = (close ? like[i]?.recipe.seed : undefined) ?? making.nextSeed++
      return making.library.scene(recipeOf(making, question, wish, seed))
    })
    const solution = question.solve(scenes.map(({ graph }) => graph))
    if (solution === undefined) continue
    if (answer === undefined || solution.answer === answer) return { scenes, solution }
  }
  return undefined
}

function recipeOf(
  { library, options }: Making,
  question: Question,
  wish: SceneWish,
  seed: number,
): SceneRecipe {
  const { lexicon } = library
  const named = new Set([...wish.wanted, ...question.about])
  const without = new Set([
    ...(wish.without ?? []),
    ...[...named].flatMap((id) => [...lexicon.related(id)]),
  ])
  const isNew = (id: string): boolean => lexicon.concept(id).split === 'new'
  return {
    seed,
    size: options.size ?? 256,
    styles: options.styles,
    objects: wish.objects,
    wanted: wish.wanted,
    tints: wish.tints ?? [],
    // New concepts come only when wanted, so those need not be listed.
    without: [...without].filter((id) => !isNew(id) || wish.wanted.includes(id)).sort(),
    fresh: [...new Set(wish.wanted.filter(isNew))],
  }
}

interface Asked {
  readonly type: QuestionType
  readonly wording: Wording
  readonly question: Question
  readonly hinge: string | undefined
}

function toTask(making: Making, asked: Asked, { scenes, solution }: Found): Task {
  const { type, wording, question } = asked
  const instruction = fillWording(wording.text, question.slots)
  const images = scenes.map(({ image }) => image).join(' ')
  const hinges = question.about.filter((id) => making.library.lexicon.concept(id).split === 'new')
  return {
    id: sha256(`${type.form} ${instruction} ${images}`).slice(0, 16),
    family: type.family,
    type: type.type,
    scenes,
    instruction,
    wording: wording.id,
    slots: question.slots,
    hops: question.hops,
    ...solution,
    ...(solution.dialogue && { dialogue: beginWith(solution.dialogue, instruction) }),
    hinges,
    split: {
      ...making.split,
      concept: hinges.length > 0 ? 'new' : 'known',
      wording: wording.part,
    },
    program: question.program,
  }
}

/** The first turn asks in the wording of the task. */
function beginWith(turns: readonly DialogueTurn[], question: string): readonly DialogueTurn[] {
  return turns.map((turn, i) => (i === 0 ? { ...turn, question } : turn))
}

function tooFew(family: string, made: number, count: number): UserFault {
  return new UserFault('E_TASKS', `Only ${made} of ${count} tasks of ${family} could be made.`, {
    fields: { family, made, count },
    cure: 'Use styles with more drawings, or ask for fewer tasks.',
  })
}
