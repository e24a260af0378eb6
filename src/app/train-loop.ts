import type { Run } from '../agents/index.ts'
import type { Abortable, Clock, Ids } from '../base/index.ts'
import type {
  Draft,
  LearnOutcome,
  LoopParts,
  Phase,
  ShownThing,
  ToolLesson,
} from '../learning/index.ts'
import type { Demonstration, DemonstrationPool } from '../memory/index.ts'
import type { Verdict } from '../reflection/index.ts'
import type { LearningJobs } from './learning-jobs.ts'
import type { LearningParts } from './learning-desk.ts'
import { replayOf } from './learning-parts.ts'
import type { LiveRun } from './live-run.ts'
import type { PictureInput } from './picture-library.ts'
import type { RunOptions, RunRequest } from './pupil.ts'

/** A task whose right outcome is known. */
export interface LoopTask {
  readonly id: string
  /** gqa, nlvr, imgedit, tagging. */
  readonly family: string
  readonly instruction: string
  readonly pictures: readonly PictureInput[]
  /** The right answer: what reflection works with. */
  readonly answer?: string
  /** What the instruction is about, as a person would show it; for tags all that is to be tagged. */
  readonly shown?: readonly ShownThing[]
  /** Whether a run is right, where an answer cannot say it; undefined when nobody knows. */
  readonly judge?: (run: Run) => Promise<boolean | undefined>
}

/** What of the loop takes part; all of it by default. Each can be left out (CLOVA table 4). */
export interface LoopSwitches {
  readonly global?: boolean
  readonly local?: boolean
  readonly replay?: boolean
  /** Demonstrations out of right and of wrong runs. */
  readonly right?: boolean
  readonly wrong?: boolean
  /** Lessons on tools: examples, and prompts where the models take them. */
  readonly tools?: boolean
  readonly prompts?: boolean
  /** Pictures found for a concept act as further examples where prompts do not pass. */
  readonly gather?: boolean
  /** Whether what was learnt must pass its checks to act. */
  readonly validation?: boolean
}

export interface LoopOptions extends Abortable {
  readonly seed?: number
  readonly switches?: LoopSwitches
  readonly onTask?: (result: LoopResult) => void
}

/** What became of a task. */
export interface LoopResult {
  readonly id: string
  /** Of the first answer: the only one that counts in a stream (vector L16). */
  readonly right: boolean | undefined
  /** After what was learnt from it; undefined when nothing was made anew. */
  readonly after?: boolean
  readonly outcome: LearnOutcome | 'only_answered'
  readonly answer: string
  readonly lessons: readonly string[]
  readonly notes: readonly string[]
  readonly run: string
  /** Code of the error that it ended with. */
  readonly error?: string
}

/** Results of tasks in their order. */
export interface LoopReport {
  readonly results: readonly LoopResult[]
  /** Share of right first answers among those that somebody could judge. */
  readonly accuracy: number
}

export interface TrainParts extends LearningParts {
  readonly start: (request: RunRequest, options?: RunOptions) => Promise<LiveRun>
  readonly replay: (name: string, options: RunOptions & { readonly from?: number }) => Promise<Run>
  readonly pool: () => Promise<DemonstrationPool>
  readonly work: LearningJobs
}

/**
 * Answers tasks and learns from those that come out wrong, one after another: the whole of Algorithm 1.
 *
 * Offline, train on one part and `evaluateTasks` on another; online, the accuracy of this report is the result,
 * since each first answer is marked before anything is learnt from it.
 *
 * @source CLOVA Algorithm 1, §4.1 (offline, online); clova §6, §8
 */
export async function trainTasks(
  tasks: readonly LoopTask[],
  parts: TrainParts,
  options: LoopOptions = {},
): Promise<LoopReport> {
  const results: LoopResult[] = []
  for (const task of tasks) {
    options.signal?.throwIfAborted()
    const result = await learnOne(task, parts, options)
    results.push(result)
    options.onTask?.(result)
  }
  return reportOf(results)
}

/** Answers tasks with what is known, and learns nothing. */
export async function evaluateTasks(
  tasks: readonly LoopTask[],
  parts: Pick<TrainParts, 'start'>,
  options: LoopOptions = {},
): Promise<LoopReport> {
  const results: LoopResult[] = []
  for (const task of tasks) {
    const run = await answer(task, parts, options)
    const result: LoopResult = {
      ...{ id: task.id, right: await judged(task, run), outcome: 'only_answered' },
      ...{ ...(await toldOf(run)), lessons: [], notes: [] },
    }
    results.push(result)
    options.onTask?.(result)
  }
  return reportOf(results)
}

function reportOf(results: readonly LoopResult[]): LoopReport {
  const known = results.filter(({ right }) => right !== undefined)
  const right = known.filter((one) => one.right === true).length
  return { results, accuracy: known.length === 0 ? 0 : right / known.length }
}

async function answer(
  task: LoopTask,
  { start }: Pick<TrainParts, 'start'>,
  { seed, signal }: LoopOptions,
): Promise<Run> {
  const { family, instruction, pictures } = task
  const live = await start(
    { family, instruction, pictures },
    { ...(seed === undefined ? {} : { seed }), ...(signal === undefined ? {} : { signal }) },
  )
  return live.result
}

async function judged(task: LoopTask, run: Run): Promise<boolean | undefined> {
  if (task.judge !== undefined) return task.judge(run)
  if (task.answer === undefined) return undefined
  const { agrees } = await import('../reflection/index.ts')
  return agrees(run.outcome, task.answer)
}

async function toldOf(run: Run): Promise<Pick<LoopResult, 'answer' | 'run' | 'error'>> {
  const { answerOf } = await import('../learning/index.ts')
  const { outcome } = run
  return {
    ...{ answer: answerOf(outcome), run: run.id },
    ...(outcome.status === 'error' ? { error: outcome.error.code } : {}),
  }
}

async function learnOne(
  task: LoopTask,
  parts: TrainParts,
  options: LoopOptions,
): Promise<LoopResult> {
  const { learn } = await import('../learning/index.ts')
  const { signal, switches = {} } = options
  const first = await answer(task, parts, options)
  const loop = await loopParts(task, first, parts, options)
  let marks: (boolean | undefined)[] = []
  const judge = async (run: Run): Promise<boolean | undefined> => {
    const right = await judged(task, run)
    marks = [...marks, right]
    if (right !== undefined) await scoreShown(run, right, parts)
    return right
  }
  const wish = task.answer === undefined ? {} : { answer: task.answer }
  const made = await learn(first.task, judge, loop, {
    wish,
    ...(signal === undefined ? {} : { signal }),
  })
  const after = marks.length > 1 ? marks.at(-1) : undefined
  const { prompts = true, validation = true } = switches
  const isLater = hasJobs(switches) && made.lessons.length > 0
  const work = { once: true, switches: { prompts, validation }, signal }
  const jobs = isLater ? await parts.work.work(work) : []
  const faults = jobs.flatMap(({ job, error }) =>
    error === undefined ? [] : [`Tuning of ${job.key} failed: ${error}`],
  )
  return {
    ...{ id: task.id, right: marks[0], outcome: made.outcome, ...(await toldOf(first)) },
    ...{ lessons: made.lessons, notes: [...made.notes, ...faults] },
    ...(after === undefined ? {} : { after }),
  }
}

/** Whether lessons go on in the background: prompts are tuned, or pictures are gathered. */
function hasJobs({ prompts = true, gather = true }: LoopSwitches): boolean {
  return prompts || gather
}

/** A run counts for or against the examples in its prompts (clova §7). */
async function scoreShown(run: Run, right: boolean, { pool }: TrainParts): Promise<void> {
  const { scoreDemonstrations } = await import('../learning/index.ts')
  await scoreDemonstrations(run, right, await pool())
}

async function loopParts(
  task: LoopTask,
  first: Run,
  parts: TrainParts,
  options: LoopOptions,
): Promise<LoopParts> {
  const workshop = await parts.workshop()
  const { switches = {} } = options
  return {
    signatures: workshop.signatures,
    phases: await phasesOf(task, parts, switches),
    replay: switches.replay === false ? null : replayOf(workshop),
    infer: async (_, { critique, signal }) => {
      if (critique === undefined) return first
      if (switches.wrong !== false) {
        // The failed try stands in the next prompt as an incorrect example with its critique.
        await keepExample(critique.before, 'wrong', parts, { critique: critique.text })
      }
      return answer(task, parts, { ...options, ...(signal === undefined ? {} : { signal }) })
    },
    again: (run, { signal }) =>
      parts.replay(run.id, { from: 0, ...(signal === undefined ? {} : { signal }) }),
    teach: ({ verdict, run }, more) =>
      switches.tools === false
        ? Promise.resolve({ lessons: [], missing: 'Lessons on tools are switched off.' })
        : teachTool(task, { verdict, run }, parts, { ...more, switches }),
    rememberRight: async (run) => {
      if (switches.right !== false) await keepExample(run, 'right', parts)
    },
    rememberWrong: async (run, verdict, unverified) => {
      const [blame] = verdict.blames
      if (switches.wrong === false || blame?.location === 'tool') return
      const critique = blame?.reason
      await keepExample(run, 'wrong', parts, {
        ...(critique === undefined ? {} : { critique }),
        ...(unverified || critique === undefined ? { unverified: true } : {}),
      })
    },
  }
}

/**
 * Global, then local: what the person showed first, then the planner's model where there is one; replay stands last
 * in both.
 */
async function phasesOf(
  task: LoopTask,
  parts: TrainParts,
  { global = true, local = true, replay = true }: LoopSwitches,
): Promise<readonly Phase[]> {
  const { globalReflector, localReflector, replayReflector } =
    await import('../reflection/index.ts')
  const workshop = await parts.workshop()
  const { model } = workshop
  const { shownReflector } = await import('../learning/index.ts')
  const { shown = [], family } = task
  const first = shown.length > 0 ? [shownReflector(shown, { all: family === 'tagging' })] : []
  const last = replay ? [replayReflector(replayOf(workshop))] : []
  const claims =
    model === undefined
      ? undefined
      : { global: globalReflector({ model }), local: localReflector({ model }) }
  return [
    ...(global
      ? [
          {
            name: 'global' as const,
            reflectors: [...first, ...(claims ? [claims.global] : []), ...last],
          },
        ]
      : []),
    ...(local
      ? [
          {
            name: 'local' as const,
            reflectors: [...first, ...(claims ? [claims.local] : []), ...last],
          },
        ]
      : []),
  ]
}

/** Blames of one verdict that are tried, until one teaches something that holds. */
const MOST_BLAMES = 4

async function teachTool(
  task: LoopTask,
  { verdict, run }: { readonly verdict: Verdict; readonly run: Run },
  parts: TrainParts,
  { switches, signal }: Abortable & { readonly switches: LoopSwitches },
): Promise<ToolLesson> {
  const { teacherOf } = await import('./learning-parts.ts')
  const { verdictJson } = await import('../learning/index.ts')
  const teacher = await teacherOf(parts)
  const lessons: string[] = []
  let missing = 'Nothing can be learnt from what is blamed.'
  for (const draft of await draftsFor(task, verdict, run, parts)) {
    // Of what replay supposes the first that holds is learnt; what a person showed is learnt whole.
    if (lessons.length > 0 && verdict.by !== 'user') break
    if ('nothing' in draft) {
      missing = draft.nothing
      continue
    }
    for (const { image } of draft.examples) await (await parts.library()).keep(image)
    const failed = { run, ...(task.answer === undefined ? {} : { answer: task.answer }) }
    const lecture = { ...draft, author: parts.space, verdict: verdictJson(verdict), failed }
    const preview = await teacher.preview(lecture, signal === undefined ? {} : { signal })
    const isForced = switches.validation === false
    if (preview.lesson.status !== 'applied' && !isForced) {
      missing = preview.lesson.reason ?? 'It was kept out.'
      continue
    }
    const lesson = await teacher.apply(preview, { insist: isForced })
    lessons.push(lesson.id)
    if (hasJobs(switches) && (await parts.backends?.())?.learnables !== undefined) {
      await parts.work.tune(lesson.id)
    }
  }
  return lessons.length === 0 ? { lessons, missing } : { lessons }
}

/** What a verdict would teach, the likeliest first. */
async function draftsFor(
  { shown = [], family }: LoopTask,
  verdict: Verdict,
  run: Run,
  parts: TrainParts,
): Promise<readonly Draft[]> {
  const { attemptOf, callsOf, draftFromBlame, draftsOfShown } = await import('../learning/index.ts')
  if (verdict.by !== 'user') {
    const blamed = verdict.blames.filter(({ location }) => location === 'tool')
    return blamed.slice(0, MOST_BLAMES).map((blame) => draftFromBlame(blame, callsOf(run)))
  }
  const attempt = attemptOf(run, (await parts.workshop()).signatures)
  return attempt === undefined ? [] : draftsOfShown(shown, attempt, { all: family === 'tagging' })
}

/** Keeps the program of a run as an example, unless an equal one is there (trap 16). */
async function keepExample(
  run: Run,
  verdict: Demonstration['verdict'],
  { pool, clock, ids }: { pool: TrainParts['pool']; clock: Clock; ids: Ids },
  more: Pick<Demonstration, 'critique' | 'unverified'> = {},
): Promise<void> {
  const { family, instruction } = run.task
  const program = run.steps.findLast((step) => step.kind === 'program')?.program
  const plan = run.steps.findLast((step) => step.kind === 'plan')?.plan
  if (program === undefined || instruction === '') return
  const all = await (await pool()).list(family)
  const isThere = all.some(
    (one) => one.verdict === verdict && one.instruction === instruction && one.program === program,
  )
  if (isThere) return
  await (
    await pool()
  ).put({
    ...{ id: ids.next('demo'), family, instruction, program, verdict, score: 0, origin: 'run' },
    ...{ createdAt: clock.now(), ...(plan === undefined ? {} : { plan }), ...more },
  })
}
