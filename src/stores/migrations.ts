import { sql } from 'kysely'
import type { Abortable, Clock } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Db, Writer } from './db.ts'

interface Migration {
  readonly number: number
  readonly name: string
  readonly statements: readonly string[]
}

/** Append only: a migration that was ever released is never changed. The SQL is what both databases speak. */
const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: 'runs, their steps and their pictures',
    statements: [
      `create table runs (space text not null, id text not null, agent text not null, family text not null,
        instruction text not null, status text not null, answer text, head text not null, tail text,
        created_at bigint not null, finished_at bigint, primary key (space, id))`,
      `create index runs_by_time on runs (space, created_at, id)`,
      `create table run_steps (space text not null, run text not null, position integer not null,
        body text not null, primary key (space, run, position),
        foreign key (space, run) references runs (space, id) on delete cascade)`,
      `create table pictures (space text not null, hash text not null, blob text not null, type text not null,
        size bigint not null, width integer not null, height integer not null, created_at bigint not null,
        primary key (space, hash))`,
      `create index pictures_by_blob on pictures (space, blob)`,
      `create table run_pictures (space text not null, run text not null, picture text not null,
        primary key (space, run, picture),
        foreign key (space, run) references runs (space, id) on delete cascade)`,
    ],
  },
  {
    number: 2,
    name: 'demonstrations, and counters that say when an index is stale',
    statements: [
      `create table demonstrations (space text not null, id text not null, family text not null,
        verdict text not null, digest text, body text not null, created_at bigint not null,
        primary key (space, id))`,
      `create unique index demonstrations_by_digest on demonstrations (space, digest)`,
      `create index demonstrations_by_family on demonstrations (space, family, id)`,
      `create table counters (space text not null, name text not null, value bigint not null,
        primary key (space, name))`,
    ],
  },
  {
    number: 3,
    name: 'what was learnt: corrections, labels, lessons and their parts',
    statements: [
      `create table learnt (space text not null, kind text not null, id text not null, key text not null,
        active integer not null, body text not null, created_at bigint not null,
        primary key (space, kind, id))`,
      `create index learnt_by_key on learnt (space, kind, key)`,
    ],
  },
  {
    number: 4,
    name: 'who may call, what they spent, replies that are given once, conversations',
    statements: [
      // The digest names the space, so it is looked up before any space is known.
      `create table tokens (digest text not null primary key, id text not null, space text not null,
        name text not null, scopes text not null, budget text not null, created_at bigint not null,
        revoked_at bigint)`,
      `create unique index tokens_by_space on tokens (space, id)`,
      `create table token_spending (token text not null, day integer not null, runs integer not null,
        calls integer not null, tokens bigint not null, pictures integer not null,
        seconds double precision not null, money double precision not null, primary key (token, day))`,
      `create table replies (space text not null, key text not null, digest text not null, status integer,
        head text, body text, created_at bigint not null, primary key (space, key))`,
      `create table chats (space text not null, id text not null, title text not null, turns integer not null,
        body text not null, created_at bigint not null, updated_at bigint not null, primary key (space, id))`,
      `create index chats_by_time on chats (space, updated_at, id)`,
    ],
  },
  {
    number: 5,
    name: 'prompts by tool and concept, and work that goes on in the background',
    statements: [
      `alter table learnt add column topic text not null default ''`,
      `create index learnt_by_topic on learnt (space, kind, topic)`,
      `create table jobs (space text not null, id text not null, kind text not null, key text not null,
        state text not null, payload text not null, progress text not null, owner text, attempts integer not null,
        lease_until bigint not null, error text, created_at bigint not null, updated_at bigint not null,
        primary key (space, id))`,
      `create unique index jobs_by_key on jobs (space, kind, key)`,
      `create index jobs_by_state on jobs (space, state, created_at)`,
    ],
  },
]

/** How many migrations this version knows. */
export const migrationCount = MIGRATIONS.length

/**
 * Brings the tables up to this version, in one transaction; processes that come at once wait for the first.
 *
 * @returns the numbers of the migrations that were applied now
 * @throws UserFault `E_STORE_NEWER` when a later version has already written here
 */
export async function migrate(db: Db, clock: Clock, options: Abortable = {}): Promise<number[]> {
  if ((await present(db)) === migrationCount) return []
  return db.write(async (writer) => {
    // SQLite holds the write lock by now; PostgreSQL needs one of its own.
    if (db.dialect === 'postgres') await sql`select pg_advisory_xact_lock(7077)`.execute(writer)
    await sql
      .raw(
        'create table if not exists migrations (number integer primary key, name text not null, applied_at bigint not null)',
      )
      .execute(writer)
    const done = await last(writer)
    if (done > migrationCount) throw newer(done)
    const due = MIGRATIONS.filter((one) => one.number > done)
    for (const { number, name, statements } of due) {
      for (const statement of statements) await sql.raw(statement).execute(writer)
      await writer
        .insertInto('migrations')
        .values({ number, name, applied_at: clock.now() })
        .execute()
    }
    return due.map((one) => one.number)
  }, options)
}

/** The last migration applied, or 0 when there is not even the table that says so. */
async function present(db: Db): Promise<number> {
  const tables =
    db.dialect === 'sqlite'
      ? sql`select name from sqlite_master where name = 'migrations'`
      : sql`select 1 as name from pg_tables where tablename = 'migrations' and schemaname = current_schema()`
  const found = await tables.execute(db.read)
  if (found.rows.length === 0) return 0
  const done = await last(db.read)
  if (done > migrationCount) throw newer(done)
  return done
}

async function last(reader: Db['read'] | Writer): Promise<number> {
  const row = await reader
    .selectFrom('migrations')
    .select(({ fn }) => fn.max('number').as('number'))
    .executeTakeFirst()
  return row?.number ?? 0
}

function newer(found: number): UserFault {
  return new UserFault(
    'E_STORE_NEWER',
    `The store was written by a later version of Pupil (step ${found}, this one knows ${migrationCount}).`,
    {
      fields: { found, known: migrationCount },
      cure: 'Upgrade Pupil, or give another folder with --data.',
    },
  )
}
