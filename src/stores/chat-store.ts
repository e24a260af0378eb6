import type { Db } from './db.ts'

/** A conversation as lists show it. */
export interface ChatHead {
  readonly id: string
  readonly title: string
  readonly turns: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** A conversation with all that it holds, as text. */
export interface KeptChat extends ChatHead {
  readonly body: string
}

/** Conversations of one space. */
export interface ChatStore {
  /** Newest first; `before` is the last one of the page before. */
  list(query: {
    readonly limit: number
    readonly before?: Pick<ChatHead, 'id' | 'updatedAt'>
  }): Promise<readonly ChatHead[]>
  get(id: string): Promise<KeptChat | undefined>
  put(chat: KeptChat): Promise<void>
  /** Tells whether there was one. */
  remove(id: string): Promise<boolean>
}

const HEAD = ['id', 'title', 'turns', 'created_at', 'updated_at'] as const

export function chatStore(db: Db, space: string): ChatStore {
  return {
    list: async ({ limit, before }) => {
      let query = db.read.selectFrom('chats').select(HEAD).where('space', '=', space)
      if (before !== undefined) {
        const { id, updatedAt } = before
        // Several may have changed in one millisecond.
        query = query.where((is) =>
          is.or([
            is('updated_at', '<', updatedAt),
            is.and([is('updated_at', '=', updatedAt), is('id', '<', id)]),
          ]),
        )
      }
      const rows = await query
        .orderBy('updated_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(headOf)
    },
    get: async (id) => {
      const row = await db.read
        .selectFrom('chats')
        .select([...HEAD, 'body'])
        .where('space', '=', space)
        .where('id', '=', id)
        .executeTakeFirst()
      return row === undefined ? undefined : { ...headOf(row), body: row.body }
    },
    put: async ({ id, title, turns, body, createdAt, updatedAt }) => {
      const values = { title, turns, body, updated_at: updatedAt }
      await db.write((writer) =>
        writer
          .insertInto('chats')
          .values({ space, id, ...values, created_at: createdAt })
          .onConflict((conflict) => conflict.columns(['space', 'id']).doUpdateSet(values))
          .execute(),
      )
    },
    remove: async (id) => {
      const done = await db.write((writer) =>
        writer
          .deleteFrom('chats')
          .where('space', '=', space)
          .where('id', '=', id)
          .executeTakeFirst(),
      )
      return done.numDeletedRows > 0n
    },
  }
}

function headOf(row: {
  readonly id: string
  readonly title: string
  readonly turns: number
  readonly created_at: number
  readonly updated_at: number
}): ChatHead {
  const { id, title, turns } = row
  return { id, title, turns, createdAt: Number(row.created_at), updatedAt: Number(row.updated_at) }
}
