import { join } from 'node:path'
import type { BlobStore, Clock } from '../base/index.ts'
import { folderBlobs } from '../base/index.ts'
import type { DemonstrationPool, Learnt } from '../memory/index.ts'
import type {
  ChatStore,
  Db,
  JobStore,
  PictureStore,
  ReplyStore,
  RunStore,
  TokenStore,
} from '../stores/index.ts'
import { blobFolder, cacheFolders } from './cache.ts'
import type { Config } from './config.ts'
import type { DecisionFile } from './decision-book.ts'
import { layeredPool, withLearnt } from './demonstration-shelf.ts'
import { lazy } from './lazy.ts'
import type { Lazy } from './lazy.ts'
import { pictureLibrary } from './picture-library.ts'
import type { PictureLibrary } from './picture-library.ts'

/** What is opened when it is first needed. */
export interface Parts {
  readonly blobs: BlobStore
  readonly db: Lazy<Db>
  readonly runs: Lazy<RunStore>
  readonly pictures: Lazy<PictureStore>
  readonly library: Lazy<PictureLibrary>
  /** Start demonstrations and those of this space. */
  readonly pool: Lazy<DemonstrationPool>
  /** What people decided in searches of this space. */
  readonly decisions: Lazy<DecisionFile>
  /** Corrections, labels and lessons of this space. */
  readonly learnt: Lazy<Learnt>
  readonly chats: Lazy<ChatStore>
  /** Who may call; of every space. */
  readonly tokens: Lazy<TokenStore>
  /** Replies that are given once. */
  readonly replies: Lazy<ReplyStore>
  /** Work in the background. */
  readonly jobs: Lazy<JobStore>
  close(): Promise<void>
}

/** @param shared  the open store of another space, which stays open; default: one of their own */
export function openParts(
  config: Config,
  clock: Clock,
  blobs = folderBlobs(blobFolder(config)),
  shared?: Lazy<Db>,
): Parts {
  const own = lazy(async () => {
    const { migrate, openDb } = await import('../stores/index.ts')
    const opened = await openDb(config.store)
    await migrate(opened, clock)
    return opened
  })
  const db = shared ?? own
  const runs = lazy(async () => {
    const { runStore } = await import('../stores/index.ts')
    return runStore(await db(), config.space, clock)
  })
  const pictures = lazy(async () => {
    const { pictureStore } = await import('../stores/index.ts')
    return pictureStore(await db(), config.space, clock)
  })
  const library = lazy(async () =>
    pictureLibrary({
      ...{ blobs, pictures: await pictures(), limits: config.limits },
      ...{ blobFolder: blobFolder(config), thumbnails: cacheFolders(config).thumbnails },
    }),
  )
  const learnt = lazy(async () => {
    const { createLearnt } = await import('../memory/index.ts')
    const { learntStore } = await import('../stores/index.ts')
    return createLearnt(learntStore(await db(), config.space))
  })
  const pool = lazy(async () => {
    const { memoryDemonstrations, startDemonstrations } = await import('../memory/index.ts')
    const { demonstrationStore } = await import('../stores/index.ts')
    const added = demonstrationStore(await db(), config.space, clock)
    const own = withLearnt(await learnt(), added)
    return layeredPool(memoryDemonstrations(startDemonstrations()), own)
  })
  const chats = lazy(async () => {
    const { chatStore } = await import('../stores/index.ts')
    return chatStore(await db(), config.space)
  })
  const tokens = lazy(async () => {
    const { tokenStore } = await import('../stores/index.ts')
    return tokenStore(await db())
  })
  const replies = lazy(async () => {
    const { replyStore } = await import('../stores/index.ts')
    return replyStore(await db(), config.space)
  })
  const jobs = lazy(async () => {
    const { jobStore } = await import('../stores/index.ts')
    return jobStore(await db(), config.space, clock)
  })
  const decisions = lazy(async () => {
    const { decisionFile } = await import('./decision-book.ts')
    return decisionFile(join(config.data, 'decisions', `${config.space}.jsonl`))
  })
  const close = async (): Promise<void> => (await own.made())?.close()
  return {
    blobs,
    db,
    runs,
    pictures,
    library,
    pool,
    learnt,
    decisions,
    chats,
    tokens,
    replies,
    jobs,
    close,
  }
}
