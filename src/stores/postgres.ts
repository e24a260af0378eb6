import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import { Unavailable, UserFault } from '../base/index.ts'
import type { Db, OpenOptions, Tables } from './db.ts'

/** 64-bit integers come as text; ours are counts and milliseconds, exact as numbers. */
const INT8 = 20

/** A store in a PostgreSQL database, for many machines; `schema` is created when it is missing. */
export async function openPostgres(address: string, options: OpenOptions = {}): Promise<Db> {
  const schema = options.schema ?? 'public'
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new UserFault(
      'E_STORE',
      `Expected lower-case letters, digits and _ for schema but got "${schema}".`,
    )
  }
  const pool = new Pool({
    connectionString: address,
    options: `-c search_path=${schema}`,
    connectionTimeoutMillis: 10_000,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  })
  // An idle connection that the server drops is replaced at the next query; without a listener it would end us.
  pool.on('error', () => {})
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    if (schema !== 'public') await sql`create schema if not exists ${sql.id(schema)}`.execute(read)
    else await sql`select 1`.execute(read)
  } catch (cause) {
    await read.destroy()
    throw unreachable(address, cause)
  }
  return {
    dialect: 'postgres',
    read,
    write: (work, { signal } = {}) => {
      signal?.throwIfAborted()
      return read.transaction().execute(work)
    },
    close: () => read.destroy(),
  }
}

function unreachable(address: string, cause: unknown): Unavailable {
  const { host, pathname } = new URL(address)
  const where = `${host}${pathname}`
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Unavailable('E_STORE', `PostgreSQL at ${where} does not answer (${reason}).`, {
    fields: { where },
    cure: 'Start it, or correct the address in --store or PUPIL_STORE.',
    cause,
  })
}
