import type { Demonstration } from './demonstration.ts'
import { exemplarOf, exemplarText } from './exemplar.ts'
import type { LearntReader, LearntRow } from './learnt-rows.ts'
import type { Lesson, LessonParts } from './lesson.ts'
import { promptOf, promptText } from './prompt-pool.ts'

/** The records of what a lesson brings. */
export function partRows(
  lesson: Lesson,
  { exemplars, prompts, demonstrations }: LessonParts,
  active: boolean,
): readonly LearntRow[] {
  const shared = { key: lesson.id, active }
  return [
    ...exemplars.map((one): LearntRow => ({
      ...{ ...shared, kind: 'exemplar', id: one.id, body: exemplarText(one) },
      createdAt: one.createdAt,
    })),
    ...prompts.map((one): LearntRow => ({
      ...{ ...shared, kind: 'prompt', id: one.id, body: promptText(one) },
      createdAt: one.createdAt,
    })),
    ...demonstrations.map((one): LearntRow => ({
      ...{ ...shared, kind: 'demonstration', id: one.id, body: JSON.stringify(one) },
      createdAt: one.createdAt ?? lesson.createdAt,
    })),
  ]
}

/** What a lesson brought, whether it acts or not. */
export async function partsOf(reader: LearntReader, lesson: string): Promise<LessonParts> {
  const of = async <T>(kind: LearntRow['kind'], read: (body: string) => T): Promise<readonly T[]> =>
    (await reader.select(kind, { key: lesson })).map(({ body }) => read(body))
  return {
    exemplars: await of('exemplar', exemplarOf),
    prompts: await of('prompt', promptOf),
    demonstrations: await of('demonstration', (body) => JSON.parse(body) as Demonstration),
  }
}
