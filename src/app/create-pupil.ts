import { randomIds, systemClock } from '../base/index.ts'
import type { Clock, Ids } from '../base/index.ts'
import { cacheShelf } from './cache.ts'
import { chatShelf } from './chat-shelf.ts'
import type { ChatShelf } from './chat-shelf.ts'
import type { Config } from './config.ts'
import { demonstrationShelf } from './demonstration-shelf.ts'
import type { Engine } from './engine.ts'
import type { ExternalTools, Tool } from '../tools/index.ts'
import { lazy } from './lazy.ts'
import type { Lazy } from './lazy.ts'
import { signaturesWith } from './own-tools.ts'
import { learningSide } from './learning-side.ts'
import { openParts } from './parts.ts'
import type { Parts } from './parts.ts'
import { programDesk } from './program-desk.ts'
import { progressHub } from './progress-hub.ts'
import type { ProgressHub } from './progress-hub.ts'
import type { Pupil, PupilOptions, RunOptions, RunRequest } from './pupil.ts'
import { runShelf } from './run-shelf.ts'
import type { RunParts } from './run-start.ts'
import { tokenShelf } from './token-shelf.ts'

/** Opens an assistant with a configuration; loads and opens nothing until it is asked. */
export function createPupil(config: Config, options: PupilOptions = {}): Pupil {
  return pupilIn(config, options)
}

/** What the spaces of one process share; it belongs to the first. */
interface Home {
  readonly db: Parts['db']
  readonly engine: Lazy<Engine>
  readonly served: Lazy<ExternalTools>
  readonly space: (name: string) => Pupil
}

function pupilIn(config: Config, options: PupilOptions, home?: Home): Pupil {
  const clock: Clock = options.clock ?? systemClock
  const ids: Ids = options.ids ?? randomIds
  const { tools: own = [] } = options
  const served = home?.served ?? servedTools(config, options)
  const tools = async (): Promise<readonly Tool[]> => [...own, ...(await served()).tools]
  const parts = openParts(config, clock, options.blobs, home?.db)
  const hub = progressHub()
  const engine = lazy(async () => {
    const { createEngine } = await import('./create-engine.ts')
    const { env = {}, thread = 'here' } = options
    const shared = home && { shared: async () => (await home.engine()).tools }
    return createEngine({
      ...{ config, parts, clock, env, thread, progress: hub.note, ...shared },
      tools: await tools(),
    })
  })
  const signatures = async () => signaturesWith(await tools())
  const families = async () => {
    const { FAMILIES } = await import('../program/index.ts')
    return Object.values(FAMILIES)
  }
  const programs = programDesk(signatures)
  const runs = runShelf({
    ...{ runs: parts.runs, library: parts.library },
    html: async (run) => (await engine()).html(run),
  })
  const start = async (request: RunRequest, run: RunOptions = {}) => {
    const { startRun } = await import('./run-start.ts')
    return startRun(request, run, await runParts())
  }
  const runParts = async (): Promise<RunParts> => ({
    ...{ config, clock, ids, parts, hub, engine: await engine() },
  })
  const opened: Opened = { config, options, tools, clock, ids, parts, hub, engine, runParts }
  const chats = chatsOf(opened)
  const seek = seekSide(opened)
  const replay: Pupil['replay'] = async (name, run = {}) => {
    const { replayRun } = await import('./run-start.ts')
    return replayRun(name, run, { ...(await runParts()), runs })
  }
  const whole = async (request: RunRequest, run?: RunOptions) => (await start(request, run)).result
  const spaces = spacesOf(config, options, { db: parts.db, engine, served, home: () => pupil })
  const pupil: Pupil = {
    config,
    inSpace: home?.space ?? spaces.space,
    ...verbs(whole),
    start,
    ...seek.verbs,
    replay,
    runs,
    pictures: picturesOf(parts),
    programs,
    demonstrations: demonstrationShelf({
      ...{ pool: parts.pool, programs, clock, ids },
      families: async () => (await families()).map((family) => family.name),
    }),
    ...learningSide({
      ...{ config, clock, ids, parts, hub, engine, runs, start, replay },
      ...{ env: options.env ?? {}, isOwn: own.length > 0 || options.blobs !== undefined },
    }),
    chats,
    tokens: tokenShelf({ store: parts.tokens, space: config.space, clock, ids }),
    replies: repliesOf(parts),
    cache: cacheShelf(config, { blobs: parts.blobs, pictures: parts.pictures, clock }),
    families,
    tools: signatures,
    doctor: doctorOf(opened),
    close: async () => {
      await spaces.close()
      await chats.close()
      await seek.close()
      await (await engine.made())?.close()
      if (home === undefined) await (await served.made())?.close()
      await parts.close()
    },
  }
  return pupil
}

/** Tools of the servers that the configuration names; connected to when tools are first asked for. */
function servedTools({ toolServers }: Config, { env = {} }: PupilOptions): Lazy<ExternalTools> {
  return lazy(async () => {
    const { openToolServers } = await import('./tool-servers.ts')
    return openToolServers(toolServers, env)
  })
}

/** Other spaces of this process, opened when they are first asked for. */
function spacesOf(
  config: Config,
  options: PupilOptions,
  { home, ...shared }: Omit<Home, 'space'> & { readonly home: () => Pupil },
): { readonly space: Home['space']; close(): Promise<void> } {
  const opened = new Map<string, Pupil>()
  const space = (name: string): Pupil => {
    if (name === config.space) return home()
    const known = opened.get(name)
    if (known !== undefined) return known
    const made = pupilIn({ ...config, space: name }, options, { ...shared, space })
    opened.set(name, made)
    return made
  }
  return {
    space,
    close: async () => {
      await Promise.all([...opened.values()].map((one) => one.close()))
      opened.clear()
    },
  }
}

/** What the sides of the assistant share. */
interface Opened {
  readonly config: Config
  readonly options: PupilOptions
  readonly tools: () => Promise<readonly Tool[]>
  readonly clock: Clock
  readonly ids: Ids
  readonly parts: Parts
  readonly hub: ProgressHub
  readonly engine: Lazy<Engine>
  readonly runParts: () => Promise<RunParts>
}

function chatsOf({ config, options, tools, clock, ids, parts, hub, engine }: Opened): ChatShelf {
  const { env = {} } = options
  return chatShelf({
    ...{ store: parts.chats, clock },
    desk: async (saved) => {
      const { openChatDesk } = await import('./chat-desk.ts')
      const { backends } = await engine()
      const shared = { parts, backends }
      return openChatDesk(config, {
        ...{ env, progress: hub.note, saved, clock, ids, shared, tools: await tools() },
      })
    },
  })
}

/** Searching, and what people decide in searches. */
function seekSide({ config, options, clock, parts, hub, engine, runParts }: Opened): {
  readonly verbs: Pick<Pupil, 'startSeek' | 'seek' | 'study'>
  close(): Promise<void>
} {
  const seeking = lazy(async () => {
    const { createSeekDesk } = await import('./seek-desk.ts')
    const { backends } = await engine()
    return createSeekDesk({
      ...{ config, clock, backends, env: options.env ?? {}, progress: hub.note },
      encoder: async () => (await (await engine()).workshop()).things,
      ...{ learnt: parts.learnt, decisions: await parts.decisions() },
    })
  })
  const startSeek: Pupil['startSeek'] = async (request, run = {}) =>
    (await seeking()).start(request, run, await runParts())
  const study = lazy(async () => {
    const { studyDesk } = await import('./study-desk.ts')
    return studyDesk({ book: await parts.decisions(), start: startSeek })
  })
  return {
    verbs: {
      startSeek,
      seek: async (picture, question, run) => (await startSeek({ picture, question }, run)).result,
      study: {
        answer: async (...asked) => (await study()).answer(...asked),
        decisions: async () => (await study()).decisions(),
        problems: async () => (await study()).problems(),
        graph: async (...asked) => (await study()).graph(...asked),
        importShipped: async () => (await study()).importShipped(),
        score: async (...asked) => (await study()).score(...asked),
        export: async () => (await study()).export(),
        import: async (...asked) => (await study()).import(...asked),
        forget: async (...asked) => (await study()).forget(...asked),
      },
    },
    close: async () => (await seeking.made())?.close(),
  }
}

function doctorOf({ config, options, parts, clock, engine }: Opened): Pupil['doctor'] {
  return async (more) => {
    const { diagnose } = await import('./doctor.ts')
    const { backends } = await engine()
    return diagnose({ config, parts, clock, backends, env: options.env ?? {} }, more)
  }
}

function picturesOf({ library }: Parts): Pupil['pictures'] {
  return {
    file: async (hash, more) => (await library()).file(hash, more),
    path: async (hash) => (await library()).path(hash),
    encode: async (hash, type, more) => (await library()).encode(hash, type, more),
  }
}

function repliesOf({ replies }: Parts): Pupil['replies'] {
  return {
    claim: async (...request) => (await replies()).claim(...request),
    settle: async (...reply) => (await replies()).settle(...reply),
    release: async (key) => (await replies()).release(key),
  }
}

type Whole = (request: RunRequest, run?: RunOptions) => ReturnType<Pupil['ask']>

/** The verbs of the task families, each a whole run. */
function verbs(whole: Whole): Pick<Pupil, 'ask' | 'compare' | 'edit' | 'tag' | 'run'> {
  return {
    ask: (picture, instruction, run) =>
      whole({ family: 'gqa', pictures: [picture], instruction }, run),
    compare: (left, right, instruction, run) =>
      whole({ family: 'nlvr', pictures: [left, right], instruction }, run),
    edit: (picture, instruction, run) =>
      whole({ family: 'imgedit', pictures: [picture], instruction }, run),
    tag: (picture, instruction, run) =>
      whole({ family: 'tagging', pictures: [picture], instruction }, run),
    run: (pictures, program, { family = 'open', ...run } = {}) =>
      whole({ family, pictures, program, instruction: '' }, run),
  }
}
