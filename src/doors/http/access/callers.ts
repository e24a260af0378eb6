import type { Pupil, Scope } from '../../../app/index.ts'
import type { Clock } from '../../../base/index.ts'
import { Unavailable, UserFault } from '../../../base/index.ts'
import type { RouteContext } from '../door.ts'
import { liveRuns } from '../live-runs.ts'
import { liveTurns } from '../live-turns.ts'
import { countGuesses } from './guesses.ts'
import { metered } from './metered.ts'
import { createPurse } from './purse.ts'

type TokenRecord = NonNullable<Awaited<ReturnType<Pupil['tokens']['find']>>>

/** Who calls: the owner of the machine, or whoever has a token. */
export interface Caller {
  readonly scopes: ReadonlySet<string>
  readonly context: RouteContext
}

/** Those who may call, each with the space that is theirs. */
export interface Callers {
  /** The owner, who needs no token. */
  readonly owner: Caller
  /**
   * @param peer  where the request comes from
   * @throws UserFault `E_TOKEN_UNKNOWN`, Unavailable `E_GUESSING`
   */
  byToken(token: string, peer: string): Promise<Caller>
  /** Ends what goes on, in every space. */
  close(): Promise<void>
}

export function callersOf(
  pupil: Pupil,
  shared: Pick<RouteContext, 'clock' | 'metrics' | 'fetchPicture'>,
): Callers {
  const { clock } = shared
  const guesses = countGuesses(clock)
  const spaces = new Map<string, Pick<RouteContext, 'live' | 'turns'>>()
  const tokens = new Map<string, Caller>()
  const going = (space: string): Pick<RouteContext, 'live' | 'turns'> => {
    const known = spaces.get(space) ?? { live: liveRuns(), turns: liveTurns() }
    spaces.set(space, known)
    return known
  }
  const callerOf = (record: TokenRecord): Caller => {
    const known = tokens.get(record.id)
    if (known !== undefined) return known
    const own = meteredFor(pupil, record, clock)
    const made: Caller = {
      scopes: new Set(record.scopes),
      context: { ...shared, ...going(record.space), pupil: own },
    }
    tokens.set(record.id, made)
    return made
  }
  return {
    owner: { scopes: EVERYTHING, context: { ...shared, ...going(pupil.config.space), pupil } },
    byToken: async (token, peer) => {
      // Looked up every time: a token that was revoked, by any process, is refused at once.
      const record = await pupil.tokens.find(token)
      if (record !== undefined) return callerOf(record)
      const wait = guesses.wait(peer)
      guesses.wrong(peer)
      throw wait > 0 ? guessing(wait) : unknownToken()
    },
    close: async () => {
      const all = [...spaces.values()]
      await Promise.all(all.flatMap(({ live, turns }) => [live.close(), turns.close()]))
    },
  }
}

function meteredFor(pupil: Pupil, { id, space, budget }: TokenRecord, clock: Clock): Pupil {
  const { tokens, config } = pupil
  const purse = createPurse({ token: id, budget, usual: config.budget, tokens, clock })
  return metered(pupil.inSpace(space), purse)
}

const EVERYTHING: ReadonlySet<string> = new Set<Scope>(['read', 'run', 'learn'])

/** @throws UserFault `E_SCOPE` */
export function allow({ scopes }: Caller, ...wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !scopes.has(scope))
  if (missing.length === 0) return
  throw new UserFault(
    'E_SCOPE',
    `This token may not do that: it lacks "${missing.join('", "')}".`,
    {
      fields: { scopes: [...scopes], missing },
      cure: 'Ask for a token with that scope.',
    },
  )
}

/** Said to who shows no token. */
export function tokenMissing(): UserFault {
  return new UserFault('E_TOKEN_MISSING', 'This server answers only who has a token.', {
    cure: 'Send "Authorization: Bearer TOKEN", or sign in at /login.',
  })
}

function unknownToken(): UserFault {
  return new UserFault('E_TOKEN_UNKNOWN', 'This token is not known here, or was revoked.', {
    cure: 'Ask whoever runs this server for another.',
  })
}

function guessing(wait: number): Unavailable {
  return new Unavailable('E_GUESSING', 'Too many wrong tokens came from there.', {
    cure: 'Wait a minute.',
    retryAfter: wait,
  })
}
