import {
  addPicture,
  analogyChat,
  createChattingAgent,
  createRepository,
  languageChat,
  newConversation,
  startDialogues,
} from '../agents/index.ts'
import type {
  ChatPart,
  ChattingAgent,
  Conversation,
  Run,
  SkillRepository,
  Task,
} from '../agents/index.ts'
import { noProgress, randomIds, systemClock, UserFault } from '../base/index.ts'
import type { Abortable, Clock, Ids, Progress } from '../base/index.ts'
import { encodePicture } from '../image/index.ts'
import { createBudget } from '../llm/index.ts'
import type { Budget, BudgetLimits } from '../llm/index.ts'
import { memoryDemonstrations } from '../memory/index.ts'
import { FAMILIES } from '../program/index.ts'
import { COCO_NAMES, createToolbox } from '../tools/index.ts'
import type { Backends, Tool } from '../tools/index.ts'
import { memorySource } from './acting-memory.ts'
import { chatWorkers } from './chat-workers.ts'
import { chatPartDocument } from './chat-document.ts'
import type { ChatPartDocument } from './chat-document.ts'
import { reopenChat, saveChat } from './chat-file.ts'
import type { SavedChat } from './chat-file.ts'
import type { Config } from './config.ts'
import { layeredPool } from './demonstration-shelf.ts'
import type { Environment } from './environment.ts'
import { roleModels } from './models.ts'
import { openTools } from './open-tools.ts'
import { openParts } from './parts.ts'
import type { Parts } from './parts.ts'
import type { PictureInput } from './picture-library.ts'
import { startRecord } from './run-recorder.ts'
import type { RunRecorder } from './run-recorder.ts'
import { version } from './version.ts'

export interface ChatDeskOptions {
  readonly env?: Environment
  /** Hears of slow work, such as converting a model on first use. */
  readonly progress?: Progress
  /** A saved conversation to go on with. */
  readonly saved?: unknown
  /** Tools beside the standard ones; one with the name of a standard tool takes its place. */
  readonly tools?: readonly Tool[]
  readonly clock?: Clock
  readonly ids?: Ids
  /** What an open Pupil has already; stays open when the chat closes. */
  readonly shared?: { readonly parts: Parts; readonly backends: Backends }
}

export interface SayOptions extends Abortable {
  /** Limits of this turn; those of the configuration where it names none. */
  readonly budget?: BudgetLimits
  readonly seed?: number
}

/** A skill as a person reads of it. */
export interface ChatSkill {
  readonly name: string
  readonly skill: string
  readonly about: string
  /** Why it cannot run; undefined when it can. */
  readonly missing?: string
}

/** One conversation, from opening to closing. */
export interface ChatDesk {
  /** Who answers: `provider/model`, or `analogy/dialogues`. */
  readonly model: string
  conversation(): Conversation
  /** Adds a picture. @throws UserFault `E_PICTURE_*` */
  show(
    picture: PictureInput,
    options?: Abortable,
  ): Promise<{ name: string; width: number; height: number; notices: readonly string[] }>
  /** One turn; its run is stored like other runs. The last part is `finish`. */
  say(text: string, options?: SayOptions): AsyncGenerator<ChatPart, void, undefined>
  /** A part as plain JSON. */
  document(part: ChatPart): ChatPartDocument
  /** Notes what the last answer should have been. @throws UserFault `E_CORRECTION` without an answer */
  correct(value: string): void
  skills(options?: Abortable): Promise<readonly ChatSkill[]>
  /** The conversation as JSON that `saved` takes. */
  save(): Promise<SavedChat>
  /** The newest picture of the conversation as a file. @throws UserFault `E_NO_PICTURE` */
  newest(type: 'png' | 'jpeg' | 'webp'): Promise<{ name: string; bytes: Uint8Array }>
  /** Path of a kept picture. */
  path(hash: string): Promise<string | undefined>
  close(): Promise<void>
}

/** The chat behind `openChat`; loads agents and tools. */
export async function openChatDesk(
  config: Config,
  options: ChatDeskOptions = {},
): Promise<ChatDesk> {
  const { clock = systemClock, ids = randomIds } = options
  let conversation =
    options.saved === undefined
      ? newConversation(ids.next('chat'))
      : await reopenChat(options.saved)
  const parts = options.shared?.parts ?? openParts(config, clock)
  const workshop = await chatWorkshop(config, { ...options, clock, ids }, parts)
  const shared = { config, clock, ids, parts, workshop }
  return {
    model: workshop.model,
    conversation: () => conversation,
    show: async (picture, { signal } = {}) => {
      const library = await parts.library()
      const { maxSide } = FAMILIES.open
      const { image, notices } = await library.read(picture, {
        ...{ maxSide, ...(signal === undefined ? {} : { signal }) },
      })
      await library.keep(image)
      const added = addPicture(conversation, image)
      conversation = added.conversation
      return { name: added.name, width: image.width, height: image.height, notices }
    },
    say: async function* (text, say = {}) {
      for await (const part of recordedTurn(conversation, text, { ...shared, say })) {
        if (part.type === 'finish') conversation = part.conversation
        yield part
      }
    },
    document: chatPartDocument,
    correct: (value) => {
      conversation = corrected(conversation, value, clock.now())
    },
    skills: async (more) => {
      const { repository } = workshop.turn(createBudget({}, clock))
      return (await repository.list(more)).map((one) => {
        const { names, skill, about } = one.skill
        const missing = one.where === 'nowhere' ? { missing: one.missing } : {}
        return { name: names[0], skill, about, ...missing }
      })
    },
    save: () => saveChat(conversation),
    newest: async (type) => {
      const last = conversation.pictures.at(-1)
      if (last === undefined) {
        throw new UserFault('E_NO_PICTURE', 'There is no picture in this conversation yet.')
      }
      return { name: last.name, bytes: await encodePicture(last.image, type) }
    },
    path: async (hash) => (await parts.library()).path(hash),
    close: async () => {
      await workshop.close()
      if (options.shared === undefined) await parts.close()
    },
  }
}

/** Who answers, and with which tools. */
interface ChatWorkshop {
  readonly model: string
  /** What one turn works with: language models spend from its budget. */
  turn(budget: Budget): { readonly agent: ChattingAgent; readonly repository: SkillRepository }
  close(): Promise<void>
}

async function chatWorkshop(
  config: Config,
  options: ChatDeskOptions & { readonly clock: Clock; readonly ids: Ids },
  parts: Parts,
): Promise<ChatWorkshop> {
  const { env = {}, progress = noProgress, tools = [], clock, ids } = options
  const models = roleModels(config, env, clock)
  const role = config.models.chat === undefined ? 'planner' : 'chat'
  const named = models.get(role)
  const workers = chatWorkers(config.workers, clock)
  const analogy = analogyChat({
    pool: layeredPool(memoryDemonstrations(startDialogues()), await parts.pool()),
    vocabulary: [...COCO_NAMES, ...(await taughtNames(parts))],
  })
  const opened =
    options.shared === undefined
      ? await openTools({ config, progress, thread: 'here', memory: memorySource(parts.learnt) })
      : { backends: options.shared.backends, close: async () => {} }
  const { stepSeconds, runSeconds } = config.limits
  return {
    model: workers.model?.id ?? named?.id ?? analogy.id,
    turn: (budget) => {
      const spending = models.spending(role, budget)
      const backends = models.backends(opened.backends, budget)
      const toolbox = createToolbox({ backends, settings: config.tools, extra: tools })
      const { remote, prefer } = workers
      const elsewhere = remote === undefined ? {} : { remote, preferRemote: prefer }
      const repository = createRepository({ backends, ...elsewhere })
      const agent = createChattingAgent({
        model: workers.model ?? (spending === undefined ? analogy : languageChat(spending)),
        ...{ repository, clock, ids, version },
        call: (name, args, context) => toolbox.call(name, args, { ...context, progress }),
        caps: { callMs: stepSeconds * 1000, turnMs: runSeconds * 1000 },
      })
      return { agent, repository }
    },
    close: () => opened.close(),
  }
}

/** Names that people taught: what a question calls so is meant. */
async function taughtNames(parts: Parts): Promise<readonly string[]> {
  const exemplars = await (await parts.learnt()).exemplars()
  return [...new Set(exemplars.flatMap((one) => (one.kind === 'thing' ? [one.concept] : [])))]
}

interface TurnParts {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly parts: Parts
  readonly workshop: ChatWorkshop
  readonly say: SayOptions
}

/** One turn, written down while it goes on, as other runs are. */
async function* recordedTurn(
  conversation: Conversation,
  text: string,
  { config, clock, ids, parts, workshop, say }: TurnParts,
): AsyncGenerator<ChatPart, void, undefined> {
  const limits = { ...config.budget, ...say.budget }
  const seed = say.seed ?? config.seed
  const budget = createBudget(limits, clock)
  const [runs, library] = await Promise.all([parts.runs(), parts.library()])
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, ...(say.signal === undefined ? [] : [say.signal])])
  const task = taskOf(conversation, text, { budget: limits, seed })
  const head = { id: ids.next('run'), agent: task.agent, task, createdAt: clock.now(), version }
  const record = await startRecord(head, { runs, library }, (error) => stop.abort(error))
  const { id, createdAt } = head
  const turn = { id, createdAt, signal, seed, budget: limits }
  let ended = false
  try {
    for await (const part of workshop.turn(budget).agent.turn(conversation, text, turn)) {
      if (part.type === 'step') record.step(part.step)
      if (part.type === 'picture') await library.keep(part.picture.image)
      if (part.type !== 'finish') {
        yield part
        continue
      }
      const run: Run = { ...part.run, cost: budget.spent() }
      ended = true
      await record.finish(run)
      yield { ...part, run }
    }
  } finally {
    if (!ended) await leave(record, budget)
  }
}

/** The turn as a task, the pictures that people gave as its inputs. */
function taskOf(
  { pictures }: Conversation,
  instruction: string,
  more: { readonly budget: BudgetLimits; readonly seed: number },
): Task {
  const given = pictures.filter(({ madeBy }) => madeBy === undefined)
  const inputs = Object.fromEntries(given.map(({ name, image }) => [name, image]))
  return { agent: 'chatting', family: 'open', instruction, inputs, ...more }
}

/** Closes the record of a turn that nobody listens to any more. */
function leave(record: RunRecorder, budget: Budget): Promise<void> {
  return record.finish({
    outcome: { status: 'aborted', reason: 'Nobody listened any more.' },
    ...{ cost: budget.spent(), models: [], lessonsUsed: [], warnings: [] },
  })
}

function corrected(conversation: Conversation, value: string, at: number): Conversation {
  const { turns } = conversation
  const last = turns.findLastIndex((turn) => turn.role === 'assistant' && turn.actions.length === 0)
  const turn = turns[last]
  if (turn?.role !== 'assistant') {
    throw new UserFault('E_CORRECTION', 'There is no answer to correct yet.', {
      cure: 'Ask something first.',
    })
  }
  const right = Object.freeze({ ...turn, corrected: { value, author: 'user', at } })
  return Object.freeze({ ...conversation, turns: turns.with(last, right) })
}
