import type { LearningJobs, Pupil } from '../../app/index.ts'
import type { CommandInput } from './command.ts'
import { lessonLine } from './lesson-text.ts'
import { progressLine } from './progress.ts'
import { writeJson } from './report.ts'
import { paintFor } from './style.ts'

type Job = Awaited<ReturnType<LearningJobs['list']>>[number]

/** What jobs left behind in their last stage, as far as people are told. */
interface JobState {
  readonly lesson?: string
  readonly nothing?: string
}

const stateOf = ({ progress }: Job): JobState =>
  (progress as { readonly state?: JobState } | null)?.state ?? {}

const doneOf = ({ progress }: Job): readonly string[] =>
  (progress as { readonly done?: readonly string[] } | null)?.done ?? []

/** A job without the numbers that its stages left. */
export function jobDocument(job: Job): object {
  const { id, kind, key, state, attempts, error, createdAt, updatedAt } = job
  const { lesson, nothing } = stateOf(job)
  return {
    ...{ id, kind, lesson: key, state, attempts, error, stages: doneOf(job) },
    ...{ made: lesson ?? null, nothing: nothing ?? null, createdAt, updatedAt },
  }
}

/** A row a job: id, state, lesson, how far it is or why it ended. */
export function jobRows(jobs: readonly Job[]): readonly (readonly string[])[] {
  return jobs.map((job) => {
    const { nothing, lesson } = stateOf(job)
    const far = doneOf(job).at(-1)
    const told = job.error ?? nothing ?? lesson ?? (far === undefined ? '' : `after ${far}`)
    return [job.id, job.state, job.key, told]
  })
}

/** Works off what waits in worker processes, and prints what became of it. @returns the exit code */
export async function workOff(input: CommandInput, pupil: Pupil): Promise<number> {
  const { jobs, code } = await workedOff(input, pupil)
  if (input.global.json) writeJson(input.io, { jobs: jobs.map(jobDocument) })
  else await printEnds(input, pupil.learning, jobs)
  return code
}

/** Works off what waits in worker processes. @returns the jobs as they ended, and the exit code */
export async function workedOff(
  { io, global }: CommandInput,
  { learning }: Pupil,
): Promise<{ readonly jobs: readonly Job[]; readonly code: number }> {
  const before = await learning.jobs.list()
  const due = before.filter(({ state }) => state === 'waiting' || state === 'running')
  const line = progressLine(io, global)
  if (due.length > 0) line.say(`tuning ${due.length} ${due.length === 1 ? 'lesson' : 'lessons'} …`)
  try {
    await learning.jobs.processes({
      once: true,
      ...(io.signal === undefined ? {} : { signal: io.signal }),
      note: (text) => {
        if (!global.quiet) io.stderr.write(`${text}\n`)
      },
    })
  } finally {
    line.clear()
  }
  const after = await Promise.all(due.map(({ id }) => learning.jobs.get(id)))
  const jobs = after.filter((job) => job !== undefined)
  if (io.signal?.aborted === true) return { jobs, code: 130 }
  return { jobs, code: jobs.every(({ state }) => state === 'done') ? 0 : 1 }
}

async function printEnds(
  { io, global }: CommandInput,
  learning: Pupil['learning'],
  jobs: readonly Job[],
): Promise<void> {
  const paint = paintFor(io.stdout, io, global.color)
  if (jobs.length === 0 && !global.quiet) io.stderr.write('Nothing waits.\n')
  for (const job of jobs) {
    const { lesson, nothing } = stateOf(job)
    if (lesson !== undefined) {
      const detail = await learning.lesson(lesson)
      io.stdout.write(`${lessonLine(detail.lesson, paint)}\n`)
    } else io.stdout.write(`${job.key}: ${job.error ?? nothing ?? job.state}\n`)
  }
}
