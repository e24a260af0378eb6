/** Tasks of the loop's benchmark: training and test hinge on the same new concepts, in other styles. */
import { seededRandom } from '../src/base/index.ts'
import type { LoopTask } from '../src/app/index.ts'
import { encodePng } from '../src/image/index.ts'
import {
  DEVELOPMENT_STYLE,
  makeTasks,
  scoreTask,
  taskInputs,
  TRAIN_STYLES,
} from '../world/index.ts'
import type { Library, ScoreMeans, Task, TaskFamily } from '../world/index.ts'

type TaskOptions = Parameters<typeof makeTasks>[1]

export interface LoopSizes {
  readonly train: number
  readonly test: number
  /** New concepts that training and test hinge on. */
  readonly concepts: number
}

export interface LoopSets {
  readonly train: readonly Task[]
  readonly test: readonly Task[]
  /** Ids of the new concepts. */
  readonly concepts: readonly string[]
}

/** How a task's first answer came out. */
export interface Mark {
  readonly id: string
  readonly type: string
  readonly concept: 'known' | 'new'
  readonly right: boolean
  /** Tagging: twice the matched, and expected + given. */
  readonly f1?: readonly [number, number]
}

/**
 * Half of the tasks of either part hinge on new concepts, the same few in both; training is drawn in training
 * styles, the test in the development style, both in training wordings.
 */
export function loopSets(
  library: Library,
  family: TaskFamily,
  seed: number,
  { train, test, concepts }: LoopSizes,
): LoopSets {
  const trained = new Set(library.conceptsOf(TRAIN_STYLES, 'new'))
  const both = library.conceptsOf([DEVELOPMENT_STYLE], 'new').filter((id) => trained.has(id))
  const hinges = shuffled(both, `concepts/${seed}`).slice(0, concepts)
  type Wanted = Pick<TaskOptions, 'styles' | 'seeds' | 'split'>
  const make = (count: number, more: Wanted): readonly Task[] => {
    const options = { family, count, seed, size: 256, wording: 'train', hinges, ...more } as const
    return count === 0 ? [] : makeTasks(library, options)
  }
  const part = (count: number, more: Wanted, name: string): readonly Task[] => {
    const fresh = make(Math.ceil(count / 2), { ...more, split: 'new' })
    const known = make(Math.floor(count / 2), { ...more, split: 'known' })
    return shuffled([...fresh, ...known], `${name}/${family}/${seed}`)
  }
  return {
    train: part(train, { styles: TRAIN_STYLES, seeds: 'train' }, 'train'),
    test: part(test, { styles: [DEVELOPMENT_STYLE], seeds: 'development' }, 'test'),
    concepts: hinges,
  }
}

function shuffled<T>(all: readonly T[], seed: string): readonly T[] {
  const random = seededRandom(seed)
  return all
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

/**
 * A task for the loop. Told are: of questions the right answer, of edits and tags the things that they are about and
 * where; of its outcome whether it is right. Only the first answer is marked (vector L16).
 */
export function loopTask(
  task: Task,
  library: Library,
  means: ScoreMeans,
  marks: Map<string, Mark>,
): LoopTask {
  const inputs = Object.values(taskInputs(task, library))
  const before = inputs[0]
  const shown = shownIn(task, library)
  return {
    ...{ id: task.id, family: task.family, instruction: task.instruction },
    pictures: inputs.map(({ data, width, height }) => encodePng(data, width, height)),
    ...(task.answer === undefined ? {} : { answer: task.answer }),
    ...(shown.length === 0 ? {} : { shown }),
    judge: async ({ outcome }) => {
      const value = outcome.status === 'done' ? outcome.value : undefined
      const score = await scoreTask(task, { value, before }, means)
      const tags = score.tags?.strict
      if (!marks.has(task.id)) {
        marks.set(task.id, {
          ...{ id: task.id, type: task.type, concept: task.split.concept, right: score.strict },
          ...(tags && { f1: [2 * tags.hits, 2 * tags.hits + tags.misses + tags.surplus] as const }),
        })
      }
      return score.strict
    },
  }
}

function shownIn(
  { family, objects = [], edits = [], scenes }: Task,
  { lexicon }: Library,
): NonNullable<LoopTask['shown']> {
  if (family === 'tagging') return objects.map(({ label, box }) => ({ label, box }))
  if (family !== 'imgedit') return []
  const targets = new Set(edits.flatMap((edit) => edit.targets))
  return (scenes[0]?.graph.objects ?? [])
    .filter(({ id }) => targets.has(id))
    .map(({ concept, box }) => ({ label: lexicon.concept(concept).label, box }))
}
