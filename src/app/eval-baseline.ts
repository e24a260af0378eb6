import type { Abortable } from '../base/index.ts'
import { makeTasks, openLibrary, TEXT_ONLY_BOUNDS, textOnlyBaseline } from '../../world/index.ts'
import type { AnswerKind, Task } from '../../world/index.ts'
import type { EvalJob, EvalPlan } from './eval-jobs.ts'

/** What guessing by the words alone gets right. */
export interface BaselineRow {
  readonly kind: AnswerKind
  readonly right: number
  readonly of: number
  /** What it must stay under; none for colours. */
  readonly bound?: number
}

/** Twice the tested tasks are learnt from, in a training style, with training wordings. */
const TAUGHT = 2
const TAUGHT_SIZE = 128

export async function worldBaseline({
  plan,
  jobs,
  signal,
}: Abortable & {
  readonly plan: EvalPlan
  readonly jobs: readonly EvalJob[]
}): Promise<readonly BaselineRow[]> {
  const { cacheFolder, style } = plan
  const answered = jobs.filter(({ family }) => family !== 'imgedit' && family !== 'tagging')
  if (answered.length === 0) return []
  const library = await openLibrary([style, 'noto'], { cacheFolder, signal })
  const totals = new Map<AnswerKind, { right: number; of: number }>()
  for (const [family, group] of Map.groupBy(answered, (job) => job.family)) {
    const count = group.reduce((sum, job) => sum + job.count, 0)
    const taught = makeTasks(library, {
      ...{ family, count: count * TAUGHT, styles: ['noto'], seeds: 'train', wording: 'train' },
      ...{ split: 'known', size: TAUGHT_SIZE, signal },
    })
    const tested = group.flatMap((job): readonly Task[] =>
      makeTasks(library, { ...job, styles: [style], signal }),
    )
    for (const [kind, { right, of }] of textOnlyBaseline(taught, tested)) {
      const before = totals.get(kind) ?? { right: 0, of: 0 }
      totals.set(kind, { right: before.right + right, of: before.of + of })
    }
  }
  return [...totals].map(([kind, { right, of }]) => ({
    ...{ kind, right, of },
    ...(kind === 'colour' ? {} : { bound: TEXT_ONLY_BOUNDS[kind] }),
  }))
}
