import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Ids } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Box } from '../image/index.ts'
import type {
  Corrected,
  Correction,
  CorrectOptions,
  PictureFinder,
  ShownExample,
} from '../learning/index.ts'
import type {
  DemonstrationPool,
  DecisionBook,
  Feedback,
  Learnt,
  Lesson,
  LessonFilter,
  LessonParts,
} from '../memory/index.ts'
import type { JobStore, RunStore } from '../stores/index.ts'
import type { Backends } from '../tools/index.ts'
import { PEOPLE_SETTING } from './acting-memory.ts'
import { conceptShelf } from './concept-shelf.ts'
import type { ConceptShelf } from './concept-shelf.ts'
import { learningJobs, tuneLater } from './learning-jobs.ts'
import type { LearningJobs } from './learning-jobs.ts'
import type { PictureInput, PictureLibrary } from './picture-library.ts'
import type { Workshop } from './rehearse.ts'
import type { RunShelf } from './run-shelf.ts'

/** A correction by the name of its run. */
export type CorrectionRequest = Omit<Correction, 'author' | 'scope'> &
  Partial<Pick<Correction, 'author' | 'scope'>>

export interface LessonDetail {
  readonly lesson: Lesson
  readonly parts: LessonParts
}

/** What is taught without a run. */
export interface TeachRequest {
  /** Such as LOC. */
  readonly tool: string
  readonly concept: string
  readonly pictures: readonly PictureInput[]
  /** Where it is in each picture, pixels of the original; default the whole. */
  readonly boxes?: readonly (Box | undefined)[]
  /** The pictures show what it is not. */
  readonly negative?: boolean
}

/** What is taught without a run, and how. */
export interface TeachOptions extends Abortable {
  /** Only show what would be learnt. */
  readonly preview?: boolean
  /** Apply the lesson whatever speaks against it. */
  readonly insist?: boolean
  /** Examples to leave out, by their places in `TaughtLesson.examples`. */
  readonly without?: readonly number[]
}

/** A lesson with the examples it was, or would be, learnt from. */
export interface TaughtLesson {
  readonly lesson: Lesson
  readonly examples: readonly ShownExample[]
}

/** Corrections and what was learnt from them. */
export interface LearningDesk {
  /**
   * Stores a correction, then learns from it.
   *
   * @param run  id, beginning of an id, or `last`
   */
  correct(
    run: string,
    correction: CorrectionRequest,
    options?: CorrectOptions,
  ): Promise<Corrected & { readonly note?: string }>
  /** Corrections that stand, of one run or of all, oldest first. */
  corrections(run?: string): Promise<readonly Feedback[]>
  lessons(filter?: LessonFilter): Promise<readonly Lesson[]>
  /** By id or its beginning. @throws UserFault `E_LESSON` */
  lesson(name: string): Promise<LessonDetail>
  undo(name: string): Promise<Lesson>
  redo(name: string): Promise<Lesson>
  /** A lesson as a zip of JSON and pictures. */
  export(name: string, options?: { readonly faces?: boolean }): Promise<Uint8Array>
  /** Adds a lesson from a zip; it acts as it did where it came from. */
  import(bytes: Uint8Array): Promise<Lesson>
  teach(request: TeachRequest, options?: Omit<TeachOptions, 'preview'>): Promise<Lesson>
  /** What `teach` would learn; nothing is learnt. */
  preview(request: TeachRequest, options?: Omit<TeachOptions, 'preview'>): Promise<TaughtLesson>
  /** Removes everything taught about a concept for good; gives the lessons that went. */
  forget(concept: string): Promise<readonly string[]>
  /** Prompts are tuned in the background; examples act at once. */
  readonly jobs: LearningJobs
  readonly people: PeopleDesk
  readonly concepts: ConceptShelf
}

/** Faces of people: off until a space turns it on. */
export interface PeopleDesk {
  enabled(): Promise<boolean>
  enable(on: boolean): Promise<void>
  /** Names with how many faces of each are known. */
  list(): Promise<readonly { readonly name: string; readonly faces: number }[]>
  /** Learns a face from a picture; with `box` the one there, else the only or surest one. */
  name(
    name: string,
    picture: PictureInput,
    options?: Abortable & { readonly box?: Box; readonly negative?: boolean },
  ): Promise<Lesson>
  /** Deletes vectors, tombstones and lessons of a person; nothing is left. */
  forget(name: string): Promise<readonly string[]>
}

export interface LearningParts {
  readonly learnt: () => Promise<Learnt>
  readonly runs: RunShelf
  readonly runStore: () => Promise<RunStore>
  readonly library: () => Promise<PictureLibrary>
  readonly workshop: () => Promise<Workshop>
  readonly clock: Clock
  readonly ids: Ids
  readonly space: string
  /** Decisions in searches; a corrected choice becomes one. */
  readonly decisions: () => Promise<DecisionBook>
  /** Where work in the background is kept; without it there is none. */
  readonly jobs?: () => Promise<JobStore>
  /** The tools' models, for prompts. */
  readonly backends?: () => Promise<Backends>
  /** Examples that plans are made by; their scores follow what people say of runs. */
  readonly pool?: () => Promise<DemonstrationPool>
  /** Where pictures of a concept are searched for. */
  readonly finders?: () => Promise<readonly PictureFinder[]>
}

export function learningDesk(parts: LearningParts): LearningDesk {
  const { learnt, runs } = parts
  const named = async (name: string): Promise<Lesson> => lessonNamed(await learnt(), name)
  return {
    correct: async (name, given, options = {}) => {
      const run = await runs.load(name)
      if (run.agent === 'seeking') {
        const { correctSearch } = await import('./seek-corrections.ts')
        return correctSearch(run, given, parts, options)
      }
      const { correct } = await import('../learning/index.ts')
      const made = await (await import('./learning-parts.ts')).correctorParts(parts)
      const correction: Correction = { author: parts.space, scope: 'teach', ...given }
      const corrected = await correct(run, correction, made, options)
      if (options.preview !== true) {
        await scoreShown(run, correction, parts)
        await tuneLater(corrected.lesson, parts)
      }
      return corrected
    },
    corrections: async (run) => (await learnt()).standing(run),
    lessons: async (filter) => (await learnt()).lessons(filter),
    lesson: async (name) => {
      const lesson = await named(name)
      return { lesson, parts: await (await learnt()).parts(lesson.id) }
    },
    undo: async (name) => (await learnt()).undo((await named(name)).id),
    redo: async (name) => (await learnt()).redo((await named(name)).id),
    export: async (name, options) => {
      const { packLesson } = await import('../learning/index.ts')
      const lesson = await named(name)
      const brought = await (await learnt()).parts(lesson.id)
      const library = await parts.library()
      const hashes = [...new Set(brought.exemplars.map(({ picture }) => picture))]
      const pictures = await Promise.all(
        hashes.map(async (hash) => {
          const file = await library.encode(hash, 'png').catch(() => undefined)
          return file === undefined ? [] : [[hash, file] as const]
        }),
      )
      return packLesson(
        { lesson, parts: brought, pictures: Object.fromEntries(pictures.flat()) },
        options,
      )
    },
    import: async (bytes) => {
      const { unpackLesson } = await import('../learning/index.ts')
      const { lesson, parts: brought } = unpackLesson(bytes)
      const book = await learnt()
      if ((await book.lesson(lesson.id)) !== undefined) {
        throw new UserFault('E_LESSON', `Lesson ${lesson.id} is here already.`, {
          fields: { lesson: lesson.id },
          cure: 'Undo or redo it instead.',
        })
      }
      // What it superseded elsewhere is not here.
      const { supersedes: _, ...rest } = lesson
      await book.add(rest, brought)
      return rest
    },
    teach: async (request, options) => {
      const { teach } = await import('./teach.ts')
      const { lesson } = await teach(request, parts, options)
      await tuneLater(lesson, parts)
      return lesson
    },
    preview: async (request, options) => {
      const { teach } = await import('./teach.ts')
      return teach(request, parts, { ...options, preview: true })
    },
    forget: async (concept) => forget(await learnt(), concept, 'thing'),
    jobs: learningJobs(parts),
    people: peopleDesk(parts),
    concepts: conceptShelf(learnt),
  }
}

/**
 * The examples that were shown count by what a person says: against them when plan or program was at fault, for
 * them when the answer was right; a tool's fault is not theirs (clova §7).
 */
async function scoreShown(
  run: Run,
  { target, expected }: Correction,
  { pool }: LearningParts,
): Promise<void> {
  if (pool === undefined) return
  const { scoreDemonstrations } = await import('../learning/index.ts')
  const { agrees } = await import('../reflection/index.ts')
  const isRight =
    target.kind === 'answer' &&
    expected.answer !== undefined &&
    agrees(run.outcome, expected.answer)
  const isTheirs = target.kind === 'plan' || target.kind === 'program'
  if (isRight || isTheirs) await scoreDemonstrations(run, isRight, await pool())
}

function peopleDesk(parts: LearningParts): PeopleDesk {
  const { learnt } = parts
  return {
    enabled: async () => (await (await learnt()).setting(PEOPLE_SETTING)) === true,
    enable: async (on) => (await learnt()).set(PEOPLE_SETTING, on),
    list: async () => {
      const { peopleOf } = await import('../learning/index.ts')
      const people = peopleOf(await (await learnt()).exemplars())
      return people.map(({ name, vectors }) => ({ name, faces: vectors.length }))
    },
    name: async (name, picture, options) => {
      const { teachFace } = await import('./teach.ts')
      return teachFace(name, picture, parts, options)
    },
    forget: async (name) => forget(await learnt(), name, 'face'),
  }
}

async function forget(
  learnt: Learnt,
  concept: string,
  kind: 'thing' | 'face',
): Promise<readonly string[]> {
  const { normaliseName } = await import('../tools/index.ts')
  const wanted = normaliseName(concept)
  const gone: string[] = []
  for (const lesson of await learnt.lessons()) {
    const { exemplars } = await learnt.parts(lesson.id)
    const own = exemplars.some((one) => one.kind === kind && normaliseName(one.concept) === wanted)
    if (own) gone.push(lesson.id)
  }
  if (gone.length === 0) {
    throw new UserFault('E_CONCEPT', `Nothing was taught about "${concept}".`, {
      fields: { concept },
      cure:
        kind === 'face'
          ? 'List people with "pupil people ls".'
          : 'List lessons with "pupil lessons".',
    })
  }
  await learnt.forget(gone)
  return gone
}

async function lessonNamed(learnt: Learnt, name: string): Promise<Lesson> {
  const all = await learnt.lessons()
  if (name === 'last' && all.length > 0) return all.at(-1) as Lesson // length says so
  const exact = all.find(({ id }) => id === name)
  const begun = all.filter(({ id }) => id.startsWith(name) || id.startsWith(`lesson_${name}`))
  if (exact !== undefined) return exact
  if (begun.length === 1) return begun[0] as Lesson // length is 1
  const several = begun.length > 1
  throw new UserFault(
    'E_LESSON',
    several
      ? `"${name}" begins several lessons: ${begun.map(({ id }) => id).join(', ')}.`
      : `There is no lesson "${name}" here.`,
    {
      fields: { lesson: name },
      cure: several ? 'Give more of the id.' : 'List them with "pupil lessons".',
    },
  )
}
