import type { Abortable, Json } from '../base/index.ts'

/** A part of a job whose result is kept before the next begins. */
export interface Stage<S> {
  readonly name: string
  run(state: S, options: Abortable): Promise<S>
}

interface Kept<S> {
  readonly done: readonly string[]
  readonly state: S
}

/**
 * Runs the stages of a job that are not done yet, keeping the state behind each.
 *
 * @param progress  what the job kept last; null at first
 * @param keep  stores it; throws when the job is another worker's by now
 * @returns the state behind the last stage; plain JSON throughout
 */
export async function runStages<S extends object>(
  progress: Json,
  first: S,
  stages: readonly Stage<S>[],
  { keep, signal }: Abortable & { readonly keep: (progress: Json) => Promise<void> },
): Promise<S> {
  const before = progress as unknown as Kept<S> | null
  let { done, state }: Kept<S> = before ?? { done: [], state: first }
  for (const stage of stages) {
    signal?.throwIfAborted()
    if (done.includes(stage.name)) continue
    state = await stage.run(state, signal === undefined ? {} : { signal })
    done = [...done, stage.name]
    await keep({ done, state } as unknown as Json)
  }
  return state
}
