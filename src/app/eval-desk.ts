import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expected, noProgress, UserFault } from '../base/index.ts'
import type { Abortable, ErrorData, Progress } from '../base/index.ts'
import { figureRows, reportSvg, reportTable } from '../evaluate/index.ts'
import type { FigureRow, TaskOutcome } from '../evaluate/index.ts'
import type { Style, TaskFamily } from '../../world/index.ts'
import type { Config } from './config.ts'
import type { Environment } from './environment.ts'
import { judgeOfJobs, openStation } from './eval-jobs.ts'
import type { EvalJob, EvalPlan } from './eval-jobs.ts'
import { worldBaseline } from './eval-baseline.ts'
import type { BaselineRow } from './eval-baseline.ts'
import type { FitnessRow } from './eval-fitness.ts'
import type { EvalReply } from './eval-worker.ts'
import { version } from './version.ts'

/** The names of the commands for the families, with the sizes of the paper's test parts. */
export const WORLD_TASKS = {
  vqa: { family: 'gqa', size: 500 },
  pairs: { family: 'nlvr', size: 500 },
  edit: { family: 'imgedit', size: 115 },
  tag: { family: 'tagging', size: 89 },
  knowledge: { family: 'knowledge', size: 500 },
} as const satisfies Record<string, { family: TaskFamily; size: number }>

export type WorldTasks = keyof typeof WORLD_TASKS

export interface EvaluateRequest extends Abortable {
  /** Default all. */
  readonly tasks?: readonly WorldTasks[]
  /** A training style or the development style (default). */
  readonly style?: Style
  /** Default both, reported apart. */
  readonly split?: 'known' | 'new'
  /** Draws of scenes, default 3. */
  readonly seeds?: number
  /** Tasks of each family and split over all draws; default the sizes of the paper. */
  readonly limit?: number
  /** Default the tools of the configuration; `truth` shows what planning alone loses. */
  readonly tools?: EvalPlan['tools']
  /** Worker threads, default 2; 0 works in this thread. */
  readonly threads?: number
  /** Whether the text-only baseline is worked out; default true. */
  readonly baseline?: boolean
  /** Side of the pictures; default 256. */
  readonly size?: number
  readonly progress?: Progress
}

/** An evaluation on the picture world, as `pupil eval world --json` writes it. */
export interface Evaluation {
  readonly version: string
  readonly style: Style
  readonly profile: Config['profile']
  readonly tools: EvalPlan['tools']
  readonly seeds: number
  readonly rows: readonly FigureRow[]
  /** The most frequent answer for wording and slots, which never looks. */
  readonly baseline: readonly BaselineRow[]
  /** Whether the judge of edits may be trusted; where a row is not fit, figures of edits are void. */
  readonly fitness: readonly FitnessRow[]
  /** By code, how often. */
  readonly errors: Readonly<Record<string, number>>
  readonly outcomes: readonly TaskOutcome[]
  readonly table: string
  readonly svg: string
}

/**
 * Runs the frozen system on tasks of the picture world and scores it.
 *
 * @throws UserFault `E_ARGUMENT` for tasks, seeds or limits that are not there
 * @source picture-world §12, §13
 */
export async function evaluateWorld(
  config: Config,
  env: Environment,
  request: EvaluateRequest = {},
): Promise<Evaluation> {
  const { style = 'twemoji', seeds = 3, tools = 'configured', threads = 2 } = request
  const cacheFolder = join(config.cache, 'world')
  const plan: EvalPlan = {
    ...{ config, env, style, tools, cacheFolder },
    ...(request.size === undefined ? {} : { size: request.size }),
  }
  const jobs = jobsOf(request, seeds)
  const outcomes = await (threads === 0 ? inline(plan, jobs, request) : shared(plan, jobs, request))
  const rows = figureRows(outcomes)
  const baseline =
    request.baseline === false ? [] : await worldBaseline({ plan, jobs, signal: request.signal })
  const fitness = await judgeOfJobs(plan, jobs, { signal: request.signal })
  const codes = Map.groupBy(
    outcomes.flatMap(({ error }) => error ?? []),
    (code) => code,
  )
  const title = `Picture world, ${style}, ${seeds} draws, profile ${config.profile}`
  return {
    ...{ version, style, profile: config.profile, tools, seeds, rows, baseline, fitness, outcomes },
    errors: Object.fromEntries([...codes].map(([code, all]) => [code, all.length])),
    table: reportTable(rows),
    svg: reportSvg(rows, title),
  }
}

function jobsOf({ tasks, split, limit }: EvaluateRequest, seeds: number): readonly EvalJob[] {
  if (!Number.isInteger(seeds) || seeds < 1 || seeds > 9) throw expected('1 to 9', 'seeds', seeds)
  const known = Object.keys(WORLD_TASKS) as WorldTasks[]
  const wanted = tasks ?? known
  const other = wanted.find((name) => !known.includes(name))
  if (other !== undefined) throw expected(known.join(', '), 'tasks', other)
  const splits = split === undefined ? (['known', 'new'] as const) : [split]
  return wanted.flatMap((name) =>
    splits.flatMap((part) => {
      const { family, size } = WORLD_TASKS[name]
      const total = limit ?? size
      return Array.from({ length: seeds }, (_, seed): EvalJob => {
        const count = Math.floor(total / seeds) + (seed < total % seeds ? 1 : 0)
        return { family, split: part, seed, count }
      }).filter(({ count }) => count > 0)
    }),
  )
}

async function inline(
  plan: EvalPlan,
  jobs: readonly EvalJob[],
  { signal, progress = noProgress }: EvaluateRequest,
): Promise<readonly TaskOutcome[]> {
  await using station = await openStation(plan)
  const outcomes: TaskOutcome[] = []
  for (const [done, job] of jobs.entries()) {
    outcomes.push(...(await station.work(job, { signal })))
    progress({ task: 'evaluate', status: 'progress', loaded: done + 1, total: jobs.length })
  }
  return outcomes
}

/** Worker threads take the next job when they are free; outcomes come back in the order of the jobs. */
async function shared(
  plan: EvalPlan,
  jobs: readonly EvalJob[],
  { threads = 2, signal, progress = noProgress }: EvaluateRequest,
): Promise<readonly TaskOutcome[]> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const url = new URL(`./eval-worker.${ending}`, import.meta.url)
  const results: (readonly TaskOutcome[])[] = []
  // The longest first, so that no thread is left alone with one at the end.
  const waiting = jobs
    .map((job, place) => ({ job, place }))
    .toSorted((a, b) => b.job.count - a.job.count)
  const workers = Array.from(
    { length: Math.min(threads, jobs.length) },
    () => new Worker(url, { workerData: plan }),
  )
  let done = 0
  const drain = async (worker: Worker): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal?.throwIfAborted()
      results[next.place] = await ask(worker, next.job, signal)
      progress({ task: 'evaluate', status: 'progress', loaded: ++done, total: jobs.length })
    }
  }
  try {
    await Promise.all(workers.map(drain))
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return results.flat()
}

async function ask(
  worker: Worker,
  job: EvalJob,
  signal: AbortSignal | undefined,
): Promise<readonly TaskOutcome[]> {
  const reply = await new Promise<EvalReply>((resolve, reject) => {
    const stop = (): void => reject(signal?.reason as Error)
    signal?.addEventListener('abort', stop, { once: true })
    worker.once('error', reject)
    worker.once('message', (said: EvalReply) => {
      signal?.removeEventListener('abort', stop)
      worker.off('error', reject)
      resolve(said)
    })
    worker.postMessage(job)
  })
  if ('error' in reply) throw told(reply.error)
  return reply.outcomes
}

function told({ code, message, fields, cure }: ErrorData): UserFault {
  return new UserFault(code, message, { fields, ...(cure === undefined ? {} : { cure }) })
}
