import type { LiveRun } from '../../app/index.ts'

/** Runs that go on in this process, and those that ended a moment ago. */
export interface LiveRuns {
  add(run: LiveRun): void
  get(id: string): LiveRun | undefined
  /** How many go on. */
  count(): number
  /** Cancels all and waits for them. */
  close(): Promise<void>
}

/** Ended runs are kept for listeners that come late; older ones are read from the store. */
const KEPT = 20

export function liveRuns(): LiveRuns {
  const going = new Map<string, LiveRun>()
  const ended: string[] = []
  return {
    add: (run) => {
      going.set(run.id, run)
      const settle = (): void => {
        ended.push(run.id)
        if (ended.length > KEPT) going.delete(ended.shift() ?? '')
      }
      run.result.then(settle, settle)
    },
    get: (id) => going.get(id),
    count: () => going.size - ended.length,
    close: async () => {
      const all = [...going.values()]
      for (const run of all) run.cancel('The server is stopping.')
      await Promise.allSettled(all.map((run) => run.result))
    },
  }
}
