import { UserFault } from '../base/index.ts'
import type { Exemplar, Learnt, Lesson } from '../memory/index.ts'

/** An example of a concept, without its numbers. */
export interface ConceptExample extends Omit<Exemplar, 'feature' | 'encoder'> {
  /** Whether it acts now. */
  readonly acts: boolean
}

/** What a tool knows of a concept, as lists show it. */
export interface ConceptCard {
  readonly tool: string
  readonly concept: string
  readonly versions: number
  /** Numbers of the versions that act. */
  readonly acting: readonly number[]
  /** Examples that act: what it is, and what it is not. */
  readonly positives: number
  readonly negatives: number
  readonly createdAt: number
  readonly changedAt: number
  /** The newest that act, positive ones first. */
  readonly examples: readonly ConceptExample[]
}

/** A concept with all its versions, oldest first, and all their examples. */
export interface ConceptDetail {
  readonly tool: string
  readonly concept: string
  readonly lessons: readonly Lesson[]
  readonly examples: readonly ConceptExample[]
}

/** Lessons by what they are about. */
export interface ConceptShelf {
  /** Newest change first. */
  list(): Promise<readonly ConceptCard[]>
  /** @throws UserFault `E_CONCEPT` */
  get(tool: string, concept: string): Promise<ConceptDetail>
  /**
   * Takes out what was learnt after a version and lets that one act; 0 takes everything out.
   *
   * Each lesson goes in a transaction of its own, the newest first.
   *
   * @throws UserFault `E_CONCEPT`, `E_LESSON` for a version that is not there or was kept out
   */
  rollback(tool: string, concept: string, version: number): Promise<ConceptDetail>
}

/** Examples on a card. */
const SHOWN = 6

export function conceptShelf(learnt: () => Promise<Learnt>): ConceptShelf {
  const get = async (tool: string, concept: string): Promise<ConceptDetail> => {
    const book = await learnt()
    const lessons = (await book.lessons({ tool, concept })).toSorted(byVersion)
    if (lessons.length === 0) throw noConcept(tool, concept)
    const examples: ConceptExample[] = []
    for (const { id, status } of lessons) {
      const { exemplars } = await book.parts(id)
      examples.push(...exemplars.map((one) => plainExample(one, status === 'applied')))
    }
    return { tool, concept, lessons, examples }
  }
  return {
    list: async () => {
      const book = await learnt()
      return cardsOf(await book.lessons(), await book.exemplars())
    },
    get,
    rollback: async (tool, concept, version) => {
      const book = await learnt()
      const { lessons } = await get(tool, concept)
      const target = lessons.find((one) => one.version === version)
      if (version !== 0 && (target === undefined || target.status === 'kept-out')) {
        throw noVersion(tool, concept, version, target)
      }
      for (;;) {
        // Undoing one may let another act that it superseded.
        const acting = (await book.lessons({ tool, concept })).filter(isApplied).toSorted(byVersion)
        const newest = acting.at(-1)
        if (newest === undefined || newest.version <= version) break
        await book.undo(newest.id)
      }
      const now = target === undefined ? undefined : await book.lesson(target.id)
      if (now !== undefined && now.status !== 'applied') await book.redo(now.id)
      return get(tool, concept)
    },
  }
}

const byVersion = (a: Lesson, b: Lesson): number => a.version - b.version
const isApplied = ({ status }: Lesson): boolean => status === 'applied'

function plainExample(exemplar: Exemplar, acts: boolean): ConceptExample {
  const { feature: _, encoder: __, ...rest } = exemplar
  return { ...rest, acts }
}

function cardsOf(
  lessons: readonly Lesson[],
  exemplars: readonly Exemplar[],
): readonly ConceptCard[] {
  const about = new Map<string, Lesson[]>()
  for (const lesson of lessons) {
    if (lesson.concept === null) continue
    const key = JSON.stringify([lesson.tool, lesson.concept])
    const known = about.get(key)
    if (known === undefined) about.set(key, [lesson])
    else known.push(lesson)
  }
  const byLesson = Map.groupBy(exemplars, ({ lesson }) => lesson)
  const cards = [...about.values()].map((own) => cardOf(own.toSorted(byVersion), byLesson))
  return cards.toSorted((a, b) => b.changedAt - a.changedAt || (a.concept < b.concept ? -1 : 1))
}

function cardOf(
  lessons: readonly Lesson[],
  byLesson: ReadonlyMap<string, readonly Exemplar[]>,
): ConceptCard {
  const [first] = lessons as [Lesson, ...Lesson[]] // a card has a lesson
  const examples = lessons
    .flatMap(({ id }) => byLesson.get(id) ?? [])
    .toSorted((a, b) => Number(b.positive) - Number(a.positive) || b.createdAt - a.createdAt)
  const positives = examples.filter(({ positive }) => positive).length
  return {
    ...{ tool: first.tool, concept: first.concept ?? '', versions: lessons.length },
    acting: lessons.filter(isApplied).map(({ version }) => version),
    ...{ positives, negatives: examples.length - positives },
    createdAt: Math.min(...lessons.map(({ createdAt }) => createdAt)),
    changedAt: Math.max(...lessons.map(({ createdAt }) => createdAt)),
    examples: examples.slice(0, SHOWN).map((one) => plainExample(one, true)),
  }
}

function noConcept(tool: string, concept: string): UserFault {
  return new UserFault('E_CONCEPT', `${tool} was taught nothing about "${concept}".`, {
    fields: { tool, concept },
    cure: 'List what it was taught with "pupil lessons".',
  })
}

function noVersion(
  tool: string,
  concept: string,
  version: number,
  target: Lesson | undefined,
): UserFault {
  const why = target === undefined ? 'is not there' : 'was kept out'
  return new UserFault('E_LESSON', `Version ${version} of "${concept}" for ${tool} ${why}.`, {
    fields: { tool, concept, version },
    cure:
      target === undefined ? 'Give a version that is listed.' : 'Redo that lesson if you insist.',
  })
}
