import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../base/index.ts'
import { expected, UserFault } from '../base/index.ts'
import type { Spending, TokenRecord, TokenStore } from '../stores/index.ts'
import { SCOPES } from './scope.ts'
import type { Scope } from './scope.ts'

export interface TokenRequest {
  readonly name: string
  /** Default: all. */
  readonly scopes?: readonly Scope[]
  /** Limits of a day (UTC). */
  readonly budget?: Partial<Spending>
}

/** Bearer tokens of this space; `find` knows those of every space. */
export interface TokenShelf {
  /** Makes a token. It is shown this once: only its digest is kept. */
  add(request: TokenRequest): Promise<{ readonly token: string; readonly record: TokenRecord }>
  list(): Promise<readonly TokenRecord[]>
  /** By id or the beginning of it. @throws UserFault `E_TOKEN` */
  revoke(name: string): Promise<TokenRecord>
  /** Whose token it is; undefined for one that is unknown or revoked. */
  find(token: string): Promise<TokenRecord | undefined>
  /** Whether any space has a token that is in use. */
  any(): Promise<boolean>
  /** What a token has spent today (UTC). */
  spent(id: string): Promise<Spending>
  spend(id: string, cost: Spending): Promise<void>
}

const DAY = 86_400_000

/** @param secret  32 random bytes as text; given by tests */
export function tokenShelf(parts: {
  readonly store: () => Promise<TokenStore>
  readonly space: string
  readonly clock: Clock
  readonly ids: Ids
  readonly secret?: () => string
}): TokenShelf {
  const { store, space, clock, ids } = parts
  const { secret = () => randomBytes(32).toString('base64url') } = parts
  const today = (): number => Math.floor(clock.now() / DAY)
  return {
    add: async ({ name, scopes = SCOPES, budget = {} }) => {
      if (name.trim() === '') throw expected('a name', 'name', name)
      if (scopes.length === 0) throw expected(`one or more of ${SCOPES.join(', ')}`, 'scopes', '')
      const token = `pupil_${secret()}`
      const record: TokenRecord = {
        ...{ id: ids.next('token'), space, name: name.trim(), scopes, budget },
        createdAt: clock.now(),
      }
      await (await store()).add(token, record)
      return { token, record }
    },
    list: async () => (await store()).list(space),
    revoke: async (name) => {
      const all = await (await store()).list(space)
      const record = tokenNamed(
        all.filter((one) => one.revokedAt === undefined),
        name,
      )
      const at = clock.now()
      await (await store()).revoke(space, record.id, at)
      return { ...record, revokedAt: at }
    },
    find: async (token) => (await store()).find(token),
    any: async () => (await store()).any(),
    spent: async (id) => (await store()).spent(id, today()),
    spend: async (id, cost) => (await store()).spend(id, today(), cost),
  }
}

function tokenNamed(live: readonly TokenRecord[], name: string): TokenRecord {
  const exact = live.find(({ id }) => id === name)
  const begun = live.filter(({ id }) => id.startsWith(name) || id.startsWith(`token_${name}`))
  const [record] = exact === undefined ? begun : [exact]
  if (record !== undefined && (exact !== undefined || begun.length === 1)) return record
  throw new UserFault(
    'E_TOKEN',
    record === undefined
      ? `There is no token "${name}" in use in this space.`
      : `"${name}" begins several tokens: ${begun.map(({ id }) => id).join(', ')}.`,
    { fields: { token: name }, cure: 'List them with "pupil token list".' },
  )
}
