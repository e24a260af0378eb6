import type {
  LearntFilter,
  LearntKind,
  LearntRow,
  LearntRows,
  LearntWriter,
} from '../memory/index.ts'
import type { Db, Reader, Writer } from './db.ts'

const COUNTER = 'learnt'

/** The records of what one space has learnt; `memory` says what they mean. */
export function learntStore(db: Db, space: string): LearntRows {
  return {
    read: {
      get: (kind, id) => selectOne(db.read, space, kind, id),
      select: (kind, filter) => selectAll(db.read, space, kind, filter),
    },
    write: (work) =>
      db.write(async (writer) => {
        const result = await work(writerOf(writer, space))
        await bump(writer, space)
        return result
      }),
    version: async () => {
      const row = await db.read
        .selectFrom('counters')
        .select('value')
        .where('space', '=', space)
        .where('name', '=', COUNTER)
        .executeTakeFirst()
      return Number(row?.value ?? 0)
    },
  }
}

function writerOf(writer: Writer, space: string): LearntWriter {
  return {
    get: (kind, id) => selectOne(writer, space, kind, id),
    select: (kind, filter) => selectAll(writer, space, kind, filter),
    put: async ({ kind, id, key, active, body, topic = '', createdAt }) => {
      const values = { key, active: active ? 1 : 0, body, topic, created_at: createdAt }
      await writer
        .insertInto('learnt')
        .values({ space, kind, id, ...values })
        .onConflict((conflict) => conflict.columns(['space', 'kind', 'id']).doUpdateSet(values))
        .execute()
    },
    remove: async (kind, id) => {
      await writer
        .deleteFrom('learnt')
        .where('space', '=', space)
        .where('kind', '=', kind)
        .where('id', '=', id)
        .execute()
    },
  }
}

const FIELDS = ['kind', 'id', 'key', 'active', 'body', 'topic', 'created_at'] as const

async function selectOne(
  reader: Reader | Writer,
  space: string,
  kind: LearntKind,
  id: string,
): Promise<LearntRow | undefined> {
  const row = await reader
    .selectFrom('learnt')
    .select(FIELDS)
    .where('space', '=', space)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : rowOf(row)
}

async function selectAll(
  reader: Reader | Writer,
  space: string,
  kind: LearntKind,
  { key, topic, active }: LearntFilter = {},
): Promise<readonly LearntRow[]> {
  let query = reader
    .selectFrom('learnt')
    .select(FIELDS)
    .where('space', '=', space)
    .where('kind', '=', kind)
  if (key !== undefined) query = query.where('key', '=', key)
  if (topic !== undefined) query = query.where('topic', '=', topic)
  if (active !== undefined) query = query.where('active', '=', active ? 1 : 0)
  const rows = (await query.execute()).map(rowOf)
  // Databases order text by their own rules; everybody's order is by code unit.
  return rows.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

function rowOf(row: {
  kind: string
  id: string
  key: string
  active: number
  body: string
  topic: string
  created_at: number
}): LearntRow {
  const { kind, id, key, active, body, topic, created_at } = row
  return {
    ...{ kind: kind as LearntKind, id, key, body },
    ...{ active: active === 1, createdAt: Number(created_at) },
    ...(topic === '' ? {} : { topic }),
  }
}

async function bump(writer: Writer, space: string): Promise<void> {
  await writer
    .insertInto('counters')
    .values({ space, name: COUNTER, value: 1 })
    .onConflict((conflict) =>
      conflict.columns(['space', 'name']).doUpdateSet(({ eb, ref }) => ({
        value: eb(ref('counters.value'), '+', 1),
      })),
    )
    .execute()
}
