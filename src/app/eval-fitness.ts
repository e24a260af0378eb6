import type { Abortable } from '../base/index.ts'
import { judgeFitness, openLibrary } from '../../world/index.ts'
import type { Fitness, Judge, Style } from '../../world/index.ts'
import type { EvalJob } from './eval-jobs.ts'

/** How far the judge of edits may be trusted on targets of one kind. */
export interface FitnessRow extends Fitness {
  readonly split: EvalJob['split']
  /** The training styles that it was shown. */
  readonly styles: readonly Style[]
}

/** Cases of each kind. */
const CASES = 60

/** One training style, the one that the baseline reads too: each more is built for ten seconds. */
const STYLES: readonly Style[] = ['noto']

/**
 * The fitness of a judge, for the kinds of targets that are edited; none where nothing is judged by it.
 *
 * @source picture-world §8. All training styles together: `node bench/world-floors.ts CACHE 100 judge`.
 */
export async function evalFitness({
  judge,
  cacheFolder,
  jobs,
  signal,
}: Abortable & {
  readonly judge: Judge
  readonly cacheFolder: string
  readonly jobs: readonly Pick<EvalJob, 'family' | 'split'>[]
}): Promise<readonly FitnessRow[]> {
  const edits = jobs.filter(({ family }) => family === 'imgedit')
  if (edits.length === 0) return []
  const library = await openLibrary(STYLES, { cacheFolder, signal })
  const rows: FitnessRow[] = []
  for (const split of new Set(edits.map((job) => job.split))) {
    const asked = { styles: STYLES, cases: CASES, split, signal }
    rows.push({ split, styles: STYLES, ...(await judgeFitness(judge, library, asked)) })
  }
  return rows
}
