import type { Clock } from '../base/index.ts'
import type { Db } from './db.ts'

/** Where the bytes of a picture lie. */
export interface PictureRecord {
  /** The picture's address: SHA-256 of its pixels. */
  readonly hash: string
  /** Address of the encoded bytes in the blob store. */
  readonly blob: string
  readonly type: string
  readonly size: number
  readonly width: number
  readonly height: number
}

/** The index from pictures to blobs, in one space. */
export interface PictureStore {
  /** Adds it; one that is there becomes young again. */
  put(picture: PictureRecord): Promise<void>
  get(hash: string): Promise<PictureRecord | undefined>
  /** The record whose encoded bytes lie under `blob`. */
  byBlob(blob: string): Promise<PictureRecord | undefined>
  /** Forgets pictures that no run refers to and were stored before `before`; gives back their blobs. */
  prune(before: number): Promise<readonly string[]>
}

export function pictureStore(db: Db, space: string, clock: Clock): PictureStore {
  const fields = ['hash', 'blob', 'type', 'size', 'width', 'height'] as const
  return {
    put: (picture) =>
      db.write(async (writer) => {
        await writer
          .insertInto('pictures')
          .values({ space, ...picture, created_at: clock.now() })
          .onConflict((conflict) =>
            conflict.columns(['space', 'hash']).doUpdateSet({ created_at: clock.now() }),
          )
          .execute()
      }),
    get: (hash) =>
      db.read
        .selectFrom('pictures')
        .select(fields)
        .where('space', '=', space)
        .where('hash', '=', hash)
        .executeTakeFirst(),
    byBlob: (blob) =>
      db.read
        .selectFrom('pictures')
        .select(fields)
        .where('space', '=', space)
        .where('blob', '=', blob)
        .executeTakeFirst(),
    prune: (before) => db.write((writer) => prune(writer, space, before)),
  }
}

async function prune(
  writer: Parameters<Parameters<Db['write']>[0]>[0],
  space: string,
  before: number,
): Promise<readonly string[]> {
  const unused = await writer
    .selectFrom('pictures')
    .select(['hash', 'blob'])
    .where('space', '=', space)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('run_pictures')
            .select('run_pictures.picture')
            .whereRef('run_pictures.space', '=', 'pictures.space')
            .whereRef('run_pictures.picture', '=', 'pictures.hash'),
        ),
      ),
    )
    .execute()
  for (const { hash } of unused) {
    await writer
      .deleteFrom('pictures')
      .where('space', '=', space)
      .where('hash', '=', hash)
      .execute()
  }
  const blobs = new Set(unused.map((one) => one.blob))
  // Another space may hold the same picture; blobs are shared by content.
  for (const blob of [...blobs]) {
    const other = await writer
      .selectFrom('pictures')
      .select('hash')
      .where('blob', '=', blob)
      .executeTakeFirst()
    if (other !== undefined) blobs.delete(blob)
  }
  return [...blobs]
}
