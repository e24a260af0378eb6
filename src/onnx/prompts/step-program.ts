import { sha256 } from '../../base/index.ts'
import type { Graph, Model } from '../graph.ts'
import type { OpenSessionOptions } from '../open-session.ts'
import { openSession } from '../open-session.ts'
import type { SessionHost } from '../session-host.ts'
import type { RunTensors, Session } from '../session.ts'
import type { PromptInput } from './key-value.ts'
import type { Program, ProgramPart, ProgramRequest } from './program.ts'
import { compile, partOf } from './program.ts'
import type { PrefixCache } from './tune.ts'

/** What is known of a program, wherever it was made. */
export interface ProgramInfo {
  readonly prompts: readonly PromptInput[]
  readonly gradients: Readonly<Record<string, string>>
  /** What each part reads; no prefix when nothing can be computed ahead. */
  readonly reads: Readonly<Partial<Record<ProgramPart, readonly string[]>>>
}

/** A step graph in the thread in which its sessions are opened. */
export interface StepProgram extends ProgramInfo {
  /** A session of a part, in which the held feeds are constants. */
  open(part: ProgramPart, held: RunTensors, options: PartOptions): Promise<Session>
  /** Gives the graphs back; sessions that were opened stay. */
  close(): Promise<void>
}

export type PartOptions = Omit<OpenSessionOptions, 'thread'>

export interface ProgramOptions {
  /** Where it is made and run: this thread, which stands still meanwhile, or a worker. */
  readonly thread: 'here' | SessionHost
  readonly signal?: AbortSignal
}

/** Makes the step graph of a tuning. */
export async function openProgram(
  model: Model,
  request: ProgramRequest,
  { thread, ...abortable }: ProgramOptions,
): Promise<StepProgram> {
  if (thread !== 'here') return thread.compile(model, request, abortable)
  const { program, info } = await compileHere(model, request, abortable)
  return {
    ...info,
    open: (part, held, options) => openPart(program, part, held, options),
    close: () => Promise.resolve(),
  }
}

/** The step graph, made in this thread, and what the asking side has to know of it. */
export async function compileHere(
  model: Model,
  request: ProgramRequest,
  abortable: { readonly signal?: AbortSignal } = {},
): Promise<{ readonly program: Program; readonly info: ProgramInfo }> {
  const program = await compile(model, request, { thread: 'here', ...abortable })
  const { prompts, gradients, whole, rest, prefix } = program
  const names = (graph: Graph): string[] => graph.inputs.map(({ name }) => name)
  const ahead = prefix === undefined ? {} : { prefix: names(prefix) }
  const reads = { whole: names(whole), rest: names(rest), ...ahead }
  return { program, info: { prompts, gradients, reads } }
}

/** A session of a part in this thread. */
export function openPart(
  program: Program,
  part: ProgramPart,
  held: RunTensors,
  options: PartOptions,
): Promise<Session> {
  return openSession(partOf(program, part, held), { ...options, thread: 'here' })
}

/** Values of the prefix, from the cache or run once; undefined when there is nothing to compute ahead. */
export async function runPrefix(
  program: StepProgram,
  fixed: RunTensors,
  key: string,
  options: PartOptions & { readonly cache?: PrefixCache },
): Promise<RunTensors | undefined> {
  const ahead = program.reads.prefix
  if (ahead === undefined) return undefined
  const { cache, ...settings } = options
  const feeds = pick(fixed, ahead)
  const place = cache === undefined ? '' : `${key}-${feedsKey(feeds)}`
  const known = await cache?.get(place)
  if (known !== undefined) return known
  const session = await program.open('prefix', {}, { preset: 'small-memory', ...settings })
  try {
    const { signal } = settings
    const values = await session.run(feeds, signal === undefined ? {} : { signal })
    await cache?.set(place, values)
    return values
  } finally {
    await session.close()
  }
}

function feedsKey(feeds: RunTensors): string {
  const parts = Object.entries(feeds).map(([name, { dims, data }]) => {
    const bytes = ArrayBuffer.isView(data)
      ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
      : new TextEncoder().encode(JSON.stringify(data))
    return `${name} ${dims.join()} ${sha256(bytes)}`
  })
  return sha256(parts.sort().join('\n'))
}

/** The feeds of these names that are there. */
export function pick(feeds: RunTensors, names: readonly string[]): RunTensors {
  return Object.fromEntries(
    names.flatMap((name) => {
      const tensor = feeds[name]
      return tensor === undefined ? [] : [[name, tensor]]
    }),
  )
}
