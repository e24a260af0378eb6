import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Ids, Json } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Box, Image } from '../image/index.ts'
import { NO_PARTS } from '../memory/index.ts'
import type {
  Demonstration,
  Exemplar,
  Feedback,
  Learnt,
  Lesson,
  LessonParts,
} from '../memory/index.ts'
import type { RunOutcome } from '../program/index.ts'
import { sameAnswer } from '../reflection/index.ts'
import { PHOTO_LIKENESS } from '../tools/index.ts'
import type { KnownPerson, LearntPrompts, Likeness, Taught } from '../tools/index.ts'
import type { ExampleDraft } from './draft.ts'
import { answerOf, dryRun, reasonAgainst } from './effect.ts'
import type { Effect, PastRun } from './effect.ts'
import { peopleOf, taughtOf } from './taught-of.ts'

/** Turns regions and faces into numbers. */
export interface ExampleEncoder {
  readonly name: string
  embed(image: Image, box: Box, options?: Abortable): Promise<Float32Array>
  /** How they are compared; default as features of photographs are. */
  readonly likeness?: Likeness
}

/** What would act if a lesson were applied. */
export interface ActingMemory {
  readonly taught: Taught
  readonly people: readonly KnownPerson[]
  /** Default: those that are stored and act. */
  readonly prompts?: LearntPrompts
}

export interface TeacherParts {
  readonly learnt: Learnt
  readonly clock: Clock
  readonly ids: Ids
  readonly things: ExampleEncoder
  /** Of faces; given only while identity is turned on. */
  readonly faces?: ExampleEncoder
  /** The program of a run again, with other memory acting. */
  readonly rehearse: (run: Run, memory: ActingMemory, options: Abortable) => Promise<RunOutcome>
  /** Stored runs for the dry run, newest first. */
  readonly past: (options: Abortable) => Promise<readonly PastRun[]>
}

/** What is taught, by whom, from what. */
export interface Lecture {
  readonly tool: string
  readonly concept: string | null
  readonly examples: readonly ExampleDraft[]
  readonly demonstrations?: readonly Demonstration[]
  readonly author: string
  readonly verdict: Json
  readonly feedback?: Feedback
  /** The corrected run, and how it should have come out: the proof. */
  readonly failed?: { readonly run: Run; readonly answer?: string }
  /** Examples that a person left out, by their places in `examples`. */
  readonly without?: readonly number[]
}

/** An example as people look it over before it is learnt from. */
export interface ShownExample extends Omit<ExampleDraft, 'image'> {
  /** Its place; what `without` names. */
  readonly at: number
  /** Content hash of the picture. */
  readonly picture: string
  /** Who left it out: the person, or validation because nothing else is like it. */
  readonly leftOut?: 'person' | 'validation'
}

/** A lesson with its parts and effect, of which nothing acts yet. */
export interface Preview {
  readonly lesson: Lesson
  readonly parts: LessonParts
  readonly effect: Effect
  /** All that could be learnt from, those left out too. */
  readonly examples: readonly ShownExample[]
}

export interface Teacher {
  /** Works out what a lesson would be and do; changes nothing. */
  preview(lecture: Lecture, options?: Abortable): Promise<Preview>
  /**
   * Stores a previewed lesson: applied if nothing speaks against it or the person insists, else kept out
   * with its reason. One transaction.
   */
  apply(preview: Preview, options?: { readonly insist?: boolean }): Promise<Lesson>
}

/** Preview → validate → apply → proof → undo (product §3). */
export function createTeacher(parts: TeacherParts): Teacher {
  return {
    preview: async (lecture, options = {}) => {
      const lesson = parts.ids.next('lesson')
      const exemplars: Exemplar[] = []
      for (const draft of wanted(lecture)) {
        exemplars.push(await exemplarOf(draft, lesson, { parts, lecture, options }))
      }
      const validation = validate(exemplars, parts.things)
      const { discarded = [] } = validation
      const brought: LessonParts = {
        ...NO_PARTS,
        exemplars: exemplars.filter(({ id }) => !discarded.includes(id)),
        demonstrations: lecture.demonstrations ?? [],
      }
      const effect = await effectOf(lecture, brought, parts, options)
      const against = validation.against ?? reasonAgainst(effect)
      return {
        ...{ parts: brought, effect, examples: shown(lecture, exemplars, discarded) },
        lesson: await lessonOf(lecture, {
          id: lesson,
          brought,
          parts,
          validation,
          effect,
          against,
        }),
      }
    },
    apply: async ({ lesson, parts: brought }, { insist = false } = {}) => {
      const { reason, ...rest } = lesson
      const kept: Lesson = insist || reason === undefined ? { ...rest, status: 'applied' } : lesson
      await parts.learnt.add(kept, brought)
      return kept
    },
  }
}

/** The examples that the person wants learnt. @throws UserFault `E_LESSON` when none of them is left */
function wanted({ examples, without = [] }: Lecture): readonly ExampleDraft[] {
  const kept = examples.filter((_, at) => !without.includes(at))
  if (examples.length > 0 && kept.length === 0) {
    throw new UserFault('E_LESSON', 'Every example was left out: nothing is left to learn from.', {
      fields: { without },
      cure: 'Leave at least one in, or only set the answer right.',
    })
  }
  return kept
}

function shown(
  { examples, without = [] }: Lecture,
  exemplars: readonly Exemplar[],
  discarded: readonly string[],
): readonly ShownExample[] {
  let next = 0
  return examples.map(({ image, ...draft }, at) => {
    const base = { at, ...draft, picture: image.hash }
    if (without.includes(at)) return { ...base, leftOut: 'person' }
    const { id = '' } = exemplars[next++] ?? {}
    return discarded.includes(id) ? { ...base, leftOut: 'validation' } : base
  })
}

interface Making {
  readonly parts: TeacherParts
  readonly lecture: Lecture
  readonly options: Abortable
}

async function exemplarOf(
  draft: ExampleDraft,
  lesson: string,
  { parts, lecture, options }: Making,
): Promise<Exemplar> {
  const { kind, concept, answer, positive, image } = draft
  const encoder = kind === 'face' ? (parts.faces ?? identityOff()) : parts.things
  const box = draft.box ?? [0, 0, image.width, image.height]
  return {
    ...{ id: parts.ids.next('example'), kind, concept, positive },
    ...(answer === undefined ? {} : { answer }),
    ...{ encoder: encoder.name, feature: await encoder.embed(image, box, options) },
    ...{ picture: image.hash, box, lesson, author: lecture.author },
    createdAt: parts.clock.now(),
  }
}

function identityOff(): never {
  throw new UserFault('E_PEOPLE', 'Recognising people is turned off for this space.', {
    cure: 'Turn it on with "pupil people enable"; vectors of faces then stay on this machine.',
  })
}

interface Validation {
  readonly positives: number
  readonly negatives: number
  /** Of three or more things: how many the others would have recognised; the held-out check. */
  readonly recognised?: number
  /** Examples that resemble none of the others, and are left out. */
  readonly discarded?: readonly string[]
  readonly against?: string
}

/**
 * Leaves each thing out once. One that nothing else resembles is discarded where most resemble another
 * (a false label among right ones); where most do not, they seem to be different things.
 */
function validate(
  exemplars: readonly Exemplar[],
  { likeness: { like, from } = PHOTO_LIKENESS }: ExampleEncoder,
): Validation {
  const positive = exemplars.filter((one) => one.positive)
  const counts = { positives: positive.length, negatives: exemplars.length - positive.length }
  const things = positive.filter(({ kind }) => kind === 'thing')
  if (things.length < 3) return counts
  const isAlone = (one: Exemplar): boolean =>
    things.every((other) => other === one || like(one.feature, other.feature) < from(1))
  const alone = things.filter(isAlone)
  const recognised = things.length - alone.length
  if (recognised * 2 >= things.length) {
    const discarded = alone.map(({ id }) => id)
    return { ...counts, recognised, ...(discarded.length === 0 ? {} : { discarded }) }
  }
  const against = `Only ${recognised} of ${things.length} examples resemble another: they seem to be different things.`
  return { ...counts, recognised, against }
}

async function effectOf(
  lecture: Lecture,
  brought: LessonParts,
  parts: TeacherParts,
  options: Abortable,
): Promise<Effect> {
  const memory = await memoryWith(brought.exemplars, lecture, parts)
  const rehearse = (run: Run, more: Abortable): Promise<RunOutcome> =>
    parts.rehearse(run, memory, more)
  const { failed } = lecture
  const proof =
    failed?.answer === undefined
      ? null
      : sameAnswer(answerOf(await rehearse(failed.run, options)), failed.answer)
        ? 'right'
        : 'wrong'
  // Demonstrations change no tool: stored programs would come out as before.
  const isOfTools = brought.exemplars.length > 0
  const past = isOfTools ? await parts.past(options) : []
  const others = past.filter(({ run }) => run.id !== failed?.run.id)
  return { proof, ...(await dryRun(others, { rehearse, ...options })) }
}

/** What would act: everything that does, the new, and not what the correction supersedes. */
async function memoryWith(
  exemplars: readonly Exemplar[],
  { feedback }: Lecture,
  { learnt }: TeacherParts,
): Promise<ActingMemory> {
  const lessons = await learnt.lessons()
  const retired = new Set(
    lessons.filter((one) => one.feedback !== null && one.feedback === feedback?.supersedes),
  )
  const gone = new Set([...retired].map(({ id }) => id))
  const acting = (await learnt.exemplars()).filter(({ lesson }) => !gone.has(lesson))
  const all = [...acting, ...exemplars]
  return { taught: taughtOf(all, lessons), people: peopleOf(all) }
}

interface Made {
  readonly id: string
  readonly brought: LessonParts
  readonly parts: TeacherParts
  readonly validation: Validation
  readonly effect: Effect
  readonly against: string | undefined
}

async function lessonOf(lecture: Lecture, made: Made): Promise<Lesson> {
  const { id, brought, parts, validation, effect, against } = made
  const { tool, concept, author, verdict, feedback, failed } = lecture
  const before = (await parts.learnt.lessons({ tool })).filter((one) => one.concept === concept)
  const superseded = before.find(
    (one) => one.feedback !== null && one.feedback === feedback?.supersedes,
  )
  return {
    ...{ id, version: before.length + 1, tool, concept },
    status: against === undefined ? 'applied' : 'kept-out',
    ...{ feedback: feedback?.id ?? null, source: failed?.run.id ?? null, author, verdict },
    examples: brought.exemplars.map((one) => one.id),
    prompts: [],
    demonstrations: brought.demonstrations.map((one) => one.id),
    validation: validation as unknown as Json,
    effect: effect as unknown as Json,
    ...(against === undefined ? {} : { reason: against }),
    ...(superseded === undefined ? {} : { supersedes: superseded.id }),
    createdAt: parts.clock.now(),
  }
}
