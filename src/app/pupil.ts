import type { Run } from '../agents/index.ts'
import type { Abortable, BlobStore, Clock, Ids, Progress } from '../base/index.ts'
import type { BudgetLimits } from '../llm/index.ts'
import type { Family, Signature } from '../program/index.ts'
import type { ReplyStore } from '../stores/index.ts'
import type { Tool } from '../tools/index.ts'
import type { CacheShelf } from './cache.ts'
import type { ChatShelf } from './chat-shelf.ts'
import type { Config } from './config.ts'
import type { DemonstrationShelf } from './demonstration-shelf.ts'
import type { Diagnosis, DoctorOptions } from './doctor.ts'
import type { Environment } from './environment.ts'
import type { LearningDesk } from './learning-desk.ts'
import type { LiveRun } from './live-run.ts'
import type { PictureInput, PictureLibrary } from './picture-library.ts'
import type { ProgramDesk } from './program-desk.ts'
import type { StudyDesk } from './study-desk.ts'
import type { RunShelf } from './run-shelf.ts'
import type { TokenShelf } from './token-shelf.ts'
import type { LoopOptions, LoopReport, LoopTask } from './train-loop.ts'

export interface RunOptions extends Abortable {
  /** Limits of this run; those of the configuration where it names none. */
  readonly budget?: BudgetLimits
  /** Start of the run's random numbers; default from the configuration. */
  readonly seed?: number
  /** Hears of slow work, such as converting a model on first use. */
  readonly progress?: Progress
  /** Hears of each step as it ends. */
  readonly onStep?: (step: Run['steps'][number]) => void
}

/** What a door asks for. */
export interface RunRequest {
  /** gqa, nlvr, imgedit, tagging, open. */
  readonly family: string
  readonly instruction: string
  /** In the order of the family's inputs. */
  readonly pictures: readonly PictureInput[]
  /** A program given by hand. */
  readonly program?: string
}

/** What the seeking agent is asked. */
export interface SeekRequest {
  readonly picture: PictureInput
  readonly question: string
}

/** What a search may do, beyond what every run may. */
export interface SeekSettings {
  /** Most tool calls; default 12. */
  readonly maxSteps?: number
  /** Most USD for what costs money; default that of `budget.money`, else 0: such sources are off. */
  readonly maxCost?: number
  /** Nothing leaves this machine. */
  readonly offline?: boolean
  /** The user allows pictures to be sent to configured services, for this run. */
  readonly sendPictures?: boolean
  /** Asks the user before a picture is sent, where `sources.pictures` is `ask`; left out: no. */
  readonly consent?: (request: PictureConsent) => Promise<boolean>
  /** Where the picture stands publicly: for services that look at addresses only. */
  readonly pictureUrl?: string
  /** A transition graph as JSON; default the one that ships. */
  readonly graph?: unknown
}

/** What would leave the machine. */
export interface PictureConsent {
  readonly provider: string
  /** USD; null when nobody knows. */
  readonly price: number | null
  /** Exactly what would be sent: a JPEG without metadata, at most 1,024 pixels long. */
  readonly picture: Uint8Array
}

/**
 * The assistant: everything that doors and library users call.
 *
 * Nothing is opened or loaded before it is needed; `close` gives back what was.
 */
export interface Pupil {
  readonly config: Config
  /** Answers a question about a picture. */
  ask(picture: PictureInput, question: string, options?: RunOptions): Promise<Run>
  /** Says whether a statement about two pictures is true. */
  compare(
    left: PictureInput,
    right: PictureInput,
    statement: string,
    options?: RunOptions,
  ): Promise<Run>
  /** Changes a picture; the run's value is the new one. */
  edit(picture: PictureInput, instruction: string, options?: RunOptions): Promise<Run>
  /** Finds and names things; the run's value is a picture that carries its tags. */
  tag(picture: PictureInput, instruction: string, options?: RunOptions): Promise<Run>
  /** Runs a program that was written by hand. */
  run(
    pictures: readonly PictureInput[],
    program: string,
    options?: RunOptions & { readonly family?: string },
  ): Promise<Run>
  /** Looks for what is known about what a picture shows; the run's document has its sources. */
  seek(picture: PictureInput, question: string, options?: RunOptions & SeekSettings): Promise<Run>
  /** The same, given back while it goes on. */
  startSeek(request: SeekRequest, options?: RunOptions & SeekSettings): Promise<LiveRun>
  /** Starts a run and gives it back while it goes on. @throws UserFault for input that cannot be used */
  start(request: RunRequest, options?: RunOptions): Promise<LiveRun>
  /**
   * The run again from its record, without any model: the same steps.
   *
   * @param options.from  index of the first step to run anew; default: none
   */
  replay(name: string, options?: RunOptions & { readonly from?: number }): Promise<Run>
  /**
   * Answers tasks and learns from those that come out wrong: offline train, then `evaluate` others; online the
   * report's accuracy is of first answers only.
   */
  train(tasks: readonly LoopTask[], options?: LoopOptions): Promise<LoopReport>
  /** Answers tasks with what is known, and learns nothing. */
  evaluate(tasks: readonly LoopTask[], options?: LoopOptions): Promise<LoopReport>
  readonly runs: RunShelf
  readonly pictures: Pick<PictureLibrary, 'file' | 'path' | 'encode'>
  readonly programs: ProgramDesk
  readonly demonstrations: DemonstrationShelf
  /** People's decisions in searches: recorded, made into a graph, scored. */
  readonly study: StudyDesk
  /** Corrections, lessons, people. */
  readonly learning: LearningDesk
  /** Conversations that are kept. */
  readonly chats: ChatShelf
  /** Who may call from elsewhere. */
  readonly tokens: TokenShelf
  /** Replies to requests that are carried out once, however often they come. */
  readonly replies: ReplyStore
  readonly cache: CacheShelf
  /**
   * The same assistant in another space: store and models are shared; runs, pictures, chats and what was learnt
   * are not. It closes with this one.
   */
  inSpace(space: string): Pupil
  families(): Promise<readonly Family[]>
  tools(): Promise<readonly Signature[]>
  /** What works here, what does not, and how to get it. */
  doctor(options?: DoctorOptions): Promise<Diagnosis>
  close(): Promise<void>
}

export interface PupilOptions {
  /** Variables that hold keys of model providers. */
  readonly env?: Environment
  /** Where vision models run: `here` (default) starts fastest, `worker` keeps a server answering. */
  readonly thread?: 'here' | 'worker'
  /** Where the bytes of pictures are kept; default: a folder under `data`. */
  readonly blobs?: BlobStore
  /** Tools beside the standard ones; one with the name of a standard tool takes its place. */
  readonly tools?: readonly Tool[]
  /** Time and names of runs; given by tests. */
  readonly clock?: Clock
  readonly ids?: Ids
}
