import type { Pupil, RunOptions } from '../../../app/index.ts'
import type { Clock } from '../../../base/index.ts'
import { Unavailable } from '../../../base/index.ts'

type Limits = NonNullable<RunOptions['budget']>
type Key = keyof Limits
type Cost = { readonly [K in Key]: number }

const KEYS: readonly Key[] = ['calls', 'tokens', 'seconds', 'money', 'pictures']
const DAY = 86_400_000

/** What was promised to a piece of work. */
export interface Promised {
  /** What it may spend; what is not named is not limited. */
  readonly limits: Limits
  /** Notes what it has spent; without, what it was promised. */
  settle(cost?: Partial<Cost>): Promise<void>
}

/** What a token may still spend today. */
export interface Purse {
  /**
   * Limits for a piece of work: those asked for, no more than is left today and not promised to other work.
   *
   * @throws Unavailable `E_TOKEN_BUDGET` when nothing is left
   */
  promise(asked?: Limits): Promise<Promised>
}

export interface PurseParts {
  readonly token: string
  readonly budget: Limits
  /** Limits of every run, where it asks for none. */
  readonly usual: Limits
  readonly tokens: Pick<Pupil['tokens'], 'spent' | 'spend'>
  readonly clock: Clock
}

/** The purse of a token; one for each in a process, so that work that goes on at once cannot spend twice. */
export function createPurse({ token, budget, usual, tokens, clock }: PurseParts): Purse {
  const promised: Record<Key, number> = { calls: 0, tokens: 0, seconds: 0, money: 0, pictures: 0 }
  return {
    promise: async (asked = {}) => {
      const spent = await tokens.spent(token)
      const limits: Record<string, number> = {}
      for (const key of KEYS) {
        const most = budget[key]
        const wanted = asked[key] ?? usual[key]
        const left = most === undefined ? undefined : most - spent[key] - promised[key]
        if (left !== undefined && left <= 0) throw nothingLeft(key, most ?? 0, clock)
        const limit = left === undefined ? wanted : Math.min(left, wanted ?? left)
        if (limit !== undefined) limits[key] = limit
      }
      const given: Limits = limits
      const counted = KEYS.filter((key) => budget[key] !== undefined)
      for (const key of counted) promised[key] += given[key] ?? 0
      let open = true
      return {
        limits: given,
        settle: async (cost = Object.fromEntries(counted.map((key) => [key, given[key] ?? 0]))) => {
          if (!open) return
          open = false
          const { calls = 0, tokens: words = 0, seconds = 0, money = 0, pictures = 0 } = cost
          try {
            await tokens.spend(token, { calls, tokens: words, seconds, money, pictures })
          } finally {
            // Only now: in between it counts twice, never not at all.
            for (const key of counted) promised[key] -= given[key] ?? 0
          }
        },
      }
    },
  }
}

function nothingLeft(key: Key, most: number, clock: Clock): Unavailable {
  return new Unavailable(
    'E_TOKEN_BUDGET',
    `The budget of this token is used up: ${most} ${key} a day.`,
    {
      fields: { limit: key, most },
      cure: 'Wait until tomorrow (UTC), or until work that goes on has ended; or ask for a token that may spend more.',
      retryAfter: DAY - (clock.now() % DAY),
    },
  )
}
