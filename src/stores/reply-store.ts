import type { Db } from './db.ts'

/** A reply that is given again when its request comes again. */
export interface KeptReply {
  readonly status: number
  readonly head: Readonly<Record<string, string>>
  readonly body: string
}

/** What became of a key: it is ours to carry out, being carried out, of another request, or done. */
export type Claim =
  { readonly is: 'ours' | 'going' | 'other' } | { readonly is: 'done'; readonly reply: KeptReply }

/** Replies to requests with an idempotency key, of one space. */
export interface ReplyStore {
  /**
   * Takes a key for a request, or tells what became of it.
   *
   * @param digest  of the request; equal keys must have equal requests
   * @param options.now  milliseconds since 1970
   * @param options.keep  older replies are forgotten
   * @param options.stale  a request that has taken longer was lost with its process, and may be taken over
   */
  claim(
    key: string,
    digest: string,
    options: { readonly now: number; readonly keep: number; readonly stale: number },
  ): Promise<Claim>
  settle(key: string, reply: KeptReply): Promise<void>
  /** Gives a key back whose request failed. */
  release(key: string): Promise<void>
}

export function replyStore(db: Db, space: string): ReplyStore {
  return {
    claim: (key, digest, { now, keep, stale }) =>
      db.write(async (writer) => {
        await writer
          .deleteFrom('replies')
          .where('space', '=', space)
          .where((eb) =>
            eb.or([
              eb('created_at', '<', now - keep),
              eb.and([eb('status', 'is', null), eb('created_at', '<', now - stale)]),
            ]),
          )
          .execute()
        const taken = await writer
          .insertInto('replies')
          .values({
            ...{ space, key, digest, created_at: now },
            ...{ status: null, head: null, body: null },
          })
          .onConflict((conflict) => conflict.columns(['space', 'key']).doNothing())
          .executeTakeFirst()
        if ((taken.numInsertedOrUpdatedRows ?? 0n) > 0n) return { is: 'ours' }
        const row = await writer
          .selectFrom('replies')
          .selectAll()
          .where('space', '=', space)
          .where('key', '=', key)
          .executeTakeFirstOrThrow()
        if (row.digest !== digest) return { is: 'other' }
        if (row.status === null) return { is: 'going' }
        const head = JSON.parse(row.head ?? '{}') as KeptReply['head']
        return { is: 'done', reply: { status: row.status, head, body: row.body ?? '' } }
      }),
    settle: async (key, { status, head, body }) => {
      await db.write((writer) =>
        writer
          .updateTable('replies')
          .set({ status, head: JSON.stringify(head), body })
          .where('space', '=', space)
          .where('key', '=', key)
          .execute(),
      )
    },
    release: async (key) => {
      await db.write((writer) =>
        writer
          .deleteFrom('replies')
          .where('space', '=', space)
          .where('key', '=', key)
          .where('status', 'is', null)
          .execute(),
      )
    },
  }
}
