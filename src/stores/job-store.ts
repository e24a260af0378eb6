import { sql } from 'kysely'
import type { ExpressionBuilder, UpdateObject } from 'kysely'
import type { Clock, Json } from '../base/index.ts'
import type { Db, Reader, Tables, Writer } from './db.ts'

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'

/** Work that goes on in the background. */
export interface Job {
  readonly id: string
  readonly kind: string
  /** What it is about: there is one job of a kind and key, ever, so that nothing is done twice. */
  readonly key: string
  readonly state: JobState
  readonly payload: Json
  /** What stages that are done have left, so that a worker that was killed is gone on from there. */
  readonly progress: Json
  readonly owner: string | null
  /** How often a worker took it and did not give it back. */
  readonly attempts: number
  /** Whoever has it is believed dead from here on; ms. */
  readonly leaseUntil: number
  readonly error: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NewJob {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly payload: Json
}

/** The jobs of one space; safe with several workers, in several processes. */
export interface JobStore {
  /** Adds a job unless one of that kind and key is there; a failed or cancelled one waits again. */
  add(job: NewJob): Promise<{ readonly job: Job; readonly added: boolean }>
  /** Takes the oldest job that waits, or whose worker let its lease run out. */
  claim(owner: string, leaseMs: number, kinds?: readonly string[]): Promise<Job | undefined>
  /** Keeps a job for longer; false when it is no longer the owner's. */
  renew(id: string, owner: string, leaseMs: number): Promise<boolean>
  /** Keeps what a stage has left; false when it is no longer the owner's, and nothing is written. */
  save(id: string, owner: string, progress: Json): Promise<boolean>
  /** Ends a job; false when it is no longer the owner's. */
  finish(id: string, owner: string, error?: string): Promise<boolean>
  /** Gives a job back, such as at the end of the process; the next worker goes on. */
  release(id: string, owner: string): Promise<boolean>
  /**
   * Frees what a worker had that is known to be dead, without waiting for its lease.
   *
   * @param why  what is known of its end; kept with the job until it ends well
   * @returns how many jobs it had
   */
  abandon(owner: string, why?: string): Promise<number>
  /** How many jobs a worker could take now. */
  claimable(kinds?: readonly string[]): Promise<number>
  cancel(id: string): Promise<boolean>
  get(id: string): Promise<Job | undefined>
  /** Newest first. */
  list(limit?: number): Promise<readonly Job[]>
}

export function jobStore(db: Db, space: string, clock: Clock): JobStore {
  /** Changes the owner's running job; the condition is part of the statement, so that two never win. */
  const change = (
    id: string,
    owner: string,
    values: UpdateObject<Tables, 'jobs'>,
  ): Promise<boolean> =>
    db.write(async (writer) => {
      const result = await writer
        .updateTable('jobs')
        .set({ ...values, updated_at: clock.now() })
        .where('space', '=', space)
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'running')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    })
  return {
    add: (job) => db.write((writer) => addOne(writer, space, job, clock)),
    claim: (owner, leaseMs, kinds) =>
      db.write((writer) => claimOne(writer, space, { owner, leaseMs, kinds, now: clock.now() })),
    renew: (id, owner, leaseMs) => change(id, owner, { lease_until: clock.now() + leaseMs }),
    save: (id, owner, progress) => change(id, owner, { progress: JSON.stringify(progress) }),
    finish: (id, owner, error) =>
      change(id, owner, {
        ...{ state: error === undefined ? 'done' : 'failed', error: error ?? null },
        owner: null,
      }),
    release: (id, owner) =>
      change(id, owner, {
        ...{ state: 'waiting', owner: null, lease_until: 0 },
        attempts: sql<number>`attempts - 1`,
      }),
    abandon: (owner, why) =>
      db.write((writer) =>
        freeAll(writer, space, { owner, clock, ...(why === undefined ? {} : { why }) }),
      ),
    claimable: (kinds) => countFree(db.read, space, clock.now(), kinds),
    cancel: (id) =>
      db.write(async (writer) => {
        const result = await writer
          .updateTable('jobs')
          .set({ state: 'cancelled', owner: null, updated_at: clock.now() })
          .where('space', '=', space)
          .where('id', '=', id)
          .where('state', 'in', ['waiting', 'running'])
          .executeTakeFirst()
        return result.numUpdatedRows > 0n
      }),
    get: (id) => jobBy(db.read, space, id),
    list: async (limit = 100) => {
      const rows = await db.read
        .selectFrom('jobs')
        .selectAll()
        .where('space', '=', space)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(jobOf)
    },
  }
}

async function addOne(
  writer: Writer,
  space: string,
  { id, kind, key, payload }: NewJob,
  clock: Clock,
): Promise<{ readonly job: Job; readonly added: boolean }> {
  const now = clock.now()
  const fresh = {
    ...{ state: 'waiting', payload: JSON.stringify(payload), progress: 'null', owner: null },
    ...{ attempts: 0, lease_until: 0, error: null, updated_at: now },
  }
  const result = await writer
    .insertInto('jobs')
    .values({ space, id, kind, key, ...fresh, created_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['space', 'kind', 'key'])
        .doUpdateSet(fresh)
        .where('jobs.state', 'in', ['failed', 'cancelled']),
    )
    .executeTakeFirst()
  const row = await writer
    .selectFrom('jobs')
    .selectAll()
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return { job: jobOf(row), added: (result.numInsertedOrUpdatedRows ?? 0n) > 0n }
}

interface Claim {
  readonly owner: string
  readonly leaseMs: number
  readonly kinds: readonly string[] | undefined
  readonly now: number
}

async function freeAll(
  writer: Writer,
  space: string,
  { owner, why, clock }: { readonly owner: string; readonly why?: string; readonly clock: Clock },
): Promise<number> {
  const result = await writer
    .updateTable('jobs')
    .set({ owner: null, lease_until: 0, error: why ?? null, updated_at: clock.now() })
    .where('space', '=', space)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

async function countFree(
  reader: Reader,
  space: string,
  now: number,
  kinds: readonly string[] | undefined,
): Promise<number> {
  let free = reader
    .selectFrom('jobs')
    .select((is) => is.fn.countAll().as('count'))
    .where('space', '=', space)
    .where(isFreeAt(now))
  if (kinds !== undefined) free = free.where('kind', 'in', [...kinds])
  return Number((await free.executeTakeFirstOrThrow()).count)
}

/** Waiting, or left by a worker that let its lease run out. */
const isFreeAt = (now: number) => (is: ExpressionBuilder<Tables, 'jobs'>) =>
  is.or([
    is('state', '=', 'waiting'),
    is.and([is('state', '=', 'running'), is('lease_until', '<=', now)]),
  ])

async function claimOne(
  writer: Writer,
  space: string,
  { owner, leaseMs, kinds, now }: Claim,
): Promise<Job | undefined> {
  const isFree = isFreeAt(now)
  let free = writer
    .selectFrom('jobs')
    .select('id')
    .where('space', '=', space)
    .where(isFree)
    .orderBy('created_at')
    .orderBy('id')
    .limit(8)
  if (kinds !== undefined) free = free.where('kind', 'in', [...kinds])
  for (const { id } of await free.execute()) {
    // Another worker may have taken it since: PostgreSQL looks at the condition again behind its lock.
    const result = await writer
      .updateTable('jobs')
      .set({
        ...{ state: 'running', owner, lease_until: now + leaseMs, updated_at: now },
        attempts: sql<number>`attempts + 1`,
      })
      .where('space', '=', space)
      .where('id', '=', id)
      .where(isFree)
      .executeTakeFirst()
    if (result.numUpdatedRows > 0n) return jobBy(writer, space, id)
  }
  return undefined
}

async function jobBy(reader: Reader | Writer, space: string, id: string): Promise<Job | undefined> {
  const row = await reader
    .selectFrom('jobs')
    .selectAll()
    .where('space', '=', space)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : jobOf(row)
}

function jobOf(row: Tables['jobs']): Job {
  const { id, kind, key, state, payload, progress, owner, attempts, error } = row
  return {
    ...{ id, kind, key, state: state as JobState, owner, attempts: Number(attempts), error },
    ...{ payload: JSON.parse(payload) as Json, progress: JSON.parse(progress) as Json },
    ...{ leaseUntil: Number(row.lease_until), createdAt: Number(row.created_at) },
    updatedAt: Number(row.updated_at),
  }
}
