import type { Clock } from '../../../base/index.ts'

const MINUTE = 60_000
/** Wrong tokens that one caller may show in a minute. */
const MOST = 20
/** Callers that are remembered. */
const KEPT = 10_000

/** Wrong tokens by who showed them: whoever guesses is made to wait. */
export interface Guesses {
  wrong(peer: string): void
  /** Milliseconds until another guess is looked at; 0 when it is now. */
  wait(peer: string): number
}

export function countGuesses(clock: Clock): Guesses {
  const seen = new Map<string, { since: number; count: number }>()
  return {
    wrong: (peer) => {
      const now = clock.now()
      const known = seen.get(peer)
      seen.delete(peer)
      const isOld = known === undefined || now - known.since >= MINUTE
      seen.set(peer, isOld ? { since: now, count: 1 } : { ...known, count: known.count + 1 })
      const [oldest] = seen.keys()
      if (seen.size > KEPT && oldest !== undefined) seen.delete(oldest)
    },
    wait: (peer) => {
      const known = seen.get(peer)
      if (known === undefined || known.count < MOST) return 0
      return Math.max(0, known.since + MINUTE - clock.now())
    },
  }
}
