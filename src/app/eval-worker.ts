import { parentPort, workerData } from 'node:worker_threads'
import { errorData } from '../base/index.ts'
import type { ErrorData } from '../base/index.ts'
import type { TaskOutcome } from '../evaluate/index.ts'
import { openStation } from './eval-jobs.ts'
import type { EvalJob, EvalPlan } from './eval-jobs.ts'

/** What a worker says of a job. */
export type EvalReply =
  { readonly outcomes: readonly TaskOutcome[] } | { readonly error: ErrorData }

// A thread of `pupil eval`: takes a job, sends its outcomes, asks for no more by itself.
const station = openStation(workerData as EvalPlan)
parentPort?.on('message', (job: EvalJob | null) => {
  void (job === null ? leave() : work(job))
})

async function work(job: EvalJob): Promise<void> {
  try {
    const opened = await station
    parentPort?.postMessage({ outcomes: await opened.work(job) } satisfies EvalReply)
  } catch (error) {
    parentPort?.postMessage({ error: errorData(error) } satisfies EvalReply)
  }
}

async function leave(): Promise<void> {
  await (await station)[Symbol.asyncDispose]()
  parentPort?.close()
}
