import type { Kysely, Transaction } from 'kysely'
import type { Abortable } from '../base/index.ts'
import { UserFault } from '../base/index.ts'

/** The tables as both databases hold them: text, integers (times in ms since 1970), nothing else. */
export interface Tables {
  readonly migrations: { number: number; name: string; applied_at: number }
  readonly counters: { space: string; name: string; value: number }
  readonly runs: {
    space: string
    id: string
    agent: string
    family: string
    instruction: string
    /** `open` until the run is finished. */
    status: string
    answer: string | null
    /** JSON of what is known at the start: the task and the version. */
    head: string
    /** JSON of what is known at the end: outcome, cost, models, warnings. */
    tail: string | null
    created_at: number
    finished_at: number | null
  }
  readonly run_steps: { space: string; run: string; position: number; body: string }
  readonly run_pictures: { space: string; run: string; picture: string }
  readonly pictures: {
    space: string
    hash: string
    /** Address of the encoded bytes in the blob store. */
    blob: string
    type: string
    size: number
    width: number
    height: number
    created_at: number
  }
  readonly demonstrations: {
    space: string
    id: string
    family: string
    verdict: string
    /** Digest of what makes two right ones equal; null for wrong ones. */
    digest: string | null
    body: string
    created_at: number
  }
  /** Corrections, labels, lessons and what they brought. */
  readonly learnt: {
    space: string
    kind: string
    id: string
    /** A run, a subject, a lesson: what the record belongs to. */
    key: string
    /** 1 while it acts, else 0. */
    active: number
    body: string
    /** Of a prompt: its tool and concept; else empty. */
    topic: string
    created_at: number
  }
  readonly jobs: {
    space: string
    id: string
    kind: string
    /** What the work is about: there is one job of a kind and key, ever. */
    key: string
    state: string
    payload: string
    /** What stages that are done have left, JSON. */
    progress: string
    owner: string | null
    attempts: number
    lease_until: number
    error: string | null
    created_at: number
    updated_at: number
  }
  readonly tokens: {
    /** SHA-256 of the token; the token itself is nowhere. */
    digest: string
    id: string
    space: string
    name: string
    /** JSON. */
    scopes: string
    /** JSON: limits of a day. */
    budget: string
    created_at: number
    revoked_at: number | null
  }
  readonly token_spending: {
    token: string
    /** Days since 1970, UTC. */
    day: number
    runs: number
    calls: number
    tokens: number
    pictures: number
    seconds: number
    money: number
  }
  /** Replies to requests that came with an idempotency key. */
  readonly replies: {
    space: string
    key: string
    /** SHA-256 of the request. */
    digest: string
    /** Null while the request is being carried out. */
    status: number | null
    /** JSON of headers. */
    head: string | null
    body: string | null
    created_at: number
  }
  readonly chats: {
    space: string
    id: string
    title: string
    turns: number
    body: string
    created_at: number
    updated_at: number
  }
}

export type Reader = Kysely<Tables>
export type Writer = Transaction<Tables>

/** An open database. Readers use `read`; whoever writes does so inside `write`. */
export interface Db {
  readonly dialect: 'sqlite' | 'postgres'
  /** For queries that change nothing. */
  readonly read: Reader
  /**
   * Runs `work` in one transaction that holds the write lock from its first statement; all of it happens
   * or none of it.
   */
  write<T>(work: (writer: Writer) => Promise<T>, options?: Abortable): Promise<T>
  close(): Promise<void>
}

export interface OpenOptions extends Abortable {
  /** PostgreSQL: the schema to live in; default `public`. */
  readonly schema?: string
  /** SQLite: milliseconds to wait for another process's lock; default 10,000. */
  readonly busyTimeout?: number
}

/**
 * Opens a database by its address: a file path, `:memory:`, or `postgres://…`. Migrates nothing.
 *
 * @throws Unavailable `E_DATA_FOLDER` when the file cannot be written, `E_STORE` when a server does not answer
 */
export async function openDb(address: string, options: OpenOptions = {}): Promise<Db> {
  options.signal?.throwIfAborted()
  if (/^postgres(ql)?:\/\//.test(address)) {
    return (await import('./postgres.ts')).openPostgres(address, options)
  }
  if (/^[a-z][a-z0-9+]+:\/\//i.test(address)) {
    throw new UserFault(
      'E_STORE',
      `Expected a file or postgres:// for the store but got "${address}".`,
      {
        fields: { address },
        cure: 'Give the path of a SQLite file, or the address of a PostgreSQL database.',
      },
    )
  }
  return (await import('./sqlite.ts')).openSqlite(address, options)
}
