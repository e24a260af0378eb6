import type { Demonstration } from './demonstration.ts'
import { exemplarOf, exemplarText, floatsOf, floatsText } from './exemplar.ts'
import type { LearntReader, LearntRow } from './learnt-rows.ts'
import type { Lesson, LessonParts } from './lesson.ts'
import type { PromptEntry } from './prompt-pool.ts'
import { promptHeadOf, promptHeadText, promptTopic } from './prompt-pool.ts'

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
    ...prompts.flatMap((one): readonly LearntRow[] => [
      {
        ...{ ...shared, kind: 'prompt', id: one.id, body: promptHeadText(one) },
        ...{ topic: promptTopic(one.tool, one.concept), createdAt: one.createdAt },
      },
      // Apart from what it is found by, so that looking for prompts does not read all their numbers.
      {
        ...{ ...shared, kind: 'prompt-values', id: one.id, body: floatsText(one.prompt) },
        createdAt: one.createdAt,
      },
    ]),
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
    prompts: await wholePrompts(reader, await reader.select('prompt', { key: lesson })),
    demonstrations: await of('demonstration', (body) => JSON.parse(body) as Demonstration),
  }
}

/** Prompts with their numbers. */
export async function wholePrompts(
  reader: LearntReader,
  rows: readonly LearntRow[],
): Promise<readonly PromptEntry[]> {
  const entries: PromptEntry[] = []
  for (const { id, body } of rows) {
    const values = await reader.get('prompt-values', id)
    entries.push({ ...promptHeadOf(body), prompt: floatsOf(values?.body ?? '') })
  }
  return entries
}
