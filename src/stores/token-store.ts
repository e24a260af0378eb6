import { sha256 } from '../base/index.ts'
import type { Db, Writer } from './db.ts'

/** What a day may cost, and what it has cost. */
export interface Spending {
  readonly calls: number
  readonly tokens: number
  readonly pictures: number
  readonly seconds: number
  readonly money: number
}

/** A bearer token as it is kept: never the token itself. */
export interface TokenRecord {
  readonly id: string
  readonly space: string
  readonly name: string
  readonly scopes: readonly string[]
  /** Limits of a day (UTC); what is absent is not limited. */
  readonly budget: Partial<Spending>
  readonly createdAt: number
  readonly revokedAt?: number
}

/** Tokens of every space: whose a token is, only its digest tells. */
export interface TokenStore {
  /** @param token  the secret; its digest is stored */
  add(token: string, record: Omit<TokenRecord, 'revokedAt'>): Promise<void>
  /** The record of a token that is not revoked. */
  find(token: string): Promise<TokenRecord | undefined>
  list(space: string): Promise<readonly TokenRecord[]>
  /** Whether any space has a token that is not revoked. */
  any(): Promise<boolean>
  /** Tells whether there was one to revoke. */
  revoke(space: string, id: string, at: number): Promise<boolean>
  spent(id: string, day: number): Promise<Spending>
  /** Adds to what a token has spent on a day. */
  spend(id: string, day: number, cost: Spending): Promise<void>
}

const NOTHING: Spending = { calls: 0, tokens: 0, pictures: 0, seconds: 0, money: 0 }

export function tokenStore(db: Db): TokenStore {
  return {
    add: async (token, { id, space, name, scopes, budget, createdAt }) => {
      await db.write((writer) =>
        writer
          .insertInto('tokens')
          .values({
            ...{ digest: sha256(token), id, space, name, scopes: JSON.stringify(scopes) },
            ...{ budget: JSON.stringify(budget), created_at: createdAt, revoked_at: null },
          })
          .execute(),
      )
    },
    find: async (token) => {
      const row = await db.read
        .selectFrom('tokens')
        .selectAll()
        .where('digest', '=', sha256(token))
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return row === undefined ? undefined : recordOf(row)
    },
    list: async (space) => {
      const rows = await db.read
        .selectFrom('tokens')
        .selectAll()
        .where('space', '=', space)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(recordOf)
    },
    any: async () => {
      const row = await db.read
        .selectFrom('tokens')
        .select('id')
        .where('revoked_at', 'is', null)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },
    revoke: async (space, id, at) => {
      const done = await db.write((writer) =>
        writer
          .updateTable('tokens')
          .set({ revoked_at: at })
          .where('space', '=', space)
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      )
      return done.numUpdatedRows > 0n
    },
    spent: async (id, day) => {
      const row = await db.read
        .selectFrom('token_spending')
        .select(['calls', 'tokens', 'pictures', 'seconds', 'money'])
        .where('token', '=', id)
        .where('day', '=', day)
        .executeTakeFirst()
      return row === undefined ? NOTHING : { ...row, tokens: Number(row.tokens) }
    },
    spend: async (token, day, cost) => {
      await db.write((writer) => addSpending(writer, token, day, cost))
    },
  }
}

async function addSpending(
  writer: Writer,
  token: string,
  day: number,
  cost: Spending,
): Promise<void> {
  await writer
    .insertInto('token_spending')
    .values({ token, day, runs: 1, ...cost })
    .onConflict((conflict) =>
      conflict.columns(['token', 'day']).doUpdateSet(({ eb, ref }) => ({
        runs: eb(ref('token_spending.runs'), '+', 1),
        calls: eb(ref('token_spending.calls'), '+', cost.calls),
        tokens: eb(ref('token_spending.tokens'), '+', cost.tokens),
        pictures: eb(ref('token_spending.pictures'), '+', cost.pictures),
        seconds: eb(ref('token_spending.seconds'), '+', cost.seconds),
        money: eb(ref('token_spending.money'), '+', cost.money),
      })),
    )
    .execute()
}

function recordOf(row: {
  readonly id: string
  readonly space: string
  readonly name: string
  readonly scopes: string
  readonly budget: string
  readonly created_at: number
  readonly revoked_at: number | null
}): TokenRecord {
  return {
    ...{ id: row.id, space: row.space, name: row.name },
    scopes: JSON.parse(row.scopes) as readonly string[],
    budget: JSON.parse(row.budget) as Partial<Spending>,
    createdAt: Number(row.created_at),
    ...(row.revoked_at === null ? {} : { revokedAt: Number(row.revoked_at) }),
  }
}
