import { UserFault } from '../base/index.ts'
import type { Json } from '../base/index.ts'
import type { Demonstration } from './demonstration.ts'
import type { Exemplar } from './exemplar.ts'
import { exemplarOf, floatsOf } from './exemplar.ts'
import type { Feedback } from './feedback.ts'
import { feedbackSubject } from './feedback.ts'
import type { Label } from './label.ts'
import { replaces } from './label.ts'
import type {
  LearntKind,
  LearntReader,
  LearntRow,
  LearntRows,
  LearntWriter,
} from './learnt-rows.ts'
import type { Lesson, LessonParts } from './lesson.ts'
import { partRows, partsOf, wholePrompts } from './lesson-parts.ts'
import type { PromptEntry, PromptHead } from './prompt-pool.ts'
import { promptHeadOf, promptTopic } from './prompt-pool.ts'

export interface LessonFilter {
  readonly tool?: string
  readonly concept?: string
  readonly status?: Lesson['status']
  readonly feedback?: string
}

/** What a correction did when it was stored. */
export interface Recorded {
  readonly feedback: Feedback
  /** Lessons of an earlier correction of the same thing; they act no longer. */
  readonly retired: readonly string[]
}

/** Everything that one space has learnt: corrections, labels, lessons and what they brought. */
export interface Learnt {
  /**
   * Stores a correction with its labels. An earlier one of the same target is superseded, and its
   * lessons leave retrieval, in the same transaction (product R2).
   */
  record(feedback: Feedback, labels: readonly Label[]): Promise<Recorded>
  feedback(id: string): Promise<Feedback | undefined>
  /** Corrections that stand, oldest first. */
  standing(run?: string): Promise<readonly Feedback[]>
  /** Human labels and tombstones that stand about a subject, oldest first. */
  labels(subject: string): Promise<readonly Label[]>
  lesson(id: string): Promise<Lesson | undefined>
  lessons(filter?: LessonFilter): Promise<readonly Lesson[]>
  /** What a lesson brought or would bring. */
  parts(lesson: string): Promise<LessonParts>
  /** Stores a lesson with its parts; they act only if its status is `applied`. One transaction. */
  add(lesson: Lesson, parts: LessonParts): Promise<void>
  /** The same, unless a lesson of that id is there already, whatever became of it; says whether it was new. */
  addOnce(lesson: Lesson, parts: LessonParts): Promise<boolean>
  /** Takes an applied lesson out; one that it superseded acts again. @throws UserFault `E_LESSON` */
  undo(id: string): Promise<Lesson>
  /** Puts a lesson in that was undone, superseded or kept out. @throws UserFault `E_LESSON` */
  redo(id: string): Promise<Lesson>
  exemplars(): Promise<readonly Exemplar[]>
  prompts(): Promise<readonly PromptEntry[]>
  /** Prompts of a tool and concept that act, without their numbers, oldest first. */
  promptHeads(tool: string, concept: string | null): Promise<readonly PromptHead[]>
  /** The numbers of a prompt; undefined when it is gone. */
  promptValues(id: string): Promise<Float32Array | undefined>
  demonstrations(): Promise<readonly Demonstration[]>
  /** Changes the score of a demonstration that was learnt; removes it below the lowest. */
  score(demonstration: Demonstration): Promise<void>
  /** Removes lessons with all that they brought, for good. */
  forget(lessons: readonly string[]): Promise<void>
  setting(name: string): Promise<Json | undefined>
  set(name: string, value: Json): Promise<void>
  version(): Promise<number>
}

/** @param rows  where the records lie; in memory for tests, SQL by `stores` */
export function createLearnt(rows: LearntRows): Learnt {
  const { read } = rows
  const active = <T>(kind: LearntKind, of: (body: string) => T): (() => Promise<readonly T[]>) => {
    return async () => (await read.select(kind, { active: true })).map(({ body }) => of(body))
  }
  return {
    record: (feedback, labels) => rows.write((writer) => record(writer, feedback, labels)),
    feedback: async (id) => bodyOf<Feedback>(await read.get('feedback', id)),
    standing: async (run) =>
      (
        await read.select('feedback', { active: true, ...(run === undefined ? {} : { key: run }) })
      ).map(({ body }) => JSON.parse(body) as Feedback),
    labels: async (subject) =>
      (await read.select('label', { key: subject, active: true })).map(
        ({ body }) => JSON.parse(body) as Label,
      ),
    lesson: (id) => lessonOf(read, id),
    lessons: async (filter = {}) => {
      const all = await read.select('lesson')
      return all
        .map(({ body }) => JSON.parse(body) as Lesson)
        .filter((lesson) =>
          Object.entries(filter).every(([key, value]) => lesson[key as keyof Lesson] === value),
        )
    },
    parts: async (lesson) => partsOf(read, lesson),
    add: (lesson, parts) => rows.write((writer) => add(writer, lesson, parts)),
    addOnce: (lesson, parts) =>
      rows.write(async (writer) => {
        if ((await lessonOf(writer, lesson.id)) !== undefined) return false
        await add(writer, lesson, parts)
        return true
      }),
    undo: (id) => rows.write((writer) => undo(writer, id)),
    redo: (id) => rows.write((writer) => redo(writer, id)),
    exemplars: active('exemplar', exemplarOf),
    prompts: async () => wholePrompts(read, await read.select('prompt', { active: true })),
    promptHeads: async (tool, concept) =>
      (await read.select('prompt', { topic: promptTopic(tool, concept), active: true })).map(
        ({ body }) => promptHeadOf(body),
      ),
    promptValues: async (id) => {
      const row = await read.get('prompt-values', id)
      return row === undefined ? undefined : floatsOf(row.body)
    },
    demonstrations: active('demonstration', (body) => JSON.parse(body) as Demonstration),
    score: (demonstration) =>
      rows.write(async (writer) => {
        const row = await writer.get('demonstration', demonstration.id)
        if (row !== undefined) await writer.put({ ...row, body: JSON.stringify(demonstration) })
      }),
    forget: (lessons) =>
      rows.write(async (writer) => {
        for (const id of lessons) await forget(writer, id)
      }),
    setting: async (name) => bodyOf<Json>(await read.get('setting', name)),
    set: (name, value) =>
      rows.write((writer) =>
        writer.put({
          ...{ kind: 'setting', id: name, key: '', active: true },
          ...{ body: JSON.stringify(value), createdAt: 0 },
        }),
      ),
    version: () => rows.version(),
  }
}

const PARTS = ['exemplar', 'prompt', 'prompt-values', 'demonstration'] as const

async function add(writer: LearntWriter, lesson: Lesson, parts: LessonParts): Promise<void> {
  await putLesson(writer, lesson)
  const on = lesson.status === 'applied'
  for (const row of partRows(lesson, parts, on)) await writer.put(row)
  if (on && lesson.supersedes !== undefined) await retire(writer, lesson.supersedes)
}

async function record(
  writer: LearntWriter,
  feedback: Feedback,
  labels: readonly Label[],
): Promise<Recorded> {
  const subject = feedbackSubject(feedback)
  const before = (await writer.select('feedback', { key: feedback.run, active: true })).filter(
    ({ body }) => feedbackSubject(JSON.parse(body) as Feedback) === subject,
  )
  const older = before.at(-1)
  const stored = older === undefined ? feedback : { ...feedback, supersedes: older.id }
  for (const row of before) await writer.put({ ...row, active: false })
  await writer.put({
    ...{ kind: 'feedback', id: feedback.id, key: feedback.run, active: true },
    ...{ body: JSON.stringify(stored), createdAt: feedback.at },
  })
  for (const label of labels) await putLabel(writer, label)
  const retired: string[] = []
  for (const { id } of before) retired.push(...(await retireOf(writer, id)))
  return { feedback: stored, retired }
}

/** A newer label replaces the older of the same question; tombstones add up. */
async function putLabel(writer: LearntWriter, label: Label): Promise<void> {
  for (const row of await writer.select('label', { key: label.subject, active: true })) {
    if (replaces(label, JSON.parse(row.body) as Label)) await writer.put({ ...row, active: false })
  }
  await writer.put({
    ...{ kind: 'label', id: label.id, key: label.subject, active: true },
    ...{ body: JSON.stringify(label), createdAt: label.at },
  })
}

/** Takes the applied lessons of a correction out of retrieval. */
async function retireOf(writer: LearntWriter, feedback: string): Promise<readonly string[]> {
  const retired: string[] = []
  for (const { body } of await writer.select('lesson', { active: true })) {
    const lesson = JSON.parse(body) as Lesson
    if (lesson.feedback !== feedback) continue
    await retire(writer, lesson.id)
    retired.push(lesson.id)
  }
  return retired
}

async function retire(writer: LearntWriter, id: string): Promise<void> {
  const lesson = await lessonOf(writer, id)
  if (lesson?.status !== 'applied') return
  await putLesson(writer, { ...lesson, status: 'superseded' })
  await switchParts(writer, id, false)
}

async function undo(writer: LearntWriter, id: string): Promise<Lesson> {
  const lesson = (await lessonOf(writer, id)) ?? noLesson(id)
  if (lesson.status !== 'applied') throw notPossible(lesson, 'undone', 'applied')
  const undone: Lesson = { ...lesson, status: 'undone' }
  await putLesson(writer, undone)
  await switchParts(writer, id, false)
  const before =
    lesson.supersedes === undefined ? undefined : await lessonOf(writer, lesson.supersedes)
  if (before?.status === 'superseded') {
    await putLesson(writer, { ...before, status: 'applied' })
    await switchParts(writer, before.id, true)
  }
  return undone
}

async function redo(writer: LearntWriter, id: string): Promise<Lesson> {
  const lesson = (await lessonOf(writer, id)) ?? noLesson(id)
  if (lesson.status === 'applied') throw notPossible(lesson, 'applied', 'undone or kept out')
  if (lesson.supersedes !== undefined) await retire(writer, lesson.supersedes)
  const { reason: _, ...rest } = lesson
  const applied: Lesson = { ...rest, status: 'applied' }
  await putLesson(writer, applied)
  await switchParts(writer, id, true)
  return applied
}

async function switchParts(writer: LearntWriter, lesson: string, active: boolean): Promise<void> {
  for (const kind of PARTS) {
    for (const row of await writer.select(kind, { key: lesson }))
      await writer.put({ ...row, active })
  }
}

async function forget(writer: LearntWriter, lesson: string): Promise<void> {
  for (const kind of PARTS) {
    for (const { id } of await writer.select(kind, { key: lesson })) await writer.remove(kind, id)
  }
  await writer.remove('lesson', lesson)
}

async function putLesson(writer: LearntWriter, lesson: Lesson): Promise<void> {
  await writer.put({
    ...{ kind: 'lesson', id: lesson.id, key: `${lesson.tool} ${lesson.concept ?? ''}` },
    ...{ active: lesson.status === 'applied', body: JSON.stringify(lesson) },
    createdAt: lesson.createdAt,
  })
}

async function lessonOf(reader: LearntReader, id: string): Promise<Lesson | undefined> {
  return bodyOf<Lesson>(await reader.get('lesson', id))
}

function bodyOf<T>(row: LearntRow | undefined): T | undefined {
  return row === undefined ? undefined : (JSON.parse(row.body) as T)
}

function noLesson(id: string): never {
  throw new UserFault('E_LESSON', `There is no lesson "${id}" here.`, {
    fields: { lesson: id },
    cure: 'List them with "pupil lessons".',
  })
}

function notPossible(lesson: Lesson, what: string, wanted: string): UserFault {
  return new UserFault(
    'E_LESSON',
    `Lesson ${lesson.id} is ${lesson.status}: only one that is ${wanted} can be ${what}.`,
    { fields: { lesson: lesson.id, status: lesson.status } },
  )
}
