import type { Exemplar, Lesson } from '../memory/index.ts'
import { questionKey } from '../tools/index.ts'
import type { KnownPerson, Taught, TaughtAnswer, TaughtExample } from '../tools/index.ts'

/** What acts, as the tools ask for it. */
export function taughtOf(exemplars: readonly Exemplar[], lessons: readonly Lesson[]): Taught {
  const versions = new Map(lessons.map(({ id, version }) => [id, version]))
  const things = new Map<string, TaughtExample[]>()
  const answers = new Map<string, TaughtAnswer[]>()
  for (const one of exemplars) {
    const example = exampleOf(one, versions.get(one.lesson) ?? 1)
    if (one.kind === 'thing') push(things, one.concept, example)
    if (one.kind === 'answer' && one.answer !== undefined) {
      push(answers, questionKey(one.concept), { ...example, answer: one.answer })
    }
  }
  return { things, answers }
}

function exampleOf(one: Exemplar, version: number): TaughtExample {
  const { id, lesson, positive, encoder, feature, picture, box } = one
  return {
    ...{ id, lesson, version, positive, encoder, feature, picture },
    ...(box === undefined ? {} : { box }),
  }
}

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** The people whose faces were taught. */
export function peopleOf(exemplars: readonly Exemplar[]): readonly KnownPerson[] {
  const byName = new Map<string, Exemplar[]>()
  for (const one of exemplars) if (one.kind === 'face') push(byName, one.concept, one)
  return [...byName].map(([name, faces]) => {
    const lesson = faces.findLast(({ positive }) => positive)?.lesson
    return {
      name,
      vectors: faces.filter(({ positive }) => positive).map(({ feature }) => feature),
      tombstones: faces.filter(({ positive }) => !positive).map(({ feature }) => feature),
      ...(lesson === undefined ? {} : { lesson }),
    }
  })
}
