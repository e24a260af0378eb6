import type { Step } from '../agents/index.ts'
import type { RunHead, RunStore, RunTail } from '../stores/index.ts'
import { picturesIn } from '../stores/index.ts'
import type { PictureLibrary } from './picture-library.ts'

/** Writes a run down while it goes on: what a killed process had done stays readable. */
export interface RunRecorder {
  /** Settles when the run is on record with what it was given; rejects with why it cannot be. */
  readonly begun: Promise<void>
  /** Notes a step; writing goes on beside the run. */
  step(step: Step): void
  /** Waits for what is being written, then closes the record. @throws what stopped the writing */
  finish(tail: RunTail): Promise<void>
}

/**
 * @param onFailure  called once when writing fails, so that the run can be stopped
 */
export async function startRecord(
  head: RunHead,
  parts: { readonly runs: RunStore; readonly library: PictureLibrary },
  onFailure: (error: unknown) => void,
): Promise<RunRecorder> {
  const { runs, library } = parts
  let position = 0
  let failed: { readonly error: unknown } | undefined
  const keepAll = async (value: unknown): Promise<void> => {
    await Promise.all(picturesIn(value).map((image) => library.keep(image)))
  }
  // Steps are written one after the other; the run itself does not wait for the disk.
  let writing: Promise<void> = Promise.resolve()
  const enqueue = (write: () => Promise<void>): void => {
    writing = writing.then(async () => {
      if (failed !== undefined) return
      try {
        await write()
      } catch (error) {
        failed = { error }
        onFailure(error)
      }
    })
  }
  enqueue(async () => {
    await keepAll(head.task.inputs)
    await runs.begin(head)
  })
  const begun = writing.then(() => {
    if (failed !== undefined) throw failed.error
  })
  // Whoever only waits for the end hears of it there.
  begun.catch(() => {})
  return {
    begun,
    step: (step) => {
      const at = position++
      // Begun at once: whoever hears of the step may ask for its pictures, and waits for them there.
      const kept = keepAll(step)
      kept.catch(() => {})
      enqueue(async () => {
        await kept
        await runs.append(head.id, at, step)
      })
    },
    finish: async (tail) => {
      enqueue(async () => {
        await keepAll(tail.outcome)
        await runs.finish(head.id, tail)
      })
      await writing
      if (failed !== undefined) throw failed.error
    },
  }
}

/** What is known of a run when it starts. */
export function headOf({ id, agent, task, createdAt, version }: RunHead): RunHead {
  return { id, agent, task, createdAt, version }
}
