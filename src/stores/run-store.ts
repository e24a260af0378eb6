import { sql } from 'kysely'
import type { Run, Step } from '../agents/index.ts'
import type { Clock } from '../base/index.ts'
import { UserFault } from '../base/index.ts'
import type { Db, Writer } from './db.ts'
import { packValue, picturesIn } from './run-json.ts'
import type { PackedRun } from './run-json.ts'

/** What is known of a run when it starts. */
export type RunHead = Pick<Run, 'id' | 'agent' | 'task' | 'createdAt' | 'version'>

/** What is known of a run when it ends. */
export type RunTail = Pick<
  Run,
  'outcome' | 'cost' | 'models' | 'lessonsUsed' | 'warnings' | 'fallback'
>

/** A stored run; `unfinished` when its process ended before it did, or still runs. */
export type StoredRun = PackedRun & { readonly unfinished?: true }

export interface RunSummary {
  readonly id: string
  readonly agent: string
  readonly family: string
  readonly instruction: string
  /** `open`, `done`, `error` or `aborted`. */
  readonly status: string
  readonly answer: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export interface RunQuery {
  /** At most so many, newest first; default 20. */
  readonly limit?: number
  /** Only runs before this one (for the next page). */
  readonly before?: string
  readonly family?: string
}

/** Runs of one space, written step by step: what a killed process had done stays readable. */
export interface RunStore {
  begin(head: RunHead): Promise<void>
  append(run: string, position: number, step: Step): Promise<void>
  finish(run: string, tail: RunTail): Promise<void>
  /** A whole run at once, replacing what was stored under its id. */
  save(run: Run): Promise<void>
  get(id: string): Promise<StoredRun | undefined>
  list(query?: RunQuery): Promise<readonly RunSummary[]>
  /** True when there was such a run. */
  remove(id: string): Promise<boolean>
  /** Full ids that begin with `start`, at most 10. */
  complete(start: string): Promise<readonly string[]>
}

export function runStore(db: Db, space: string, clock: Clock): RunStore {
  return {
    begin: (head) => db.write((writer) => insertHead(writer, space, head)),
    append: (run, position, step) =>
      db.write((writer) => insertStep(writer, space, { run, position, step })),
    finish: (run, tail) => db.write((writer) => updateTail(writer, space, { run, tail, clock })),
    save: (run) =>
      db.write(async (writer) => {
        await deleteRun(writer, space, run.id)
        await insertHead(writer, space, run)
        for (const [position, step] of run.steps.entries()) {
          await insertStep(writer, space, { run: run.id, position, step })
        }
        await updateTail(writer, space, { run: run.id, tail: run, clock })
      }),
    get: (id) => selectRun(db, space, id),
    list: (query = {}) => listRuns(db, space, query),
    remove: (id) => db.write((writer) => deleteRun(writer, space, id)),
    complete: async (start) => {
      const rows = await db.read
        .selectFrom('runs')
        .select('id')
        .where('space', '=', space)
        .where(sql<boolean>`substr(id, 1, ${start.length}) = ${start}`)
        .orderBy('id')
        .limit(10)
        .execute()
      return rows.map((row) => row.id)
    },
  }
}

async function insertHead(writer: Writer, space: string, run: RunHead): Promise<void> {
  const { id, agent, task, createdAt, version } = run
  await writer
    .insertInto('runs')
    .values({
      ...{ space, id, agent, family: task.family, instruction: task.instruction },
      ...{ status: 'open', answer: null, tail: null, finished_at: null },
      head: JSON.stringify(packValue({ task, version })),
      created_at: createdAt,
    })
    .execute()
  await referToPictures(writer, space, { run: id, value: task })
}

async function insertStep(
  writer: Writer,
  space: string,
  { run, position, step }: { run: string; position: number; step: Step },
): Promise<void> {
  const body = JSON.stringify(packValue(step))
  await writer.insertInto('run_steps').values({ space, run, position, body }).execute()
  await referToPictures(writer, space, { run, value: step })
}

async function updateTail(
  writer: Writer,
  space: string,
  { run, tail, clock }: { run: string; tail: RunTail; clock: Clock },
): Promise<void> {
  const { outcome, cost, models, lessonsUsed, warnings, fallback } = tail
  const kept = { outcome, cost, models, lessonsUsed, warnings, fallback }
  const done = await writer
    .updateTable('runs')
    .set({
      status: outcome.status,
      answer: outcome.status === 'done' ? (outcome.answer ?? null) : null,
      tail: JSON.stringify(packValue(kept)),
      finished_at: clock.now(),
    })
    .where('space', '=', space)
    .where('id', '=', run)
    .executeTakeFirst()
  if (Number(done.numUpdatedRows) === 0) throw unknownRun(run)
  await referToPictures(writer, space, { run, value: outcome })
}

async function referToPictures(
  writer: Writer,
  space: string,
  { run, value }: { run: string; value: unknown },
): Promise<void> {
  const held = picturesIn(value).flatMap(({ hash, file }) =>
    file === undefined ? [hash] : [hash, file],
  )
  const rows = [...new Set(held)].map((picture) => ({ space, run, picture }))
  if (rows.length === 0) return
  await writer
    .insertInto('run_pictures')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['space', 'run', 'picture']).doNothing())
    .execute()
}

async function deleteRun(writer: Writer, space: string, id: string): Promise<boolean> {
  const done = await writer
    .deleteFrom('runs')
    .where('space', '=', space)
    .where('id', '=', id)
    .executeTakeFirst()
  return Number(done.numDeletedRows) > 0
}

async function selectRun(db: Db, space: string, id: string): Promise<StoredRun | undefined> {
  const row = await db.read
    .selectFrom('runs')
    .select(['id', 'agent', 'head', 'tail', 'created_at'])
    .where('space', '=', space)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const steps = await db.read
    .selectFrom('run_steps')
    .select('body')
    .where('space', '=', space)
    .where('run', '=', id)
    .orderBy('position')
    .execute()
  return {
    id: row.id,
    agent: row.agent as Run['agent'],
    ...(JSON.parse(row.head) as Pick<PackedRun, 'task' | 'version'>),
    steps: steps.map((step) => JSON.parse(step.body) as PackedRun['steps'][number]),
    ...(row.tail === null ? UNFINISHED : (JSON.parse(row.tail) as PackedTail)),
    createdAt: row.created_at,
  }
}

type PackedTail = Pick<PackedRun, keyof RunTail>

const UNFINISHED: PackedTail & { unfinished: true } = {
  outcome: { status: 'aborted', reason: 'The run was not finished.' },
  cost: { calls: 0, tokens: 0, seconds: 0, money: 0, pictures: 0 },
  models: [],
  lessonsUsed: [],
  warnings: [],
  unfinished: true,
}

async function listRuns(db: Db, space: string, query: RunQuery): Promise<readonly RunSummary[]> {
  const { limit = 20, before, family } = query
  let rows = db.read
    .selectFrom('runs')
    .select([
      'id',
      'agent',
      'family',
      'instruction',
      'status',
      'answer',
      'created_at',
      'finished_at',
    ])
    .where('space', '=', space)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (family !== undefined) rows = rows.where('family', '=', family)
  if (before !== undefined) {
    const mark = await db.read
      .selectFrom('runs')
      .select(['created_at', 'id'])
      .where('space', '=', space)
      .where('id', '=', before)
      .executeTakeFirst()
    if (mark === undefined) throw unknownRun(before)
    rows = rows.where(({ or, and, eb }) =>
      or([
        eb('created_at', '<', mark.created_at),
        and([eb('created_at', '=', mark.created_at), eb('id', '<', mark.id)]),
      ]),
    )
  }
  return (await rows.execute()).map(({ created_at, finished_at, ...row }) => ({
    ...row,
    createdAt: created_at,
    finishedAt: finished_at,
  }))
}

function unknownRun(id: string): UserFault {
  return new UserFault('E_NO_RUN', `There is no run "${id}" here.`, {
    fields: { run: id },
    cure: 'List them with "pupil runs".',
  })
}
