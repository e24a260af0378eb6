import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Json, Progress } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Box, Image, MaskRle } from '../image/index.ts'
import { exemplarOf, exemplarText, floatsOf, floatsText } from '../memory/index.ts'
import type { Exemplar, Learnt, Lesson, LessonParts, PromptEntry } from '../memory/index.ts'
import type { RunOutcome } from '../program/index.ts'
import { sameAnswer } from '../reflection/index.ts'
import type { Learnable } from '../tools/index.ts'
import { collect, collectedJson } from './collect/collect.ts'
import type { CollectOptions } from './collect/collect.ts'
import type { PictureFinder } from './collect/finder.ts'
import { answerOf, dryRun, reasonAgainst } from './effect.ts'
import type { Effect, PastRun } from './effect.ts'
import { withPrompts } from './prompt-book.ts'
import { peopleOf, taughtOf } from './taught-of.ts'
import type { ActingMemory, ExampleEncoder } from './teacher.ts'
import { learnableFor, tuneTool } from './tune-tool.ts'
import type { Tuned, TuningExample, TuningOptions } from './tuning/tuning.ts'
import { weighExamples } from './weigh-examples.ts'
import type { Fits, Weighed } from './weigh-examples.ts'

/** What tuning a lesson in the background works with. */
export interface LessonTuningParts {
  readonly learnt: Learnt
  readonly clock: Clock
  readonly learnables: () => Promise<readonly Learnable[]>
  /** Tried in order for pictures of the concept and of what it is not. */
  readonly finders: readonly PictureFinder[]
  /** Related but different names (clova §5). */
  readonly negatives: (concept: string, options: Abortable) => Promise<readonly string[]>
  /** Pictures by content hash. */
  readonly load: (hash: string) => Promise<Image>
  readonly keep: (image: Image) => Promise<void>
  readonly rehearse: (run: Run, memory: ActingMemory, options: Abortable) => Promise<RunOutcome>
  readonly past: (options: Abortable) => Promise<readonly PastRun[]>
  /** Numbers for gathered pictures, and how well the tools fit them: what prompts do not pass, examples may. */
  readonly things?: ExampleEncoder
  readonly fits?: Fits
  /** False gathers examples and tunes nothing. */
  readonly prompts?: boolean
  readonly tuning?: Omit<TuningOptions, 'signal'>
  readonly collecting?: Omit<CollectOptions, 'signal'>
  readonly progress?: Progress
}

/** A step of the work after which its state is stored: a worker that is killed goes on behind the last one. */
export interface LessonStage {
  readonly name: string
  run(state: TuningState, options: Abortable): Promise<TuningState>
}

/** What stages leave for the next; plain JSON, pictures by hash. */
export interface TuningState {
  readonly collected?: Json
  readonly examples?: readonly StoredExample[]
  readonly tuned?: StoredTuned
  readonly weighed?: StoredWeighed
  readonly effect?: Effect
  /** The lesson that was written, or why there is none. */
  readonly lesson?: string
  readonly nothing?: string
}

interface StoredExample {
  readonly picture: string
  readonly box?: Box
  readonly mask?: MaskRle
  readonly positive: boolean
  readonly name: string
  readonly others?: TuningExample['others']
}

/** Examples as text. */
interface StoredWeighed extends Omit<Weighed, 'exemplars'> {
  readonly exemplars: readonly string[]
}

interface StoredTuned extends Omit<Tuned, 'kept'> {
  readonly kept: readonly {
    readonly picture: string
    readonly feature: string
    readonly values: string
    readonly shape: readonly number[]
  }[]
  readonly model: { readonly name: string; readonly hash: string }
  /** The tool that prompts are filed under: one model may stand behind several. */
  readonly filed: string
}

/**
 * Turns a lesson of examples into one of prompts: collect, tune and validate, prove, apply. Where prompts do not pass,
 * the gathered pictures are weighed as further examples.
 *
 * The new lesson supersedes the old in one transaction and keeps its examples; it is written under an id that
 * follows from the job, so that a worker that is killed right after writing writes nothing twice. What does
 * not beat the examples, or breaks more than it fixes, is kept out with its reason.
 *
 * @param job  names the work; the same job gives the same lesson
 * @throws UserFault `E_LESSON` for a lesson that is not there
 * @source clova §4.4, §6
 */
export function tuningStages(
  lesson: string,
  job: string,
  parts: LessonTuningParts,
): readonly LessonStage[] {
  const unless = (name: string, run: LessonStage['run']): LessonStage => ({
    name,
    run: async (state, options) => (state.nothing === undefined ? run(state, options) : state),
  })
  return [
    unless('collect', (state, options) => collectFor(lesson, state, parts, options)),
    unless('tune', (state, options) => tuneFor(lesson, state, parts, options)),
    unless('weigh', (state, options) => weighFor(lesson, state, parts, options)),
    unless('prove', (state, options) => prove(lesson, job, state, parts, options)),
    unless('apply', (state) => applyTuned(lesson, job, state, parts)),
  ]
}

async function standing(id: string, { learnt }: LessonTuningParts): Promise<Lesson> {
  const lesson = await learnt.lesson(id)
  if (lesson !== undefined) return lesson
  throw new UserFault('E_LESSON', `There is no lesson "${id}" here.`, { fields: { lesson: id } })
}

async function collectFor(
  id: string,
  state: TuningState,
  parts: LessonTuningParts,
  options: Abortable,
): Promise<TuningState> {
  const lesson = await standing(id, parts)
  const nothing = (why: string): TuningState => ({ ...state, nothing: why })
  if (lesson.status !== 'applied') return nothing(`The lesson is ${lesson.status} by now.`)
  const canWeigh = parts.fits !== undefined && lesson.concept !== null
  if (!canWeigh && learnableFor(lesson.tool, await parts.learnables()) === undefined) {
    return nothing(`The models behind ${lesson.tool} here take no prompts: its examples act alone.`)
  }
  if (lesson.concept === null) return state
  const { exemplars } = await parts.learnt.parts(id)
  const own: TuningExample[] = []
  for (const one of exemplars.filter(({ kind }) => kind === 'thing')) {
    // A tombstone says what it is not, and has no name of its own.
    const name = one.positive ? lesson.concept : `not ${lesson.concept}`
    own.push({ ...(await exampleOf(one, parts)), positive: one.positive, name })
  }
  const names = await parts.negatives(lesson.concept, options)
  const gathered = await collect(lesson.concept, own, names, parts.finders, {
    ...parts.collecting,
    ...options,
  })
  for (const { image } of gathered.examples) await parts.keep(image)
  const examples = gathered.examples.map(
    ({ image, box, mask, positive, name, others }): StoredExample => ({
      ...{ picture: image.hash, positive, name },
      ...(box === undefined ? {} : { box }),
      ...(mask === undefined ? {} : { mask }),
      ...(others === undefined ? {} : { others }),
    }),
  )
  return { ...state, collected: collectedJson(gathered), examples }
}

async function exampleOf(
  { picture, box }: Exemplar,
  { load }: LessonTuningParts,
): Promise<Pick<TuningExample, 'image' | 'box'>> {
  const image = await load(picture)
  return { image, ...(box === undefined ? {} : { box }) }
}

async function tuneFor(
  id: string,
  state: TuningState,
  parts: LessonTuningParts,
  options: Abortable,
): Promise<TuningState> {
  if (parts.prompts === false) return state
  const lesson = await standing(id, parts)
  const learnable = learnableFor(lesson.tool, await parts.learnables())
  if (learnable === undefined && parts.fits !== undefined) return state
  if (learnable === undefined) return { ...state, nothing: 'The model is no longer here.' }
  const { exemplars } = await parts.learnt.parts(id)
  const questions = []
  for (const one of exemplars.filter(({ kind }) => kind === 'answer')) {
    const { image } = await exampleOf(one, parts)
    questions.push({ image, question: one.concept, answer: one.answer ?? '' })
  }
  const examples: TuningExample[] = []
  for (const { picture, ...one } of state.examples ?? []) {
    examples.push({ ...one, image: await parts.load(picture) })
  }
  const absent = [...new Set(examples.filter((one) => !one.positive).map(({ name }) => name))]
  const { progress } = parts
  try {
    const tuned = await tuneTool(
      learnable,
      { concept: lesson.concept, examples, questions, absent },
      { ...parts.tuning, ...options, ...(progress === undefined ? {} : { progress }) },
    )
    const kept = tuned.kept.map(({ picture, feature, values, shape }) => ({
      ...{ picture, shape, feature: floatsText(feature), values: floatsText(values) },
    }))
    const { name, hash, tools } = learnable
    const filed = tools[0] ?? lesson.tool
    return { ...state, tuned: { ...tuned, kept, model: { name, hash }, filed } }
  } catch (error) {
    // Too few pictures are a regular outcome; everything else is not.
    if (!(error instanceof UserFault) || error.code !== 'E_EXAMPLES') throw error
    return { ...state, nothing: error.message }
  }
}

/** The prompts of a tuning as they enter the pool. */
function entriesOf(
  lesson: Lesson,
  id: string,
  tuned: StoredTuned,
  at: number,
): readonly PromptEntry[] {
  return tuned.kept.map(({ picture, feature, values, shape }, i) => ({
    ...{ id: `${id}/prompt/${i}`, tool: tuned.filed, concept: lesson.concept, lesson: id },
    ...{ feature: floatsOf(feature), prompt: floatsOf(values), shape, picture },
    ...{ model: tuned.model, createdAt: at },
  }))
}

/** Whether the prompts of a tuning may act. */
function isPassed(tuned: StoredTuned | undefined): tuned is StoredTuned {
  return tuned !== undefined && tuned.kept.length > 0 && tuned.against === undefined
}

async function weighFor(
  id: string,
  state: TuningState,
  parts: LessonTuningParts,
  options: Abortable,
): Promise<TuningState> {
  const { learnt, things, fits, clock, tuning } = parts
  const lesson = await standing(id, parts)
  const { concept } = lesson
  if (isPassed(state.tuned) || concept === null || things === undefined || fits === undefined) {
    return state
  }
  const { exemplars: own } = await learnt.parts(id)
  const found: TuningExample[] = []
  for (const { picture, ...one } of state.examples ?? []) {
    found.push({ ...one, image: await parts.load(picture) })
  }
  const others = (await learnt.exemplars()).filter((one) => one.lesson !== id)
  const lessons = await learnt.lessons()
  const memoryWith = async (acting: readonly Exemplar[]): Promise<ActingMemory> => {
    const all = [...others, ...acting]
    return { taught: taughtOf(all, lessons), people: peopleOf(all) }
  }
  const { exemplars, ...figures } = await weighExamples(
    { ...lesson, concept },
    own,
    found,
    { clock, things, fits, memoryWith },
    { ...options, ...(tuning?.validate === undefined ? {} : { validate: tuning.validate }) },
  )
  return { ...state, weighed: { ...figures, exemplars: exemplars.map(exemplarText) } }
}

async function prove(
  id: string,
  job: string,
  state: TuningState,
  parts: LessonTuningParts,
  options: Abortable,
): Promise<TuningState> {
  const { tuned, weighed } = state
  const gathered = (weighed?.exemplars ?? []).map(exemplarOf)
  const prompts = tuned === undefined || gathered.length > 0 ? [] : tuned.kept
  if (prompts.length === 0 && gathered.length === 0) return state
  const lesson = await standing(id, parts)
  const { learnt } = parts
  const acting = [...(await learnt.exemplars()), ...gathered]
  const entries =
    tuned === undefined || prompts.length === 0
      ? []
      : entriesOf(lesson, job, tuned, parts.clock.now())
  const memory: ActingMemory = {
    taught: taughtOf(acting, await learnt.lessons()),
    people: peopleOf(acting),
    // Prompts of the lesson itself go when the new one comes.
    prompts: withPrompts(learnt, entries, new Set([id])),
  }
  const rehearse = (run: Run, more: Abortable): Promise<RunOutcome> =>
    parts.rehearse(run, memory, more)
  const past = await parts.past(options)
  const failed = past.find(({ run }) => run.id === lesson.source)
  const proof =
    failed?.answer === undefined
      ? null
      : sameAnswer(answerOf(await rehearse(failed.run, options)), failed.answer)
        ? 'right'
        : 'wrong'
  const others = past.filter((one) => one !== failed)
  return { ...state, effect: { proof, ...(await dryRun(others, { rehearse, ...options })) } }
}

async function applyTuned(
  id: string,
  job: string,
  state: TuningState,
  parts: LessonTuningParts,
): Promise<TuningState> {
  const { tuned, weighed, effect } = state
  const { learnt, clock } = parts
  const before = await standing(id, parts)
  const fresh = `lesson_${job}`
  if ((await learnt.lesson(fresh)) !== undefined) return { ...state, lesson: fresh }
  const gathered = (weighed?.exemplars ?? []).map(exemplarOf)
  if (tuned === undefined && gathered.length === 0) {
    return { ...state, nothing: 'The gathered pictures do not help beside your own examples.' }
  }
  const at = clock.now()
  const old = await learnt.parts(id)
  const isOfPrompts = tuned !== undefined && gathered.length === 0
  const brought: LessonParts = {
    demonstrations: [],
    // The person's examples go on acting: the same ones, under the new lesson.
    exemplars: [...old.exemplars, ...gathered].map((one) => ({
      ...{ ...one, id: `${fresh}/${one.id}`, lesson: fresh },
    })),
    prompts: isOfPrompts ? entriesOf(before, fresh, tuned, at) : [],
  }
  const against = againstLesson(state, before)
  const versions = (await learnt.lessons({ tool: before.tool })).filter(
    ({ concept }) => concept === before.concept,
  )
  const made: Lesson = {
    ...{ ...before, id: fresh, version: versions.length + 1, createdAt: at },
    status: against === undefined ? 'applied' : 'kept-out',
    examples: brought.exemplars.map((one) => one.id),
    prompts: brought.prompts.map((one) => one.id),
    validation: validationOf(state),
    effect: (effect ?? before.effect) as unknown as Json,
    ...(against === undefined ? {} : { reason: against }),
    supersedes: before.id,
  }
  await learnt.addOnce(made, brought)
  return { ...state, lesson: fresh }
}

/** What speaks against a lesson that is ready. */
function againstLesson(
  { tuned, weighed, effect }: TuningState,
  before: Lesson,
): string | undefined {
  const isGathered = (weighed?.exemplars.length ?? 0) > 0
  return (
    (isGathered ? undefined : tuned?.against) ??
    (before.status === 'applied'
      ? undefined
      : `The lesson it builds on is ${before.status} by now.`) ??
    (effect === undefined ? undefined : reasonAgainst(effect))
  )
}

/** The figures of the checks, without what was learnt. */
function validationOf({ tuned, weighed, collected }: TuningState): Json {
  const examples = weighed && { ...weighed, exemplars: weighed.exemplars.length }
  const figures = tuned && { ...tuned, kept: tuned.kept.length }
  return {
    ...figures,
    ...(examples === undefined ? {} : { examples }),
    collected: collected ?? null,
  } as unknown as Json
}
